import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicy } from '../policy.ts'
import type { Stream } from './stream.ts'
import { StreamReader } from './stream-reader.ts'

/** A stream without a mark in its description, as an operator creates it. */
const created = { created: '2026-01-01T00:00:00Z', config: {} }

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
    info: async () => ({ state, ...created }),
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

test('a server that is late for a moment does not make its stream another log', async () => {
  const ends = [10, 8, 10, 8, 10]
  const faults: unknown[] = []
  const stream = {
    name: 'S',
    info: async () => ({ state: { messages: 10, first_seq: 1, last_seq: ends.shift() ?? 10 }, ...created }),
  } as unknown as Stream
  const reader = new StreamReader('nats-1', stream, defaultPolicy, fault => faults.push(fault))
  const partition = await reader.partition()
  for (let turn = 0; turn < 4; turn++)
    assert.deepEqual(await reader.read(partition!, 10, { records: 1, bytes: 1000 }), [])
  assert.equal(await reader.partition(), partition)
  assert.deepEqual(faults, [])
})

test('a stream with a mark is the same log, whichever server tells when it was created', async () => {
  const state = { messages: 0, first_seq: 1, last_seq: 0 }
  let day = 1
  let description = 'Log records of the Sluice installation 0123456789ab, partition 1 of 8 (log 0a1b2c3d)'
  const stream = {
    name: 'S',
    info: async () => ({ state, created: `2026-01-0${day++}T00:00:00Z`, config: { description } }),
  } as unknown as Stream
  const reader = new StreamReader('nats-1', stream, defaultPolicy, () => {})
  assert.equal(await reader.partition(), 'nats-1.0a1b2c3d')
  assert.equal(await reader.partition(), 'nats-1.0a1b2c3d')
  description = '(log 4e5f6a7b)'
  assert.equal(await reader.partition(), 'nats-1.4e5f6a7b', 'an operator’s mark without other words')
})
