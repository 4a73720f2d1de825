import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { madeCertificate } from '../../src/kit/testing/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { putRules } from './rules-support.ts'
import { flows, zoneName } from './support.ts'

/** Signing in, the overview, adding a zone and the page of a zone. */
const flow = flows()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

flow('signing in with the keyboard leads to the requested page', async ({ page: open, sluice, zoneId }) => {
  const page = await open({ path: `/zones/${zoneId}`, token: false })
  await heading(page, 'Sign in')
  await page.keyboard.type('no-such-token-0123456789')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Invalid token' }).waitFor()
  await page.getByLabel('Token', { exact: true }).fill(sluice.token)
  await page.keyboard.press('Enter')
  await heading(page, zoneName)
  // Not stored: a reload ends the session.
  await page.reload()
  await heading(page, 'Sign in')
  await page.getByLabel('Token', { exact: true }).fill(sluice.token)
  await page.getByLabel('Stay signed in on this tab').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading(page, zoneName)
  await page.reload()
  await heading(page, zoneName)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await heading(page, 'Sign in')
  assert.equal(await page.evaluate(() => sessionStorage.getItem('sluice.session')), null)
})

flow(
  'controls without permission are disabled and show the reason',
  async ({ page: open, sluice, zoneId }) => {
    const groups = (await api(sluice, 'GET', '/user/tokens/permission_groups')).result
    const group = (name: string) => ({ id: groups.find((one: { name: string }) => one.name === name).id })
    const made = await api(sluice, 'POST', '/user/tokens', {
      name: 'reader',
      policies: [
        {
          effect: 'allow',
          permission_groups: [group('Zone Read')],
          resources: { [`com.cloudflare.api.account.zone.${zoneId}`]: '*' },
        },
      ],
    })
    const page = await open({ token: made.result.value })
    const add = page.getByRole('button', { name: 'Add zone' })
    await page.waitForFunction(() => document.querySelector('button[aria-disabled=true]') !== null)
    await add.click({ force: true })
    await eventually(async () => assert.equal(await page.getByRole('dialog').count(), 0))
    await add.focus()
    await page.getByRole('tooltip').filter({ hasText: 'lacks “Zone Write” on all zones' }).waitFor()
    await page.getByText('Needs Account WAF Read').waitFor()
    // Two traffic figures, and the account's log delivery.
    await eventually(async () =>
      assert.equal(await page.getByText('Needs Logs Read on the account').count(), 3),
    )
    await page.getByRole('grid', { name: 'Zones' }).getByRole('link', { name: zoneName }).click()
    await page.locator('button[aria-disabled=true]', { hasText: 'Delete zone' }).waitFor()
    await eventually(async () => assert.ok(await page.getByRole('switch', { name: 'Paused' }).isDisabled()))
    await page.getByRole('link', { name: 'Instant Logs' }).click()
    await page.getByText('lacks “Logs Read” on this zone').waitFor()
  },
)

flow('a zone is added, its origin checked, and the displayed commands work', async test => {
  const page = await test.page()
  await page.getByRole('button', { name: 'Add zone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Domain').fill('new.test')
  await dialog.getByRole('textbox', { name: 'Origin' }).fill('127.0.0.1:9')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('refuses connections').waitFor()
  await dialog.getByRole('button', { name: 'Add anyway' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'add-zone-origin-away')
  await dialog.getByRole('textbox', { name: 'Origin' }).fill(test.origin.url.replace('http://', ''))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('Origin reachable: it answers with status 200.').waitFor()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('dialog', { name: 'new.test added' }).waitFor()
  await page.waitForTimeout(300)
  await screenshot(page, 'zone-added')
  assert.deepEqual(await axeViolations(page), [])
  const requested = async (what: string) => {
    const command = await page.getByRole('region', { name: what, exact: true }).textContent()
    const [, host, path] = /-H 'Host: ([^']+)' 'http:\/\/[^/]+([^']+)'/.exec(command!)!
    return (await test.origin.through(test.sluice.edgePort, host!, path!)).status
  }
  await eventually(async () => assert.equal(await requested('request'), 200))
  await eventually(async () => assert.equal(await requested('attack'), 403))
  await page.getByText('which the zone’s rules block (status 403):').waitFor()
  await page.getByRole('button', { name: 'Copy attack' }).hover()
  await page.getByRole('dialog').getByRole('tooltip').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: 'Copy attack' }).click()
  await eventually(async () =>
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl -i -H 'Host: new\.test' /),
  )
  await page.getByRole('link', { name: 'Go to zone' }).click()
  await heading(page, 'new.test')
  await page.getByText('PL4, Block').waitFor()
})

