import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SequencedRecord } from '../../bus/port.ts'
import { usualPace } from '../run/pace.ts'
import type { StreamRecord } from './merged-reader.ts'
import type { Follower } from './shared-reader.ts'
import type { RecordSource } from './source.ts'
import { Stream } from './stream.ts'

const [zone, account] = ['a'.repeat(32), 'b'.repeat(32)]
const records: readonly SequencedRecord[] = [1, 2, 3].map(sequence => ({
  sequence,
  receivedMs: sequence,
  record: JSON.stringify({ zone, account, dataset: 'http_requests', fields: {} }),
}))
const source: RecordSource = {
  partitions: async () => ['p'],
  head: async () => records.length,
  at: async () => 1,
  read: async (_partition, after) => records.filter(({ sequence }) => sequence > after),
}

test('a follower that leaves while the last records are passed on gets no more', async () => {
  const stream = new Stream({
    source,
    clock: { nowMs: () => 1000 },
    pace: { ...usualPace, tickMs: 1, orderMs: 0 },
    onError: assert.fail,
  })
  const told: number[] = []
  let full = true
  const taken = Promise.withResolvers<void>()
  const follower: Follower = {
    scope: { kind: 'zone', id: zone },
    dataset: 'http_requests',
    take({ sequence }: StreamRecord) {
      told.push(sequence)
      return sequence < 2 || !full
    },
    ready: () => taken.promise,
    missed: () => {},
    passed: () => told.push(0),
    dropped: () => {},
  }
  // Behind the newest, so that it is waited for.
  await stream.follow(follower, new Map([['p', 0]]))
  const drained = stream.drain()
  while (told.length < 2) await sleep(1)
  stream.leave(follower)
  full = false
  taken.resolve()
  await drained
  assert.deepEqual(told, [1, 2])
})
