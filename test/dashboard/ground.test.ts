import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { putRules } from './rules-support.ts'
import { axeViolations, flows, looks, screenshot, zoneName } from './support.ts'

/** Signing in, the overview, adding a zone and the home of a zone, as a person meets them. */
const flow = flows()

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

flow(
  'somebody signs in with the keyboard, and is where they wanted to be',
  async ({ page: open, sluice, zoneId }) => {
    const page = await open({ path: `/zones/${zoneId}`, token: false })
    await heading(page, 'Sign in')
    await page.keyboard.type('no-such-token-0123456789')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'does not know this token' }).waitFor()
    await page.getByLabel('Token', { exact: true }).fill(sluice.token)
    await page.keyboard.press('Enter')
    await heading(page, zoneName)
    // Not kept: a reload ends it.
    await page.reload()
    await heading(page, 'Sign in')
    await page.getByLabel('Token', { exact: true }).fill(sluice.token)
    await page.getByLabel('Keep me signed in in this tab').check()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, zoneName)
    await page.reload()
    await heading(page, zoneName)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    assert.equal(await page.evaluate(() => sessionStorage.getItem('sluice.session')), null)
  },
)

flow('what the token may not do is disabled and says why', async ({ page: open, sluice, zoneId }) => {
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
  const add = page.getByRole('button', { name: 'Add a zone' })
  await page.waitForFunction(() => document.querySelector('button[aria-disabled=true]') !== null)
  await add.click({ force: true })
  await eventually(async () => assert.equal(await page.getByRole('dialog').count(), 0))
  await add.focus()
  await page.getByRole('tooltip').filter({ hasText: 'lacks “Zone Write” on all zones' }).waitFor()
  await page.getByText('Needs Account WAF Read').waitFor()
  // Two figures of traffic, and the delivery of the account.
  await eventually(async () =>
    assert.equal(await page.getByText('Needs Logs Read on the account').count(), 3),
  )
  await page.getByRole('grid', { name: 'Zones' }).getByRole('link', { name: zoneName }).click()
  await page.locator('button[aria-disabled=true]', { hasText: 'Delete the zone' }).waitFor()
  await eventually(async () => assert.ok(await page.getByRole('switch', { name: 'Paused' }).isDisabled()))
  await page.getByRole('link', { name: 'Live' }).click()
  await page.getByText('lacks “Logs Read” on this zone').waitFor()
})