flow('the commands state the outcome of the attack', async it => {
  const last = '6179ae15870a4bb7b2d480d4843b323c'
  const rows = [
    ['managed_challenge', 'which the zone’s rules challenge (status 403):'],
    ['log', 'which the zone’s rules log and forward to the origin:'],
    [undefined, 'which also reaches the origin: no rule stops it:'],
  ] as const
  const page = await it.page({ path: `/zones/${it.zoneId}` })
  for (const [action, text] of rows) {
    const overrides = { rules: [{ id: last, action }] }
    const rule = {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: '4814384a9e5d4991b9815dcfc25d2f1f', overrides },
    }
    await putRules(it, 'http_request_firewall_managed', action === undefined ? [] : [rule])
    // An open page stops polling once a rule stops the attack.
    await eventually(async () => {
      await page.reload()
      await page.getByText(text).waitFor({ timeout: 2000 })
    })
  }
  // Rules treat an address in the Host header as suspicious, so every command has the name.
  const [demo] = (await api(it.sluice, 'GET', '/zones?name=localhost')).result
  await page.goto(page.url().replace(it.zoneId, demo.id))
  await page.getByText("curl -i -H 'Host: localhost' 'http://").first().waitFor()
})

flow('a taken name is reported at its field', async ({ page: open, origin }) => {
  const page = await open({ path: '/?add=zone' })
  await page.getByLabel('Domain').fill(zoneName)
  await page.getByRole('textbox', { name: 'Origin' }).fill(origin.url)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/already exists|is taken|exists/i).waitFor()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Domain').getAttribute('aria-invalid'), 'true'),
  )
})

