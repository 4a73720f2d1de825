import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chosenFor } from './rendezvous.ts'

interface Item {
  readonly id: string
  readonly weight: number
}

const items: readonly Item[] = [
  { id: 'http://192.0.2.1', weight: 1 },
  { id: 'http://192.0.2.2', weight: 1 },
  { id: 'http://192.0.2.3', weight: 2 },
]
const keys = Array.from({ length: 4000 }, (_, n) => `198.51.${n >> 8}.${n & 255}`)
const chosen = (key: string, without?: Item) =>
  chosenFor(
    key,
    items,
    ({ id }) => id,
    item => item !== without,
  )

test('keys are shared by weight, and only those of a missing item move', () => {
  const before = keys.map(key => chosen(key)!)
  for (const item of items) {
    const share = before.filter(one => one === item).length / keys.length
    assert.ok(Math.abs(share - item.weight / 4) < 0.03, `${item.id} has ${share}`)
    for (const [at, key] of keys.entries()) {
      const now = chosen(key, item)
      if (before[at] === item) assert.notEqual(now, item)
      else assert.equal(now, before[at])
    }
  }
  assert.equal(
    chosenFor(
      'a',
      items,
      ({ id }) => id,
      () => false,
    ),
    undefined,
  )
})
