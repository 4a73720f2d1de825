import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { PlanRule, RateLimitRule } from '../../rulesets/plan/plan.ts'
import type { EdgeDeps } from '../exchange/deps.ts'
import { planFor, planPhase, rule, startEdge, startOrigin } from '../testing/fixture.ts'

/** Ten seconds, two requests, by the header X-Client. */
function limitOf(parts: Partial<RateLimitRule> = {}): RateLimitRule {
  return {
    keyOf: view => view.headers.find(([name]) => name.toLowerCase() === 'x-client')?.[1] ?? '',
    counts: () => true,
    countedAt: 'request',
    periodMs: 10_000,
    max: 2,
    mitigationMs: 0,
    ...parts,
  }
}

const limited = (limit: RateLimitRule, matches?: PlanRule['matches'], id?: string) =>
  rule({ kind: 'action', action: 'block', limit }, matches, id)

interface Site {
  /** Sends a request as one client. @returns the status */
  readonly ask: (path: string, client?: string) => Promise<number>
  readonly askWhole: (path: string) => Promise<Response>
  /** Advances the clock. */
  readonly wait: (ms: number) => void
  readonly asked: () => number
  readonly errors: () => number
}

async function siteWith(
  t: TestContext,
  rules: readonly PlanRule[],
  listener: RequestListener = (_request, response) => response.end(),
  deps: Partial<EdgeDeps> = {},
): Promise<Site> {
  let asked = 0
  let errors = 0
  const origin = await startOrigin(t, (request, response) => {
    asked++
    listener(request, response)
  })
  let nowMs = Date.now()
  const request = [planPhase('http_ratelimit', { zone: rules })]
  const { url } = await startEdge(t, planFor(origin.url, { request }), {
    clock: { nowMs: () => nowMs },
    logger: { warn: () => {}, error: () => void errors++ },
    ...deps,
  })
  const ask = async (path: string, client = '') => {
    const answer = await fetch(`${url}${path}`, { headers: { 'x-client': client } })
    await answer.arrayBuffer()
    return answer.status
  }
  return {
    ask,
    askWhole: path => fetch(`${url}${path}`),
    wait: ms => {
      nowMs += ms
    },
    asked: () => asked,
    errors: () => errors,
  }
}

async function statuses(asks: readonly (() => Promise<number>)[]): Promise<number[]> {
  const got: number[] = []
  for (const ask of asks) got.push(await ask())
  return got
}

test('exactly max requests of each client pass in a period', async t => {
  const { ask, askWhole, wait, asked } = await siteWith(t, [limited(limitOf())])
  const asks = ['a', 'a', 'b', 'a', 'b', 'b'].map(client => () => ask('/', client))
  const got = await statuses(asks)
  assert.deepEqual(
    got.map(status => status === 200),
    [true, true, true, false, true, false],
  )
  assert.equal(got[3], 429)
  assert.equal(asked(), 4)
  wait(9999)
  assert.equal(await ask('/', 'a'), 429)
  wait(1)
  assert.equal(await ask('/', 'a'), 200)
  for (let n = 0; n < 2; n++) await askWhole('/').then(answer => answer.arrayBuffer())
  const answer = await askWhole('/')
  assert.equal(answer.headers.get('retry-after'), '10')
})

test('at most max concurrent requests pass', async t => {
  const { ask } = await siteWith(t, [limited(limitOf({ max: 5 }))])
  const got = await Promise.all(Array.from({ length: 20 }, () => ask('/')))
  assert.equal(got.filter(status => status === 200).length, 5)
})

test('requests that a rule does not act on are counted when its counting expression says so', async t => {
  const counts: RateLimitRule['counts'] = view => view.path.startsWith('/api')
  const { ask, asked } = await siteWith(t, [limited(limitOf({ counts }), view => view.path === '/api/login')])
  assert.deepEqual(
    await statuses(['/api/a', '/api/b', '/api/c', '/other', '/api/login'].map(path => () => ask(path))),
    [200, 200, 200, 200, 429],
  )
  assert.equal(asked(), 4)
})

test('a request that a rule acts on but does not count changes no counter', async t => {
  const counts: RateLimitRule['counts'] = view => view.path === '/counted'
  const { ask } = await siteWith(t, [limited(limitOf({ counts, max: 1 }))])
  assert.deepEqual(
    await statuses(['/x', '/x', '/counted', '/x', '/counted', '/x'].map(path => () => ask(path))),
    [200, 200, 200, 200, 429, 429],
  )
})