flow('the overview counts requests, and a search narrows the list', async ({ page: open, visit }) => {
  for (let i = 0; i < 5; i++) await visit(`/page?n=${i}`)
  const page = await open()
  const row = page.getByRole('grid', { name: 'Zones' }).getByRole('row', { name: new RegExp(zoneName) })
  for (let tries = 0; ; tries++) {
    const requests = await row.getByRole('gridcell').or(row.getByRole('cell')).allInnerTexts()
    if (requests.some(text => Number(text) >= 5)) break
    assert.ok(tries < 20, `requests are not counted: ${requests.join(' | ')}`)
    await page.waitForTimeout(500)
    await page.reload()
    await row.waitFor()
  }
  await page.getByLabel('Search zones').first().fill('shop')
  await page.waitForURL(/zone=shop/)
  await page.getByText('1 zone', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('1 zone', { exact: true }).waitFor()
  await eventually(async () =>
    assert.equal(await page.getByLabel('Search zones').first().inputValue(), 'shop'),
  )
})

flow('the overview warns about an old CRS release', async ({ page: open }) => {
  const page = await open({
    prepare: tab =>
      tab.route(/\/waf\/crs_releases$/, async route => {
        const answer = await route.fetch()
        const body = await answer.json()
        for (const release of body.result) release.released_year = 2019
        await route.fulfill({ response: answer, json: body })
      }),
  })
  await page.getByText('Outdated release from 2019.').waitFor()
})

flow('ten thousand zones scroll like ten', async ({ page: open, sluice, zoneId }) => {
  const total = 10_000
  const { result: zone } = await api(sluice, 'GET', `/zones/${zoneId}`)
  const answer = (number: number) => {
    const result = Array.from({ length: 50 }, (_, i) => {
      const n = (number - 1) * 50 + i
      return { ...zone, id: n.toString(16).padStart(32, '0'), name: `zone-${n}.test` }
    })
    const result_info = { page: number, per_page: 50, count: 50, total_count: total, total_pages: total / 50 }
    return { result, success: true, errors: [], messages: [], result_info }
  }
  const page = await open({
    prepare: tab =>
      tab.route(/\/client\/v4\/zones\?/, route =>
        route.fulfill({
          json: answer(Number(new URL(route.request().url()).searchParams.get('page') ?? 1)),
        }),
      ),
  })
  await page.getByText('10,000 zones').waitFor()
  const grid = page.getByRole('grid', { name: 'Zones' })
  await eventually(async () => assert.equal(await grid.getAttribute('aria-rowcount'), '10001'))
  await grid.focus()
  const endMs = Date.now() + 60_000
  for (let reached = 0; reached < 250; ) {
    assert.ok(Date.now() < endMs, `End leads no further than zone-${reached}`)
    await page.keyboard.press('End')
    const last = Number(/zone-(\d+)/.exec((await grid.getByRole('row').last().textContent())!)![1])
    assert.ok(last >= reached)
    reached = last
  }
  await eventually(async () => assert.ok((await grid.getByRole('row').count()) < 60))
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/zones\/0{31}1$/)
})

flow('the page of a zone lists its certificates', async ({ page: open, sluice, zoneId }) => {
  const page = await open({ path: `/zones/${zoneId}` })
  await page.getByText('HTTPS clients get a self-signed one').waitFor()
  const expires = new Date(Date.now() + 10.5 * 86_400_000)
  const { certificate, key } = await madeCertificate([zoneName, `*.${zoneName}`], { expires })
  const pair = { certificate, private_key: key }
  assert.equal((await api(sluice, 'POST', `/zones/${zoneId}/custom_certificates`, pair)).status, 200)
  await inForce(sluice)
  await page.reload()
  const row = page.getByRole('table', { name: 'Certificates' }).getByRole('row').nth(1)
  await row.waitFor()
  assert.deepEqual(await row.locator('th, td').allInnerTexts(), [
    `${zoneName}, *.${zoneName}`,
    'Makers of tests',
    'Uploaded',
    'Expires in 10 days',
  ])
  await looksWell(page, 'zone-certificates')
})

flow(
  'a zone is paused, gets another origin and is deleted',
  async ({ page: open, sluice, accountId, origin }) => {
    const made = await api(sluice, 'POST', '/zones', {
      name: 'old.test',
      account: { id: accountId },
      origin: { url: 'http://127.0.0.1:9' },
    })
    const page = await open({ path: `/zones/${made.result.id}` })
    await page.getByRole('link', { name: 'Deploy', exact: true }).waitFor()
    await page.getByRole('switch', { name: 'Paused' }).click({ force: true })
    await page.getByText('old.test paused').waitFor()
    await page.getByRole('radio', { name: 'Refuse with 413 (safe)' }).click()
    await page.getByText('Setting saved').waitFor()
    const setting = `/zones/${made.result.id}/settings/waf_body_limit_action`
    assert.equal((await api(sluice, 'GET', setting)).result.value, 'reject')
    await page.getByRole('switch', { name: 'Under Attack mode' }).click({ force: true })
    const level = `/zones/${made.result.id}/settings/security_level`
    await eventually(async () => assert.equal((await api(sluice, 'GET', level)).result.value, 'under_attack'))
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Origin' }).fill(origin.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Origin saved').waitFor()
    const after = (await api(sluice, 'GET', `/zones/${made.result.id}`)).result
    assert.deepEqual([after.paused, after.origin.url], [true, origin.url])
    await page.getByRole('button', { name: 'Delete zone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete zone' }).click()
    await heading(page, 'Overview')
    assert.equal((await api(sluice, 'GET', `/zones/${made.result.id}`)).status, 404)
  },
)