flow('a zone is added, its origin looked for, and the commands shown work', async test => {
  const page = await test.page()
  await page.getByRole('button', { name: 'Add a zone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Domain').fill('new.test')
  await dialog.getByRole('textbox', { name: 'Origin' }).fill('127.0.0.1:9')
  await dialog.getByRole('button', { name: 'Add the zone' }).click()
  await dialog.getByText('refuses connections').waitFor()
  await dialog.getByRole('button', { name: 'Add it all the same' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await screenshot(page, 'add-zone-origin-away')
  await dialog.getByRole('textbox', { name: 'Origin' }).fill(test.origin.url.replace('http://', ''))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('The origin is there: it answers with status 200.').waitFor()
  await dialog.getByRole('button', { name: 'Add the zone' }).click()
  await page.getByRole('dialog', { name: 'new.test is added' }).waitFor()
  await page.waitForTimeout(300)
  await screenshot(page, 'zone-added')
  assert.deepEqual(await axeViolations(page), [])
  const requested = async (what: string) => {
    const command = await page.getByRole('region', { name: what }).textContent()
    const [, host, path] = /-H 'Host: ([^']+)' 'http:\/\/[^/]+([^']+)'/.exec(command!)!
    return (await test.origin.through(test.sluice.edgePort, host!, path!)).status
  }
  await eventually(async () => assert.equal(await requested('the request'), 200))
  await eventually(async () => assert.equal(await requested('the attack'), 403))
  await page.getByText('which the rules of the zone block (status 403):').waitFor()
  await page.getByRole('button', { name: 'Copy the attack' }).hover()
  await page.getByRole('dialog').getByRole('tooltip').waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.getByRole('button', { name: 'Copy the attack' }).click()
  await eventually(async () =>
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl -i -H 'Host: new\.test' /),
  )
  await page.getByRole('link', { name: 'Go to the zone' }).click()
  await heading(page, 'new.test')
  await page.getByText('PL4, Block').waitFor()
})

flow('the commands say what becomes of the attack', async it => {
  const last = '6179ae15870a4bb7b2d480d4843b323c'
  const rows = [
    ['managed_challenge', 'which the rules of the zone answer with a challenge (status 403):'],
    ['log', 'which the rules of the zone log and let go on to the origin:'],
    [undefined, 'which no rule of the zone stops: the origin answers it, too:'],
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
    // A page that is open does not ask again about what is stopped already.
    await eventually(async () => {
      await page.reload()
      await page.getByText(text).waitFor({ timeout: 2000 })
    })
  }
  // Rules count an address in the Host header as suspicious, so that the name is in it everywhere.
  const [demo] = (await api(it.sluice, 'GET', '/zones?name=localhost')).result
  await page.goto(page.url().replace(it.zoneId, demo.id))
  await page.getByText("curl -i -H 'Host: localhost' 'http://").first().waitFor()
})

flow('a name that is taken is said at its field', async ({ page: open, origin }) => {
  const page = await open({ path: '/?add=zone' })
  await page.getByLabel('Domain').fill(zoneName)
  await page.getByRole('textbox', { name: 'Origin' }).fill(origin.url)
  await page.getByRole('button', { name: 'Add the zone' }).click()
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

flow('ten thousand zones scroll like ten', async ({ page: open, sluice, zoneId }) => {
  const total = 10_000
  const { result: zone } = await api(sluice, 'GET', `/zones/${zoneId}`)
  const page = await open({ token: false })
  await page.route(/\/client\/v4\/zones\?/, async route => {
    const number = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
    const result = Array.from({ length: 50 }, (_, i) => {
      const n = (number - 1) * 50 + i
      return { ...zone, id: n.toString(16).padStart(32, '0'), name: `zone-${n}.test` }
    })
    const result_info = { page: number, per_page: 50, count: 50, total_count: total, total_pages: total / 50 }
    await route.fulfill({ json: { result, success: true, errors: [], messages: [], result_info } })
  })
  await page.getByLabel('Token', { exact: true }).fill(sluice.token)
  await page.keyboard.press('Enter')
  await page.getByText('10,000 zones').waitFor()
  const grid = page.getByRole('grid', { name: 'Zones' })
  await eventually(async () => assert.equal(await grid.getAttribute('aria-rowcount'), '10001'))
  await grid.focus()
  for (let reached = 0; reached < 500; ) {
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

flow(
  'a zone is paused, gets another origin and is deleted',
  async ({ page: open, sluice, accountId, origin }) => {
    const made = await api(sluice, 'POST', '/zones', {
      name: 'old.test',
      account: { id: accountId },
      origin: { url: 'http://127.0.0.1:9' },
    })
    const page = await open({ path: `/zones/${made.result.id}` })
    await page.getByText('Deploy it').waitFor()
    await page.getByRole('switch', { name: 'Paused' }).click({ force: true })
    await page.getByText('old.test is paused').waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('textbox', { name: 'Origin' }).fill(origin.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The origin is changed').waitFor()
    const after = (await api(sluice, 'GET', `/zones/${made.result.id}`)).result
    assert.deepEqual([after.paused, after.origin.url], [true, origin.url])
    await page.getByRole('button', { name: 'Delete the zone' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the zone' }).click()
    await heading(page, 'Overview')
    assert.equal((await api(sluice, 'GET', `/zones/${made.result.id}`)).status, 404)
  },
)

flow('every screen is sound in light and dark and on a telephone', async test => {
  const screens = [
    { name: 'sign-in', path: '/sign-in', token: false, title: 'Sign in' },
    { name: 'overview', path: '/', title: 'Overview' },
    { name: 'zone', path: `/zones/${test.zoneId}`, title: zoneName },
    { name: 'nowhere', path: '/nowhere/at/all', title: undefined },
  ] as const
  for (const look of looks)
    for (const { name, title, ...where } of screens) {
      const page = await test.page({ ...look, ...where })
      if (title !== undefined) await heading(page, title)
      await page.waitForLoadState('networkidle')
      await screenshot(page, `${name}-${look.name}`)
      assert.deepEqual(await axeViolations(page), [], `${name}, ${look.name}`)
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(tooWide <= 0, `${name}, ${look.name}: ${tooWide} pixels wider than the window`)
    }
})

flow('what opens above a page is in a part of it', async it => {
  const page = await it.page({ path: '/try' })
  await page.getByRole('button', { name: 'Examples' }).click()
  await page.getByRole('menuitem').first().waitFor()
  assert.deepEqual(await axeViolations(page), [], 'a menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Zone: / }).click()
  await page.getByRole('option', { name: zoneName }).waitFor()
  assert.deepEqual(await axeViolations(page), [], 'options')
})

flow('the navigation of a telephone opens, and closes behind who used it', async ({ page: open }) => {
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
