import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OriginGroup, OriginPools } from '../../rulesets/plan/plan.ts'
import { ServerChoice } from './choice.ts'

const limits = { originFailuresMax: 3, originEjectionMs: 10_000, originsKeptMax: 100 }

function groupOf(weights: { readonly [url: string]: number }): OriginGroup {
  return { servers: Object.entries(weights).map(([url, weight]) => ({ url, weight })) }
}

/** The next requests, by the server of each. */
function next(
  choice: ServerChoice,
  group: OriginGroup,
  requests: number,
  hasFreeSlot: (url: string) => boolean = () => true,
  inUse: (url: string) => number = () => 0,
): string {
  return Array.from(
    { length: requests },
    () => choice.pick(group, undefined, { hasFreeSlot, inUse }).url,
  ).join('')
}

test('servers take turns by their weights', () => {
  const choice = new ServerChoice(limits, () => 0)
  assert.equal(next(choice, groupOf({ a: 1 }), 3), 'aaa')
  assert.equal(next(choice, groupOf({ a: 1, b: 1, c: 1 }), 6), 'abcabc')
  assert.equal(next(choice, groupOf({ a: 3, b: 1 }), 8), 'aabaaaba')
  assert.equal(next(choice, groupOf({ a: 0.5, b: 0.25 }), 6), 'abaaba')
})

test('a server that fails three times in a row is ejected for ten seconds', () => {
  let nowMs = 0
  const choice = new ServerChoice(limits, () => nowMs)
  const group = groupOf({ a: 1, b: 1 })
  choice.failed('a')
  choice.failed('a')
  choice.answered('a')
  choice.failed('a')
  choice.failed('a')
  assert.equal(next(choice, group, 4), 'abab')
  choice.failed('a')
  assert.equal(next(choice, group, 3), 'bbb')
  nowMs = 9_999
  assert.equal(next(choice, group, 1), 'b')
  nowMs = 10_000
  assert.match(next(choice, group, 2), /a/)
  choice.failed('a')
  assert.equal(next(choice, group, 3), 'bbb', 'one more failure ejects it again')
  nowMs = 20_000
  choice.answered('a')
  choice.failed('a')
  assert.match(next(choice, group, 2), /a/)
})

test('when every server is ejected, all are used', () => {
  const choice = new ServerChoice(limits, () => 0)
  for (const url of ['a', 'b', 'a', 'b', 'a', 'b']) choice.failed(url)
  assert.equal(next(choice, groupOf({ a: 1, b: 1 }), 4), 'abab')
})

test('servers with a free slot, and servers that were not tried come first', () => {
  const choice = new ServerChoice(limits, () => 0)
  const group = groupOf({ a: 1, b: 1, c: 1 })
  assert.equal(
    next(choice, group, 3, url => url === 'c'),
    'ccc',
  )
  assert.match(
    next(choice, group, 3, () => false),
    /^(?=.*a)(?=.*b)/,
  )
  const tried = new Set(['a', 'c'])
  const slots = { hasFreeSlot: (url: string) => url !== 'b', inUse: () => 0 }
  assert.equal(choice.pick(group, tried, slots).url, 'b')
})

function poolsOf(change: Partial<OriginPools> = {}): OriginPools {
  const pool = (urls: string, healthyMin: number, weight = 1) => ({
    id: urls,
    servers: [...urls].map(url => ({ url, weight: 1, healthKey: `key of ${url}` })),
    healthyMin,
    weight,
  })
  const pools = [pool('ab', 2, 3), pool('c', 1)]
  return { pools, fallback: pool('d', 1), shared: false, failsOver: false, ...change }
}

/** The next requests, by the first server of the pool of each. */
function nextPools(choice: ServerChoice, pools: OriginPools, requests = 4): string {
  return Array.from({ length: requests }, () => choice.group(pools).servers[0]!.url).join('')
}

test('the first pool with enough healthy servers gets the requests, else the fallback', () => {
  const down = new Set<string>()
  const choice = new ServerChoice(limits, () => 0, { isDown: key => down.has(key) })
  const pools = poolsOf()
  assert.equal(nextPools(choice, pools), 'aaaa')
  down.add('key of b')
  assert.equal(nextPools(choice, pools), 'cccc')
  for (let n = 0; n < 3; n++) choice.failed('c')
  assert.equal(nextPools(choice, pools), 'dddd')
  down.clear()
  assert.equal(nextPools(choice, pools), 'aaaa')
  assert.equal(choice.group(pools, new Set('a')).servers[0]!.url, 'd', 'a tried server counts as failed')
})

test('healthy pools share the requests by their weights', () => {
  const down = new Set<string>()
  const choice = new ServerChoice(limits, () => 0, { isDown: key => down.has(key) })
  const pools = poolsOf({ shared: true })
  assert.equal(nextPools(choice, pools), 'aaca')
  down.add('key of a')
  assert.equal(nextPools(choice, pools), 'cccc')
})

test('a server that checks found down gets no requests, unless all are down', () => {
  const down = new Set(['key of a'])
  const choice = new ServerChoice(limits, () => 0, { isDown: key => down.has(key) })
  const [group] = poolsOf().pools
  assert.equal(next(choice, group!, 3), 'bbb')
  down.add('key of b')
  assert.match(next(choice, group!, 2), /^(?=.*a)(?=.*b)/)
})

test('the failures of a bounded number of servers are remembered', () => {
  const choice = new ServerChoice({ ...limits, originsKeptMax: 2 }, () => 0)
  for (const url of ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c']) choice.failed(url)
  assert.equal(next(choice, groupOf({ a: 1, b: 1, c: 1 }), 2), 'aa')
})

test('the least busy server gets a request, in relation to its weight', () => {
  const choice = new ServerChoice(limits, () => 0)
  const busy = (requests: Record<string, number>) => (url: string) => requests[url] ?? 0
  const nextOf = (weights: Record<string, number>, requests: Record<string, number>) =>
    next(choice, { ...groupOf(weights), steering: 'least-busy' }, 4, () => true, busy(requests))
  assert.equal(nextOf({ a: 1, b: 1 }, { a: 1 }), 'bbbb')
  assert.equal(nextOf({ a: 1, b: 1 }, {}), 'abab')
  assert.equal(nextOf({ a: 1, b: 0.25 }, { a: 2 }), 'aaaa')
  assert.equal(nextOf({ a: 1, b: 0.25 }, { a: 4 }), 'bbbb')
})