flow('an unprotected zone and a failing job are visible at once, by name', async it => {
  const { page: open, sluice, zoneId, visit } = it
  await putRules(it, 'http_request_firewall_managed', [])
  let isWell = true
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(isWell ? 200 : 503).end())
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  // A failed flow does not keep the file from ending.
  receiver.unref()
  const job = await api(sluice, 'POST', `/zones/${zoneId}/logpush/jobs`, {
    name: 'payments',
    enabled: true,
    destination_conf: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
  })
  isWell = false
  assert.equal(job.success, true, JSON.stringify(job))
  await visit('/to-deliver')
  const page = await open()
  const row = page.getByRole('row', { name: new RegExp(zoneName) })
  await row.getByText('Disabled', { exact: true }).waitFor()
  await row.getByText('Failing: payments').waitFor({ timeout: 60_000 })
  const link = page.getByRole('link', { name: `payments (${zoneName})` })
  await link.waitFor({ timeout: 60_000 })
  const figure = page.getByText(/^1 of \d+ failing$/)
  const red = await page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--sluice-bad'))
  assert.ok(red !== '', 'there is a red')
  assert.match((await figure.getAttribute('style')) ?? '', /--sluice-bad/)
  await screenshot(page, 'overview-failing')
  await link.click()
  await heading(page, 'payments')
  await page.goto(new URL(`/zones/${zoneId}`, page.url()).href)
  await page.getByText('1 of 1 failing', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'payments', exact: true }).waitFor()
  const upTo2 = [3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false }))
  await putRules(it, 'http_request_firewall_managed', [
    {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: '4814384a9e5d4991b9815dcfc25d2f1f',
        overrides: {
          categories: upTo2,
          rules: [
            { id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 40, action: 'managed_challenge' },
          ],
        },
      },
    },
  ])
  await page.goto(new URL('/', page.url()).href)
  await row.getByText('PL2 · 40 · Challenge').waitFor()
  await api(sluice, 'DELETE', `/zones/${zoneId}/logpush/jobs/${job.result.id}`)
  receiver.close()
  receiver.closeAllConnections()
})

flow('every screen is accessible and fits in light, dark and narrow windows', async test => {
  const screens = [
    { name: 'sign-in', path: '/sign-in', token: false, title: 'Sign in' },
    { name: 'overview', path: '/', title: 'Overview' },
    { name: 'zone', path: `/zones/${test.zoneId}`, title: zoneName },
    { name: 'nowhere', path: '/nowhere/at/all', title: undefined },
  ] as const
  for (const { name, title, ...where } of screens) {
    const page = await test.page({ ...where, load: true })
    if (title !== undefined) await heading(page, title)
    await page.waitForLoadState('networkidle')
    await looksWell(page, name)
  }
})

flow('menus and options render inside a landmark', async it => {
  const page = await it.page({ path: '/try' })
  await page.getByRole('button', { name: 'Examples' }).click()
  await page.getByRole('menuitem').first().waitFor()
  assert.deepEqual(await axeViolations(page), [], 'a menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Zone: / }).click()
  await page.getByRole('option', { name: zoneName }).waitFor()
  assert.deepEqual(await axeViolations(page), [], 'options')
})

flow('the narrow navigation opens, and closes after use', async ({ page: open }) => {
  const page = await open({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.waitForTimeout(300)
  await screenshot(page, 'navigation-narrow')
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: /^Zone: / }).click()
  await page.getByRole('option', { name: zoneName }).click()
  await heading(page, zoneName)
  await page.getByRole('button', { name: 'Open navigation' }).waitFor()
})
