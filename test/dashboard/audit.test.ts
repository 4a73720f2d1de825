import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { type DashboardTest, flows, zoneName } from './support.ts'

/** Its own installation: the trail is of the whole account. */
const flow = flows({})
const entries = (page: Page) => page.getByRole('grid', { name: 'Changes' })

async function change({ sluice, zoneId }: DashboardTest): Promise<void> {
  for (const paused of [true, false]) await api(sluice, 'PATCH', `/zones/${zoneId}`, { paused })
  await api(sluice, 'PUT', `/zones/${zoneId}/waf/shadow`, {
    enabled: false,
    version: 'latest',
    paranoia_level: 2,
    score_threshold: 25,
    sample_rate: 0.5,
  })
}

flow('a change shows its actor, client address and previous values', async it => {
  await change(it)
  const page = await it.page({ path: '/audit' })
  await entries(page).getByText('Shadow', { exact: true }).waitFor()
  const newest = entries(page).getByRole('row').nth(2)
  await eventually(async () =>
    assert.match((await newest.textContent()) ?? '', /Changed.*shop\.test.*Zone.*from 127\.0\.0\.1/),
  )
  await newest.click()
  const drawer = page.getByRole('dialog', { name: `Changed: ${zoneName}` })
  const changed = drawer.getByRole('region', { name: 'Changes' })
  await changed.getByText('paused').waitFor()
  await eventually(async () => assert.match((await changed.textContent()) ?? '', /pausedtrue → false/))
  await eventually(async () =>
    assert.match(
      (await drawer.getByRole('region', { name: 'Before', exact: true }).textContent()) ?? '',
      /"paused": true/,
    ),
  )
  await eventually(async () =>
    assert.match(
      (await drawer.getByRole('region', { name: 'After', exact: true }).textContent()) ?? '',
      /"paused": false/,
    ),
  )
  await drawer.getByText(`PATCH /client/v4/zones/${it.zoneId}`).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'audit-drawer')
  // All changes came through the token of the page.
  const token = (await api(it.sluice, 'GET', '/user/tokens/verify')).result.id
  await drawer.getByRole('button', { name: token }).click()
  await page.waitForURL(url => url.searchParams.get('actor') === token)
  await eventually(async () =>
    assert.equal(await page.getByRole('textbox', { name: 'Actor' }).inputValue(), token),
  )
})

flow('the address holds the filters, and the API applies them', async it => {
  const page = await it.page({ path: '/audit' })
  const count = (text: string) => page.getByText(text, { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Changed')
  await count('2 changes')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('All')
  await page.getByRole('combobox', { name: 'Resource' }).selectOption('Shadow')
  await count('1 change')
  await page.getByRole('combobox', { name: 'Zone', exact: true }).fill(zoneName)
  await page.waitForURL(url => url.searchParams.get('zone') === zoneName)
  await page.reload()
  await count('1 change')
  await eventually(async () =>
    assert.equal(await page.getByRole('combobox', { name: 'Zone', exact: true }).inputValue(), zoneName),
  )
  await page.getByRole('textbox', { name: 'Actor' }).fill('absent@example.com')
  await page.getByRole('heading', { name: 'No changes in this period' }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.waitForURL(url => url.search === '')
  await eventually(async () =>
    assert.equal(await page.getByRole('textbox', { name: 'Actor' }).inputValue(), ''),
  )
  // Includes the entries of the first start.
  const all = await api(it.sluice, 'GET', `/accounts/${it.accountId}/audit_logs?per_page=100`)
  assert.ok(all.result.length > 4)
  await count(`${all.result.length} changes`)
})

/** Many changes of one zone. */
function fill({ sluice, accountId, zoneId }: DashboardTest, count: number): void {
  const db = new DatabaseSync(join(sluice.data, 'sluice.db'), { timeout: 30_000 })
  const entry = JSON.stringify({
    accountId,
    zoneId,
    at: new Date().toISOString(),
    actor: { kind: 'user', id: 'f'.repeat(32), email: 'many@example.com', ip: '192.0.2.1' },
    action: 'update',
    resource: { kind: 'zone', id: zoneId },
    method: 'PATCH',
    path: `/client/v4/zones/${zoneId}`,
    before: { name: zoneName, paused: true },
    after: { name: zoneName, paused: false },
  })
  db.prepare(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
    insert into audit_entries
      (position, id, account_id, zone_id, at, action, actor_email, actor_ip, actor_id, resource_kind, entry)
    select 1000000 + n, printf('%032x', n), ?, ?, ?, 'update', 'many@example.com', '192.0.2.1', ?, 'zone',
      json_set(?, '$.id', printf('%032x', n))
    from numbers`,
  ).run(count, accountId, zoneId, new Date().toISOString(), 'f'.repeat(32), entry)
  db.close()
}

flow('100,000 changes scroll like 10', async it => {
  fill(it, 100_000)
  const page = await it.page({ path: '/audit?actor=many%40example.com' })
  await page.getByText('Newest 200 changes; scroll for more').waitFor()
  for (const loaded of ['400', '600', '800', '1,000']) {
    await entries(page).press('End')
    await page.getByText(`Newest ${loaded} changes; scroll for more`).waitFor()
  }
  await eventually(async () => assert.ok((await entries(page).getByRole('row').count()) < 80))
})

flow('a token without permission sees an error', async it => {
  const made = await api(it.sluice, 'POST', '/user/tokens', {
    name: 'zones only',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
      },
    ],
  })
  const page = await it.page({ path: '/audit', token: made.result.value })
  await page.getByRole('alert').getByText('Failed to load audit trail').waitFor()
})

flow('the page is accessible in every look', async it => {
  const page = await it.page({ path: '/audit?range=24h' })
  await entries(page).getByRole('row').nth(3).waitFor()
  await looksWell(page, 'audit')
})
