import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { LocalRateCounters, newRateMemory } from '../../bus/index.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { MitigatingAction } from '../../rulesets/plan/plan.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
import { eventually, planFor, rule, startEdge, startOrigin, zoneId } from '../testing/fixture.ts'
import { checkClearance, issueClearance } from './clearance.ts'
import { checkSolution, leadingZeroBits, makePuzzle } from './proof-of-work.ts'
import { solverScript } from './solver-script.ts'

const holder = { zoneId, clientIp: '192.0.2.1', userAgent: 'Browser' }

function solve(token: string, bits: number): string {
  for (let number = 0; ; number++) {
    if (leadingZeroBits(createHash('sha256').update(`${token}.${number}`).digest()) >= bits)
      return String(number)
  }
}

function wrong(token: string, bits: number): string {
  for (let number = 0; ; number++) {
    if (leadingZeroBits(createHash('sha256').update(`${token}.${number}`).digest()) < bits)
      return String(number)
  }
}

test('solutions', () => {
  const { token } = makePuzzle('key', holder, { action: 'js_challenge', bits: 8, expiresSec: 100 })
  const number = solve(token, 8)
  const rows: readonly [name: string, ok: boolean, outcome: { ok: boolean }][] = [
    ['right', true, checkSolution('key', holder, token, number, 99)],
    ['at its end', false, checkSolution('key', holder, token, number, 100)],
    ['wrong number', false, checkSolution('key', holder, token, wrong(token, 8), 99)],
    ['no number', false, checkSolution('key', holder, token, '', 99)],
    ['other key', false, checkSolution('other', holder, token, number, 99)],
    ['other address', false, checkSolution('key', { ...holder, clientIp: '192.0.2.2' }, token, number, 99)],
    ['other browser', false, checkSolution('key', { ...holder, userAgent: 'x' }, token, number, 99)],
    ['other zone', false, checkSolution('key', { ...holder, zoneId: 'x' }, token, number, 99)],
    ['easier', false, checkSolution('key', holder, token.replace('.8.', '.0.'), number, 99)],
    ['longer', false, checkSolution('key', holder, token.replace('.100.', '.999.'), number, 99)],
    ['nothing', false, checkSolution('key', holder, '', '', 99)],
  ]
  for (const [name, ok, outcome] of rows) assert.equal(outcome.ok, ok, name)
  assert.deepEqual(checkSolution('key', holder, token, number, 99), {
    ok: true,
    action: 'js_challenge',
    expiresSec: 100,
  })
})

test('clearances', () => {
  const value = issueClearance('key', holder, 100)
  assert.equal(checkClearance('key', holder, value, 99), true)
  assert.equal(checkClearance('key', holder, value, 100), false)
  assert.equal(checkClearance('other', holder, value, 99), false)
  assert.equal(checkClearance('key', { ...holder, clientIp: '192.0.2.2' }, value, 99), false)
  assert.equal(checkClearance('key', { ...holder, userAgent: '' }, value, 99), false)
  assert.equal(checkClearance('key', { ...holder, zoneId: 'x' }, value, 99), false)
  assert.equal(checkClearance('key', holder, value.replace('100', '999'), 99), false)
  assert.equal(checkClearance('key', holder, '', 99), false)
})

/** Runs the page's script with a fake page. @returns the number that it sends */
async function runScript(token: string, bits: number, press: 'yes' | 'no'): Promise<string> {
  const button = { hidden: true, onclick: undefined as (() => void) | undefined, focus: () => {} }
  const elements: { [id: string]: object } = {
    'sluice-challenge': { dataset: { token, bits: String(bits), press } },
    'sluice-status': {},
    'sluice-go': button,
  }
  return new Promise(resolve => {
    runInNewContext(solverScript, {
      document: { getElementById: (id: string) => elements[id] },
      navigator: { cookieEnabled: true },
      sessionStorage: { getItem: () => null, setItem: () => {} },
      location: { reload: () => {} },
      fetch: (path: string, init: { body: URLSearchParams }) => {
        assert.equal(path, '/.sluice/challenge')
        assert.equal(init.body.get('token'), token)
        resolve(init.body.get('number')!)
        return Promise.resolve({ ok: true })
      },
      setTimeout,
      performance,
      TextEncoder,
      URLSearchParams,
    })
    if (press === 'yes') button.onclick!()
  })
}

for (const length of [10, 50, 51, 52, 53, 54, 62, 63, 64, 100, 118]) {
  test(`the page's script solves a token of ${length} characters`, async () => {
    const token = 'x'.repeat(length)
    assert.equal(await runScript(token, 9, 'no'), solve(token, 9))
  })
}

test('the script waits for its button', async () => {
  assert.equal(await runScript('abc', 4, 'yes'), solve('abc', 4))
})

async function challenged(
  t: TestContext,
  action: MitigatingAction,
  settings: Partial<ZoneSettings> = {},
  deps: Partial<EdgeDeps> = {},
) {
  const origin = await startOrigin(t, (_request, response) => response.end('inside'))
  const custom = [rule({ kind: 'action', action })]
  let nowMs = Date.now()
  const running = await startEdge(t, planFor(origin.url, { custom, settings }), {
    limits: { challengeBits: 6 },
    clock: { nowMs: () => nowMs },
    ...deps,
  })
  const forward = (seconds: number) => {
    nowMs += seconds * 1000
  }
  return { ...running, forward }
}

