import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'

/** Challenges as a person with a browser meets them: solved by themselves, remembered, of no use to anybody else. */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none could be had'
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f'
const lastRule = '6179ae15870a4bb7b2d480d4843b323c'
const attack = `/search?q=${encodeURIComponent("1' UNION SELECT password FROM users -- ")}`

let sluice: Instance
let browser: Browser | undefined

before(async () => {
  if (skip) return
  sluice = await startSluice({ settings: { SLUICE_CRS: testCrs } })
  browser = await launchBrowser()
  const [localhost] = (await api(sluice, 'GET', '/zones')).result
  const made = await api(sluice, 'POST', '/zones', {
    name: 'other.test',
    account: { id: localhost.account.id },
    origin: localhost.origin,
  })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  for (const zone of [localhost, made.result]) await challengeOn(zone.id)
  await inForce(sluice)
})

after(async () => {
  if (skip) return
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

/** A separate visitor for a test, with the answers that the browser received: `403 /login`. */
async function visitor(t: TestContext): Promise<{ context: BrowserContext; answers: string[] } | undefined> {
  if (browser === undefined) {
    t.skip('no Chromium starts here')
    return undefined
  }
  const context = await browser.newContext()
  t.after(() => context.close())
  const answers: string[] = []
  context.on('response', response => {
    const { pathname } = new URL(response.url())
    if (pathname !== '/favicon.ico') answers.push(`${response.status()} ${pathname}`)
  })
  return { context, answers }
}

interface Sent {
  readonly path?: string
  readonly host?: string
  readonly localAddress?: string
  readonly headers?: { readonly [name: string]: string }
}

/** A client that runs no script. */
function plain(sent: Sent): Promise<{ status: number; mitigated: unknown; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const { path = '/login', host = 'localhost', localAddress = '127.0.0.1', headers = {} } = sent
    const options = { host: '127.0.0.1', port: sluice.edgePort, localAddress, path, agent: false }
    const outgoing = request({ ...options, headers: { host, accept: '*/*', ...headers } }, async answer => {
      const text = (await buffer(answer)).toString()
      const type = answer.headers['content-type'] ?? ''
      resolve({ status: answer.statusCode!, mitigated: answer.headers['cf-mitigated'], type, text })
    })
    outgoing.on('error', reject).end()
  })
}

test('a browser solves the challenge of a custom rule by itself and is then let through', {
  skip,
}, async t => {
  const visit = await visitor(t)
  if (visit === undefined) return
  const { context, answers } = visit
  const page = await context.newPage()
  await page.goto(`http://localhost:${sluice.edgePort}/login`)
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
    ['another address', 403, { headers: mine, localAddress: '127.0.0.2' }],
    ['another zone', 403, { headers: mine, host: 'other.test' }],
    ['a changed cookie', 403, { headers: { ...mine, cookie: `${mine.cookie}A` } }],
    ['no cookie', 403, { headers: { 'user-agent': mine['user-agent'] } }],
  ]
  for (const [name, status, sent] of rows) assert.equal((await plain(sent)).status, status, name)
})

test('the challenge of the OWASP ruleset: the search is shown, and block still blocks', { skip }, async t => {
  const visit = await visitor(t)
  if (visit === undefined) return
  const { context, answers } = visit
  const page = await context.newPage()
  await page.goto(`http://other.test:${sluice.edgePort}/search?q=kettle`)
  assert.deepEqual(answers, ['200 /search'])
  await page.goto(`http://other.test:${sluice.edgePort}${attack}`)
  await page.getByRole('heading', { name: 'Search' }).waitFor()
  assert.deepEqual(answers.slice(1), ['403 /search', '200 /.sluice/challenge', '200 /search'])
  assert.equal(await page.getByLabel('Product').inputValue(), "1' UNION SELECT password FROM users -- ")
  await page.goto(`http://other.test:${sluice.edgePort}/blocked`)
  assert.equal(await page.getByRole('heading').textContent(), 'This request was blocked')
})

test('a form that was challenged is sent again with what was typed', { skip }, async t => {
  const visit = await visitor(t)
  if (visit === undefined) return
  const page = await visit.context.newPage()
  await page.goto(`http://other.test:${sluice.edgePort}/comments`)
  await page.getByLabel('Name').fill('Bob')
  await page.getByLabel('Comment').fill("1' UNION SELECT password FROM users -- ")
  await page.getByRole('button').click()
  await page.getByText('Thank you, Bob').waitFor()
  assert.equal(await page.locator('blockquote').textContent(), "1' UNION SELECT password FROM users -- ")
  assert.deepEqual(visit.answers, [
    '200 /comments',
    '403 /comments',
    '200 /.sluice/challenge',
    '200 /comments',
  ])
})

test('an interactive challenge waits for its button, which has the focus', { skip }, async t => {
  const visit = await visitor(t)
  if (visit === undefined) return
  const page = await visit.context.newPage()
  await page.goto(`http://localhost:${sluice.edgePort}/`)
  const button = page.getByRole('button', { name: 'Continue' })
  await button.waitFor()
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'sluice-go')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sample shop' }).waitFor()
  assert.deepEqual(visit.answers, ['403 /', '200 /.sluice/challenge', '200 /'])
})

test('a browser without cookies is told so instead of being sent round', { skip }, async t => {
  const visit = await visitor(t)
  if (visit === undefined) return
  const page = await visit.context.newPage()
  await page.addInitScript('Object.defineProperty(navigator, "cookieEnabled", { value: false })')
  await page.goto(`http://localhost:${sluice.edgePort}/login`)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  assert.match((await page.getByRole('status').textContent()) ?? '', /Cookies are disabled/)
  assert.deepEqual(visit.answers, ['403 /login'])
})

test('clients without scripts get 403, as a page or as JSON', { skip }, async () => {
  const html = await plain({})
  assert.equal(html.status, 403)
  assert.equal(html.mitigated, 'challenge')
  assert.match(html.type, /^text\/html/)
  assert.match(html.text, /needs JavaScript/)
  for (const path of ['/login', attack]) {
    const json = await plain({ path, headers: { accept: 'application/json' } })
    assert.equal(json.status, 403)
    assert.equal(json.mitigated, 'challenge')
    assert.match(json.type, /^application\/json/)
    assert.equal(JSON.parse(json.text).error, 'managed_challenge')
  }
})

test('a challenge is solved on the page of the account', { skip }, async t => {
  const visit = await visitor(t)
  if (visit === undefined) return
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
  await eventually(async () => assert.match((await plain({ path: '/' })).text, /at ours.*<p>[0-9a-f]{16}$/s))
  const page = await visit.context.newPage()
  await page.goto(`http://localhost:${sluice.edgePort}/`)
  assert.equal(await page.getByRole('heading').textContent(), 'One moment at ours')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByRole('heading', { name: 'Sample shop' }).waitFor()
  assert.deepEqual(visit.answers, ['403 /', '200 /.sluice/challenge', '200 /'])
})
