import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampler } from './sample.ts'

const sequences = Array.from({ length: 20_000 }, (_, i) => i + 1)

test('about the requested share is chosen, early and late and in every partition', () => {
  for (const partition of ['edge-1', 'edge-2', 'records'])
    for (const from of [0, 2 ** 31, 2 ** 32, 2 ** 40])
      for (const rate of [0.01, 0.1, 0.5, 0.99]) {
        const chosen = sequences.map(sequence => from + sequence).filter(sampler(rate, partition)).length
        const spread = 5 * Math.sqrt(sequences.length * rate * (1 - rate))
        assert.ok(
          Math.abs(chosen - rate * sequences.length) < spread,
          `${partition} ${from} ${rate}: ${chosen}`,
        )
      }
})

test('the choice is the same each time, and not the same in each partition', () => {
  const chosen = (partition: string) => sequences.filter(sampler(0.5, partition))
  assert.deepEqual(chosen('edge-1'), chosen('edge-1'))
  assert.notDeepEqual(chosen('edge-1'), chosen('edge-2'))
  assert.notDeepEqual(
    chosen('edge-1').map(sequence => sequence % 2),
    chosen('edge-1').map(() => 1),
  )
})

test('a rate of 1 is every record, and a larger share has all of the smaller one', () => {
  assert.equal(sequences.filter(sampler(1, 'edge-1')).length, sequences.length)
  const larger = new Set(sequences.filter(sampler(0.2, 'edge-1')))
  for (const sequence of sequences.filter(sampler(0.1, 'edge-1'))) assert.ok(larger.has(sequence))
})
