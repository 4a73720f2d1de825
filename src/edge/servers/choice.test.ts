import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OriginGroup } from '../../rulesets/plan/plan.ts'
import { ServerChoice } from './choice.ts'

const limits = { originFailuresMax: 3, originEjectionMs: 10_000 }

function groupOf(weights: { readonly [url: string]: number }): OriginGroup {
  return { servers: Object.entries(weights).map(([url, weight]) => ({ url, weight })) }
}

/** The next requests, by the server of each. */
function next(
  choice: ServerChoice,
  group: OriginGroup,
  requests: number,
  hasFreeSlot: (url: string) => boolean = () => true,
): string {
  return Array.from({ length: requests }, () => choice.pick(group, undefined, hasFreeSlot).url).join('')
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
  assert.equal(choice.pick(group, tried, url => url !== 'b').url, 'b')
})