test('each rule has its own counters', async t => {
  const one: PlanRule['matches'] = view => view.path === '/one'
  const two: PlanRule['matches'] = view => view.path === '/two'
  const { ask } = await siteWith(t, [
    limited(limitOf({ max: 1, counts: one }), one, 'a'.repeat(32)),
    limited(limitOf({ max: 3, counts: two }), two, 'b'.repeat(32)),
  ])
  assert.deepEqual(
    await statuses(['/one', '/two', '/two', '/one', '/two', '/two'].map(path => () => ask(path))),
    [200, 200, 200, 429, 200, 429],
  )
})

test('a log rule counts and does not block', async t => {
  const { ask } = await siteWith(t, [rule({ kind: 'action', action: 'log', limit: limitOf({ max: 1 }) })])
  assert.deepEqual(await statuses([1, 2, 3].map(() => () => ask('/'))), [200, 200, 200])
})

test('only forwarded requests are counted', async t => {
  const stop = rule({ kind: 'action', action: 'block' }, view => view.path === '/stopped', 'stop')
  const { ask } = await siteWith(t, [limited(limitOf({ countedAt: 'origin' })), stop])
  assert.deepEqual(
    await statuses(
      ['/stopped', '/stopped', '/stopped', '/', '/', '/', '/stopped'].map(path => () => ask(path)),
    ),
    [403, 403, 403, 200, 200, 429, 429],
  )
})

test('responses are counted by their properties', async t => {
  const counts: RateLimitRule['counts'] = view => view.response?.status === 401
  const { ask, wait } = await siteWith(
    t,
    [limited(limitOf({ counts, countedAt: 'response', mitigationMs: 60_000 }))],
    (request, response) => {
      response.statusCode = request.url === '/bad' ? 401 : 200
      response.end()
    },
  )
  assert.deepEqual(
    await statuses(['/good', '/bad', '/good', '/bad', '/good', '/bad'].map(path => () => ask(path))),
    [200, 401, 200, 401, 429, 429],
  )
  wait(59_999)
  assert.equal(await ask('/good'), 429)
  wait(1)
  assert.equal(await ask('/good'), 200)
})

test('scores of responses are summed; other texts count nothing', async t => {
  const { ask } = await siteWith(
    t,
    [limited(limitOf({ countedAt: 'response', scoreHeader: 'x-score', max: 10 }))],
    (request, response) => {
      const score = decodeURIComponent(request.url!.slice(1))
      if (score !== '') response.setHeader('X-Score', score)
      response.end()
    },
  )
  const rows: [score: string, status: number][] = [
    ['', 200],
    ['-5', 200],
    ['1e3', 200],
    ['many', 200],
    ['4', 200],
    ['6', 200],
    ['0', 200],
    ['1', 200],
    ['0', 429],
  ]
  for (const [score, status] of rows) assert.equal(await ask(`/${score}`), status, score)
})

test('a score above the maximum counts as the maximum', async t => {
  const { ask } = await siteWith(
    t,
    [limited(limitOf({ countedAt: 'response', scoreHeader: 'x-score', max: 2 ** 31 }))],
    (_request, response) => response.setHeader('x-score', '9'.repeat(400)).end(),
  )
  assert.deepEqual(await statuses([1, 2, 3].map(() => () => ask('/'))), [200, 200, 429])
})

test('failing counters limit no client, and are logged', async t => {
  for (const count of [
    () => {
      throw new Error('no counters')
    },
    () => Promise.reject(new Error('no counters')),
  ]) {
    const { ask, errors } = await siteWith(t, [limited(limitOf({ max: 0 }))], undefined, {
      rateCounters: { count },
    })
    assert.equal(await ask('/'), 200)
    assert.equal(errors(), 1)
  }
})

test('remote counters are awaited', async t => {
  const state = { limited: true, untilMs: Date.now() + 5000 }
  const rateCounters = { count: () => Promise.resolve(state) }
  const { ask } = await siteWith(t, [limited(limitOf())], undefined, { rateCounters })
  assert.equal(await ask('/'), 429)
})
