import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { type Front, type Fronts, frontSettings, type Sent, startFronts } from '../support/fronts.ts'
import { inForce } from '../support/in-force.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'

/**
 * Challenges as a person with a browser meets them: solved by themselves, remembered, of no use to another client.
 * They are the same at the edge and behind proxies (`test/support/fronts.ts`).
 */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none was found'
const options = { skip }
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
const attack = `/search?q=${encodeURIComponent("1' UNION SELECT password FROM users -- ")}`

let sluice: Instance
let browser: Browser | undefined
let fronts: Fronts

before(async () => {
  if (skip) return
  const settings = await frontSettings()
  sluice = await startSluice({ settings: { ...settings, SLUICE_CRS: testCrs } })
  browser = await launchBrowser()
  const [localhost] = (await api(sluice, 'GET', '/zones')).result
  const made = await api(sluice, 'POST', '/zones', {
    name: 'other.test',
    account: { id: localhost.account.id },
    origin: localhost.origin,
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  for (const zone of [localhost, made.result]) await challengeOn(zone.id)
  fronts = await startFronts(sluice, settings, { host: 'localhost', origin: localhost.origin.url })
  await inForce(sluice)
})

after(async () => {
  if (skip) return
  await fronts.close()
  await browser?.close()
  await discard(sluice)
})

async function challengeOn(zoneId: string): Promise<void> {
  const put = (phase: string, rules: unknown) =>
    api(sluice, 'PUT', `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, { rules })
  const answers = [
    await put('http_request_firewall_custom', [
      { action: 'managed_challenge', expression: 'http.request.uri.path eq "/login"' },
      { action: 'challenge', expression: 'http.request.uri.path eq "/"' },
      { action: 'block', expression: 'http.request.uri.path eq "/blocked"' },
    ]),
    await put('http_request_firewall_managed', [
      {
        action: 'execute',
        expression: 'true',
        action_parameters: {
          id: owasp,
          overrides: {
            categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
            rules: [{ id: lastRule, score_threshold: 5, action: 'managed_challenge' }],
          },
        },
      },
    ]),
  ]
  for (const { status, errors } of answers) assert.equal(status, 200, JSON.stringify(errors))
}

interface Visit {
  readonly front: Front
  readonly page: Page
  readonly context: BrowserContext
  /** Status and path of each response that the browser received: `403 /login`. */
  readonly answers: readonly string[]
  /** The address of a path at the front. */
  at(path: string, host?: string): string
}

/** A separate visitor of each front. */
async function visits(t: TestContext, check: (visit: Visit) => Promise<void>): Promise<void> {
  if (browser === undefined) return t.skip('no Chromium starts here')
  const chromium = browser
  await fronts.each(async front => {
    const context = await chromium.newContext({ ignoreHTTPSErrors: true })
    const answers: string[] = []
    context.on('response', response => {
      const { pathname } = new URL(response.url())
      if (pathname !== '/favicon.ico') answers.push(`${response.status()} ${pathname}`)
    })
    const at = (path: string, host = 'localhost') => `${front.scheme}://${host}:${front.port}${path}`
    await check({ front, context, answers, at, page: await context.newPage() })
    await context.close()
  })
}

test('a browser solves the challenge of a custom rule by itself and is then let through', options, t =>
  visits(t, async ({ front, context, page, answers, at }) => {
    await page.goto(at('/login'))
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    assert.deepEqual(answers, ['403 /login', '200 /.sluice/challenge', '200 /login'])
    await page.reload()
    assert.equal(answers.at(-1), '200 /login')

    const [cookie] = await context.cookies()
    assert.equal(cookie?.name, 'cf_clearance')
    assert.equal(cookie.httpOnly, true)
    assert.equal(cookie.sameSite, 'Lax')
    const mine = {
      'user-agent': await page.evaluate<string>('navigator.userAgent'),
      cookie: `cf_clearance=${cookie.value}`,
    }
    const rows: readonly [name: string, status: number, sent: Sent][] = [
      ['the same client', 200, { headers: mine }],
      ['another browser', 403, { headers: { ...mine, 'user-agent': 'Mozilla/5.0 (another)' } }],
      ['another address', 403, { headers: mine, from: '127.0.0.2' }],
      ['another zone', 403, { headers: mine, host: 'other.test' }],
      ['a changed cookie', 403, { headers: { ...mine, cookie: `${mine.cookie}A` } }],
      ['no cookie', 403, { headers: { 'user-agent': mine['user-agent'] } }],
    ]
    for (const [name, status, sent] of rows)
      assert.equal((await front.send('/login', { from: '127.0.0.1', ...sent })).status, status, name)
  }),
)

test('the challenge of the OWASP ruleset: the search is shown, and block still blocks', options, t =>
  visits(t, async ({ page, answers, at }) => {
    await page.goto(at('/search?q=kettle', 'other.test'))
    assert.deepEqual(answers, ['200 /search'])
    await page.goto(at(attack, 'other.test'))
    await page.getByRole('heading', { name: 'Search' }).waitFor()
    assert.deepEqual(answers.slice(1), ['403 /search', '200 /.sluice/challenge', '200 /search'])
    assert.equal(await page.getByLabel('Product').inputValue(), "1' UNION SELECT password FROM users -- ")
    await page.goto(at('/blocked', 'other.test'))
    assert.equal(await page.getByRole('heading').textContent(), 'This request was blocked')
  }),
)

test('a form that was challenged is sent again with what was typed', options, t =>
  visits(t, async ({ page, answers, at }) => {
    await page.goto(at('/comments', 'other.test'))
    await page.getByLabel('Name').fill('Bob')
    await page.getByLabel('Comment').fill("1' UNION SELECT password FROM users -- ")
    await page.getByRole('button').click()
    await page.getByText('Thank you, Bob').waitFor()
    assert.equal(await page.locator('blockquote').textContent(), "1' UNION SELECT password FROM users -- ")
    assert.deepEqual(answers, ['200 /comments', '403 /comments', '200 /.sluice/challenge', '200 /comments'])
  }),
)

test('an interactive challenge waits for its button, which has the focus', options, t =>
  visits(t, async ({ page, answers, at }) => {
    await page.goto(at('/'))
    const button = page.getByRole('button', { name: 'Continue' })
    await button.waitFor()
    assert.equal(await page.evaluate<string>('document.activeElement.id'), 'sluice-go')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sample shop' }).waitFor()
    assert.deepEqual(answers, ['403 /', '200 /.sluice/challenge', '200 /'])
  }),
)

test('a browser without cookies is told so instead of being sent round', options, t =>
  visits(t, async ({ page, answers, at }) => {
    await page.addInitScript('Object.defineProperty(navigator, "cookieEnabled", { value: false })')
    await page.goto(at('/login'))
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    assert.match((await page.getByRole('status').textContent()) ?? '', /Cookies are disabled/)
    assert.deepEqual(answers, ['403 /login'])
  }),
)

test('clients without scripts get 403, as a page or as JSON', options, () =>
  fronts.each(async ({ send }) => {
    const html = await send('/login')
    assert.equal(html.status, 403)
    assert.equal(html.headers['cf-mitigated'], 'challenge')
    assert.match(html.headers['content-type']!, /^text\/html/)
    assert.match(html.text, /needs JavaScript/)
    for (const path of ['/login', attack]) {
      const json = await send(path, { headers: { accept: 'application/json' } })
      assert.equal(json.status, 403)
      assert.equal(json.headers['cf-mitigated'], 'challenge')
      assert.match(json.headers['content-type']!, /^application\/json/)
      assert.equal(JSON.parse(json.text).error, 'managed_challenge')
    }
  }),
)

test('a challenge is solved on the page of the account', options, async t => {
  const html = '<!doctype html><title>Ours</title><h1>One moment at ours</h1>::CAPTCHA_BOX::<p>::RAY_ID::'
  const pages = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end(html),
  )
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const set = await api(sluice, 'PUT', `/accounts/${account.id}/custom_pages/basic_challenge`, {
    state: 'customized',
    url: `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`,
  })
  assert.equal(set.status, 200, JSON.stringify(set.errors))
  // The edge does not fetch it.
  await new Promise(resolve => pages.close(resolve))
  await visits(t, async ({ front, page, answers, at }) => {
    await eventually(async () => assert.match((await front.send('/')).text, /at ours.*<p>[0-9a-f]{16}$/s))
    await page.goto(at('/'))
    assert.equal(await page.getByRole('heading').textContent(), 'One moment at ours')
    await page.getByRole('button', { name: 'Continue' }).press('Enter')
    await page.getByRole('heading', { name: 'Sample shop' }).waitFor()
    assert.deepEqual(answers, ['403 /', '200 /.sluice/challenge', '200 /'])
  })
})
