import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBatch } from '../testing/batch.ts'
import { recordIds } from './record-id.ts'
import type { LineOrigin } from './sink.ts'

const origin: LineOrigin = { partition: 'edge-1', sequence: 7, receivedMs: 1000, happenedMs: 900 }

const idOf = (changes: Partial<LineOrigin> = {}, job = 'zone/1') =>
  recordIds({ job, origin: () => ({ ...origin, ...changes }) })(0)

test('a record has the same id in every batch', () => {
  const whole = aBatch(['a', 'b', 'c'])
  const rest = aBatch(['b', 'c'], { id: 'another', origin: line => whole.origin(line + 1) })
  assert.equal(recordIds(whole)(1), recordIds(rest)(0))
  assert.equal(recordIds(whole)(2), recordIds(rest)(1))
  assert.match(idOf(), /^[0-9a-f]{20}-7-rs$/)
})

test('no two records share an id, including those of a recreated log, and of another job', () => {
  const ids = [
    idOf(),
    idOf({ sequence: 8 }),
    idOf({ partition: 'edge-2' }),
    idOf({ receivedMs: 1001 }),
    idOf({}, 'zone/2'),
  ]
  assert.equal(new Set(ids).size, ids.length)
})