const browser = { 'user-agent': 'Mozilla/5.0 (Test)', accept: 'text/html' }

async function tokenOf(response: Response): Promise<string> {
  return /data-token="([^"]+)"/.exec(await response.text())![1]!
}

const actions: readonly {
  action: MitigatingAction
  taken: string
  solved: string
  bypassed: string
  press: string
}[] = [
  {
    action: 'managed_challenge',
    taken: 'managedChallenge',
    solved: 'managedChallengeNonInteractiveSolved',
    bypassed: 'managedChallengeBypassed',
    press: 'no',
  },
  {
    action: 'js_challenge',
    taken: 'jschallenge',
    solved: 'jschallengeSolved',
    bypassed: 'jschallengeBypassed',
    press: 'no',
  },
  {
    action: 'challenge',
    taken: 'challenge',
    solved: 'challengeSolved',
    bypassed: 'challengeBypassed',
    press: 'yes',
  },
]
for (const { action, taken, solved, bypassed, press } of actions) {
  test(`${action}: from the page to a clearance that lasts 30 minutes`, async t => {
    const { url, records, forward, edge } = await challenged(t, action)
    const page = await fetch(url, { headers: browser })
    assert.equal(page.status, 403)
    assert.equal(page.headers.get('cf-mitigated'), 'challenge')
    const policy = page.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    const text = await page.text()
    assert.ok(text.includes(`data-press="${press}"`))
    for (const tag of ['style', 'script']) {
      const content = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)![1]!
      assert.ok(
        policy.includes(`${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`),
        tag,
      )
    }
    const token = /data-token="([^"]+)"/.exec(text)![1]!
    const body = () => new URLSearchParams({ token, number: solve(token, 6) })
    const answer = await fetch(`${url}/.sluice/challenge`, { method: 'POST', body: body(), headers: browser })
    assert.equal(answer.status, 200)
    const cookie = answer.headers.get('set-cookie')!
    assert.match(cookie, /^cf_clearance=[^;]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/)
    const cleared = { ...browser, cookie: `a=b; ${cookie.split(';', 1)[0]}` }

    assert.equal(
      (await fetch(`${url}/.sluice/challenge`, { method: 'POST', body: body(), headers: browser })).status,
      403,
    )
    assert.equal(await (await fetch(url, { headers: cleared })).text(), 'inside')
    assert.equal((await fetch(url, { headers: { ...cleared, 'user-agent': 'other' } })).status, 403)
    forward(1799)
    assert.equal((await fetch(url, { headers: cleared })).status, 200)
    forward(1)
    assert.equal((await fetch(url, { headers: cleared })).status, 403)

    await eventually(() => records.length === 7)
    assert.deepEqual(
      records.map(record => (record['SecurityActions'] as string[])[0]),
      [taken, solved, undefined, bypassed, taken, bypassed, taken],
    )
    assert.equal(records[0]!['SecurityAction'], taken)
    assert.equal(records[3]!['SecurityAction'], '')
    assert.deepEqual([edge.stats().challenged, edge.stats().challengesSolved], [3, 1])
  })
}

test('a clearance lasts as long as the zone’s challenge_ttl says', async t => {
  const { url } = await challenged(t, 'managed_challenge', { challengeSeconds: 300 })
  const token = await tokenOf(await fetch(url, { headers: browser }))
  const body = new URLSearchParams({ token, number: solve(token, 6) })
  const answer = await fetch(`${url}/.sluice/challenge`, { method: 'POST', body, headers: browser })
  assert.match(answer.headers.get('set-cookie')!, /Max-Age=300;/)
})

test('edges that count together accept a solution once', async t => {
  const rateCounters = new LocalRateCounters(newRateMemory())
  const first = await challenged(t, 'managed_challenge', {}, { rateCounters })
  const second = await challenged(t, 'managed_challenge', {}, { rateCounters })
  const token = await tokenOf(await fetch(first.url, { headers: browser }))
  const body = new URLSearchParams({ token, number: solve(token, 6) })
  const send = async (url: string) =>
    (await fetch(`${url}/.sluice/challenge`, { method: 'POST', body, headers: browser })).status
  assert.equal(await send(second.url), 200)
  assert.equal(await send(first.url), 403)
})

test('a JSON client receives the name of the action', async t => {
  const { url } = await challenged(t, 'js_challenge')
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  assert.equal(response.status, 403)
  assert.equal(((await response.json()) as { error: string }).error, 'js_challenge')
})

test('requests that the reserved path refuses', async t => {
  const { url, forward } = await challenged(t, 'managed_challenge')
  const post = (body: string | URLSearchParams) =>
    fetch(`${url}/.sluice/challenge`, { method: 'POST', body, headers: browser })
  assert.equal((await fetch(`${url}/.sluice/challenge`)).status, 405)
  assert.equal((await post('')).status, 403)
  assert.equal((await post('x'.repeat(4096))).status, 403)
  assert.equal((await post('x'.repeat(4097))).status, 413)
  const token = await tokenOf(await fetch(url, { headers: browser }))
  assert.equal((await post(new URLSearchParams({ token, number: wrong(token, 6) }))).status, 403)
  forward(300)
  assert.equal((await post(new URLSearchParams({ token, number: solve(token, 6) }))).status, 403)
})
