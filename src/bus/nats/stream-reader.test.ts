import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicy } from '../policy.ts'
import type { Stream } from './stream.ts'
import { StreamReader } from './stream-reader.ts'

/** A stream of ten old records on a server that reports them and does not send them. */
function silentServer(purged: object[]): Stream {
  const state = { messages: 10, bytes: 1000, first_seq: 1, last_seq: 10, first_ts: '2026-01-01T00:00:00Z' }
  const consumer = {
    info: async () => ({ num_pending: 5 }),
    next: async () => null,
    delete: async () => true,
  }
  const connected = {
    manager: {
      streams: {
        purge: async (_: string, range: object) => purged.push(range),
      },
      consumers: { add: async () => {} },
    },
    client: { consumers: { get: async () => consumer } },
  }
  return {
    name: 'S',
    connected: async () => connected,
    info: async () => ({ state, created: '2026-01-01T00:00:00Z', config: {} }),
  } as unknown as Stream
}

test('a server that is slow to send the record at a time is not mistaken for one without records', async () => {
  const purged: object[] = []
  const reader = new StreamReader('nats-1', silentServer(purged), defaultPolicy, () => {})
  const unavailable = { code: 'unavailable' }
  await assert.rejects(reader.at('nats-1', 1000), unavailable)
  await assert.rejects(reader.release('nats-1', 10), unavailable)
  assert.deepEqual(purged, [], 'nothing is removed before its time')
})
