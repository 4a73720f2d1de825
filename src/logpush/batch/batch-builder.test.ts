import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamRecord } from '../stream/merged-reader.ts'
import { BatchBuilder } from './batch-builder.ts'
import { compileShape } from './shape.ts'

const zone = 'a'.repeat(32)

function aRecord(partition: string, receivedMs: number): StreamRecord {
  const record = JSON.stringify({ zone, account: 'b'.repeat(32), dataset: 'http_requests', fields: {} })
  return new StreamRecord(partition, { sequence: 1, receivedMs, record })
}

function aBuilder(): BatchBuilder {
  const shape = { filter: null, logpullOptions: null, outputOptions: null, period: null } as const
  const scope = { kind: 'zone', id: zone } as const
  return new BatchBuilder(compileShape({ ...shape, scope, dataset: 'http_requests' }), {
    records: 100,
    bytes: 1e6,
  })
}

test('a batch is over before a record that comes too late for its order', () => {
  const rows: readonly (readonly [string, number, boolean])[] = [
    ['p', 999, true],
    ['n', 1000, true],
    ['p', 1000, false],
    ['p', 1001, false],
    // Its own partition has no other order than this.
    ['o', 999, false],
  ]
  for (const [partition, receivedMs, over] of rows) {
    const builder = aBuilder()
    builder.add(aRecord('o', 1000))
    assert.equal(builder.isOverBefore(aRecord(partition, receivedMs)), over, `${partition} ${receivedMs}`)
  }
  assert.equal(aBuilder().isOverBefore(aRecord('p', 1)), false)
})
