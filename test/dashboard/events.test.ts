import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { newMatchedDataKeys } from '../../src/kit/matched-data.ts'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { answersWith, nameOfFocus, putRules, storedRules, tabTo } from './rules-support.ts'
import { type DashboardTest, flows } from './support.ts'

/** Security events, and the tasks that start from them. */
const flow = flows()

const phase = 'http_request_firewall_managed'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
const injection = encodeURIComponent("1' or '1'='1' --")
const harmless = `/search?q=${injection}`
const keys = await newMatchedDataKeys()

const deployed = {
  action: 'execute',
  expression: 'true',
  description: 'OWASP',
  action_parameters: {
    id: owasp,
    matched_data: { public_key: keys.publicKey },
    overrides: {
      categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
      rules: [{ id: lastRule, score_threshold: 5 }],
    },
  },
}

const eventsPath = ({ zoneId }: DashboardTest, query = '') => `/zones/${zoneId}/events${query}`
const table = (page: Page) => page.getByRole('grid', { name: 'Events, newest first' })

/** Waits until analytics have this many events of a kind, which takes a moment. */
async function untilEvents({ sluice, zoneId }: DashboardTest, query: string, count: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { result } = await api(sluice, 'GET', `/zones/${zoneId}/security/events?limit=1000&${query}`)
    if (result.length >= count) return
    assert.ok(tries < 150, `${result.length} events of ${query} and not ${count}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

async function openEvents(it: DashboardTest, query = ''): Promise<Page> {
  const page = await it.page({ path: eventsPath(it, query) })
  page.setDefaultTimeout(20_000)
  return page
}

flow('the empty page shows the first event as soon as it arrives', async it => {
  await putRules(it, phase, [deployed])
  const page = await openEvents(it)
  await page.getByRole('heading', { name: 'No events in this period' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'events-empty')
  await answersWith(it, harmless, 403)
  await table(page).getByText(harmless).first().waitFor()
})

flow('a path filters every list, and outdated figures are dimmed', async it => {
  await answersWith(it, harmless, 403)
  await untilEvents(it, 'path=/search', 1)
  const page = await openEvents(it)
  const rules = page.getByRole('region', { name: 'Matched rules' })
  await rules.getByRole('button', { name: /942100/ }).waitFor()
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/security/top?*path=*', async route => {
    await asked
    await route.continue()
  })
  try {
    await page
      .getByRole('region', { name: 'Paths' })
      .getByRole('button', { name: /\/search/ })
      .click()
    await rules.locator('[data-stale="true"][aria-busy="true"]').waitFor()
    await screenshot(page, 'events-stale')
  } finally {
    answer()
  }
  await rules
    .locator('[data-stale="false"]')
    .getByRole('button', { name: /942100/ })
    .waitFor()
})

flow('an attack is found, explained, decrypted and excepted, and the next request passes', async it => {
  const blocked = await it.visit(harmless)
  assert.equal(blocked.status, 403)
  const rayId = (blocked.headers.get('ray-id') ?? blocked.headers.get('cf-ray') ?? '').slice(0, 16)
  await untilEvents(it, `ray_id=${rayId}`, 1)
  const page = await openEvents(it, `?ray_id=${rayId}`)
  await page.getByText('1 event', { exact: true }).waitFor()
  await table(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /\d+ rules? matched: score \d+, threshold 5$/ }).waitFor()
  const matched = page.getByRole('list', { name: 'Matched rules' })
  const sqli = matched.getByRole('listitem').filter({ hasText: '942100' })
  await eventually(async () => assert.match((await sqli.textContent()) ?? '', /in ARGS:q\+5\d+ of 5/))

  await page.getByLabel('Private key').fill((await newMatchedDataKeys()).privateKey)
  await page.getByRole('button', { name: 'Decrypt' }).click()
  await page.getByText('Wrong key, or the payload was modified').waitFor()
  await page.getByLabel('Private key').fill(keys.privateKey)
  await page.getByRole('button', { name: 'Decrypt' }).click()
  await sqli.getByText("1' or '1'='1' --").waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'events-details')

  await page.getByRole('button', { name: 'Create exception…' }).click()
  const drawer = page.getByRole('dialog', { name: 'Create exception' })
  const preview = drawer.getByRole('region', { name: 'Effect on recorded events' })
  await preview
    .getByText(/→ 0 of 5/)
    .first()
    .waitFor()
  for (const name of ['with the host shop.test', 'with the path /search', 'with the method GET'])
    await eventually(async () => assert.ok(await drawer.getByRole('checkbox', { name }).isChecked(), name))
  await eventually(async () => assert.ok(await drawer.getByRole('checkbox', { name: /^942100/ }).isChecked()))
  await drawer.getByText(', allowed.').waitFor()
  await drawer.getByRole('checkbox', { name: 'with the method GET' }).uncheck()
  await drawer.getByRole('button', { name: 'In 30 days' }).click()
  await preview
    .getByText(/→ 0 of 5/)
    .first()
    .waitFor()
  await drawer.getByRole('button', { name: /^. API call$/ }).click()
  await drawer.getByText('If-Match').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'events-exception')
  await drawer.getByRole('button', { name: 'Deploy', exact: true }).click()
  await page.getByText('Exception deployed').waitFor()

  const [exception, execute] = await storedRules(it, phase)
  assert.equal(execute?.action, 'execute', 'the exception precedes the ruleset')
  assert.match(
    exception?.expression ?? '',
    /^\(http\.host eq "shop\.test" and http\.request\.uri\.path eq "\/search"\) and http\.request\.timestamp\.sec lt \d+$/,
  )
  const { targets } = exception!.action_parameters as { targets: { collection: string; key: string }[] }
  assert.ok(
    targets.length > 0 && targets.every(({ collection, key }) => collection === 'ARGS' && key === 'q'),
  )
  await answersWith(it, harmless, 200)
  assert.equal((await it.visit(`/search?other=${injection}`)).status, 403)
  assert.equal((await it.visit(`/elsewhere?q=${injection}`)).status, 403)
})

flow('changes of another user are not overwritten', async it => {
  await putRules(it, phase, [deployed])
  await answersWith(it, `/race?q=${injection}`, 403)
  await untilEvents(it, 'path=/race', 1)
  const page = await openEvents(it, '?path=/race')
  await table(page)
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Create exception…' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Create exception' })
  await drawer
    .getByText(/→ 0 of 5/)
    .first()
    .waitFor()
  await putRules(it, phase, [{ ...deployed, description: 'Of another user' }])
  const deploy = drawer.getByRole('button', { name: 'Deploy', exact: true })
  await deploy.click()
  await drawer.getByText('Rules changed by someone else').waitFor()
  await deploy.click()
  await page.getByText('Exception deployed').waitFor()
  const [exception, execute] = await storedRules(it, phase)
  assert.deepEqual([exception?.action, execute?.description], ['skip', 'Of another user'])
})

flow('the legend and the lists filter, and the address keeps the filter', async it => {
  await putRules(it, phase, [deployed])
  await answersWith(it, `/one?q=${injection}`, 403)
  await it.visit(`/two?q=${injection}`)
  await untilEvents(it, 'path=/two', 1)
  const page = await openEvents(it, '?range=1h')
  const legend = page.getByRole('list', { name: /^Legend/ })
  await legend.getByRole('button', { name: /^Block/ }).click()
  await page.waitForURL(/action=block/)
  await page.getByRole('img', { name: /^Events over time: Block \d+$/ }).waitFor()
  await page.getByLabel('Group by').selectOption({ label: 'Path' })
  await legend.getByRole('button', { name: /^\/two/ }).click()
  await page.waitForURL(/path=%2Ftwo/)
  await table(page).getByText('/one').first().waitFor({ state: 'detached' })
  assert.deepEqual(await axeViolations(page), [])
  await page.reload()
  await page.getByText('Path: /two').waitFor()
  await page.getByRole('button', { name: 'Remove filter Path: /two' }).click()
  await table(page).getByText('/one').first().waitFor()
  for (const title of ['Matched rules', 'Clients', 'Countries', 'User agents', 'Hosts']) {
    const value = page.getByRole('region', { name: title }).getByRole('button').first()
    await value.click()
    await page.getByRole('region', { name: title }).getByRole('button', { pressed: true }).waitFor()
  }
  await table(page).getByText('/one').first().waitFor()
  await page.getByRole('button', { name: 'Remove all' }).click()
  await page.waitForURL(url => !url.search.includes('user_agent'))

  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Field').selectOption({ label: 'Country' })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Enter a value').waitFor()
  await page.getByLabel('equals').fill('NZ')
  await page.keyboard.press('Enter')
  await page.getByText('No matching events in this period').waitFor()
})

flow('a Ray ID leads to every phase and rule of its request', async it => {
  const answer = await answersWith(it, `/why?q=${injection}`, 403)
  const rayId = (answer.headers.get('ray-id') ?? answer.headers.get('cf-ray') ?? '').slice(0, 16)
  const passed = await it.visit('/plain')
  const passedId = (passed.headers.get('ray-id') ?? passed.headers.get('cf-ray') ?? '').slice(0, 16)
  await untilEvents(it, `ray_id=${rayId}`, 1)
  const page = await openEvents(it)
  const field = page.getByLabel('Ray ID of a request')
  await field.fill('not one')
  await field.press('Enter')
  await page.getByText('A Ray ID has 16 hexadecimal digits').waitFor()
  await field.fill(`${rayId.toUpperCase()}-AKL`)
  await field.press('Enter')
  const why = page.getByRole('dialog', { name: `Ray ID ${rayId}` })
  await why.getByRole('list', { name: 'Matched rules' }).getByText('942100').waitFor()
  const phases = await why.getByRole('heading', { level: 3 }).allTextContents()
  assert.deepEqual(phases.slice(1, 4), ['2. Custom rules', '3. Rate limiting rules', '4. Managed rules'])
  await eventually(async () => assert.equal(await why.getByText('Ended the request').count(), 1))
  await eventually(async () => assert.equal(await why.getByText('Not reached').count(), 1))
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'events-why')
  await page.keyboard.press('Escape')
  await why.waitFor({ state: 'detached' })
  // Requests without any match work too.
  await page.goto(`${page.url().split('?')[0]}?why=${passedId}`)
  await page.getByText('No match', { exact: true }).first().waitFor()
  await page.goto(`${page.url().split('?')[0]}?why=${'0'.repeat(16)}`)
  await page.getByText('No data for this Ray ID').waitFor()
})

flow('an export has every event, as JSON and as CSV', async it => {
  for (let n = 0; n < 30; n++) await it.visit(`/export/${n}?q=${injection}`)
  await untilEvents(it, '', 30)
  await untilEvents(it, 'path=/export/29', 1)
  const { result } = await api(it.sluice, 'GET', `/zones/${it.zoneId}/security/events?limit=1000`)
  const ids = result.map(({ id }: { id: string }) => id)
  const page = await openEvents(it)
  await page.getByRole('button', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export events' })
  assert.deepEqual(await axeViolations(page), [])
  const save = async () => {
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save as file' }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const json = await save()
  assert.match(json.name, /^events-shop\.test-.*\.ndjson$/)
  await dialog.getByText(`${ids.length} events, `).waitFor()
  const lines = json.text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ id }) => id),
    ids,
  )
  await screenshot(page, 'events-export')
  await dialog.getByRole('radio', { name: 'CSV' }).check()
  const csv = await save()
  assert.match(csv.name, /\.csv$/)
  assert.equal(csv.text.trimEnd().split('\r\n').length, ids.length + 1)
})

flow('the keyboard reaches a row, enters its details and leaves them', async it => {
  const page = await openEvents(it, '?path=/export/1')
  await page.getByText('1 event', { exact: true }).waitFor()
  await tabTo(page, 'Events, newest first')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Create exception…')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Create exception' })
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await nameOfFocus(page), 'Create exception…'))
  await page.keyboard.press('Escape')
  await eventually(async () => assert.equal(await nameOfFocus(page), 'Events, newest first'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Create exception…' }).waitFor({ state: 'detached' })
})

flow('a thousand events scroll like ten', async it => {
  await putRules(it, phase, [deployed])
  const path = `/many?q=${injection}`
  await answersWith(it, path, 403)
  for (let sent = 1; sent < 1250; sent += 50)
    await Promise.all(Array.from({ length: Math.min(50, 1250 - sent) }, () => it.visit(path)))
  await eventually(async () => {
    const query = `/zones/${it.zoneId}/security/events?path=/many&limit=1000`
    const { result_info } = await api(it.sluice, 'GET', query)
    const { result } = await api(it.sluice, 'GET', `${query}&cursor=${result_info.cursor}`)
    assert.ok(result.length >= 250)
  })
  const page = await openEvents(it, '?range=1h&path=%2Fmany')
  await page.getByText('Newest 200 events; scroll for more').waitFor()
  await table(page).press('End')
  await page.getByText('Newest 1,200 events; scroll for more').waitFor()
  await table(page).press('End')
  await page.getByText(/^1,2\d\d events$/).waitFor()
  await eventually(async () => assert.ok((await table(page).getByRole('row').count()) < 80))
})

flow('a token without Logs Read sees the missing permission', async it => {
  const groups = (await api(it.sluice, 'GET', '/user/tokens/permission_groups')).result
  const { id } = groups.find(({ name }: { name: string }) => name === 'Zone Read')
  const resources = {
    [`com.cloudflare.api.account.${it.accountId}`]: { 'com.cloudflare.api.account.zone.*': '*' },
  }
  const made = await api(it.sluice, 'POST', '/user/tokens', {
    name: 'no logs',
    policies: [{ effect: 'allow', permission_groups: [{ id }], resources }],
  })
  const page = await it.page({ path: eventsPath(it), token: made.result.value })
  await page.getByText('No permission to view events').waitFor()
  await page.getByText('“Logs Read” on this zone').waitFor()
})

flow('the page is accessible and fits in every look', async it => {
  const page = await it.page({ path: eventsPath(it, '?range=1h') })
  await page.getByRole('list', { name: /^Legend/ }).waitFor()
  await page.getByRole('img', { name: /^Events over time/ }).waitFor()
  await table(page)
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Create exception…' }).waitFor()
  await looksWell(page, 'events')
  await page.getByRole('button', { name: 'Create exception…' }).click()
  await page.getByText('events since').waitFor()
  await looksWell(page, 'events-exception')
})
