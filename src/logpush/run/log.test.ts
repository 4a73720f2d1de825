import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordReader } from '../../bus/port.ts'
import type { StreamDeps } from '../stream/stream.ts'
import { recordLogs } from './log.ts'
import { usualPace } from './pace.ts'

test('replays and manifests of a zone are in the part that has it, those of accounts are spread', () => {
  const parts = ['one', 'two', 'three'].map(zone => ({
    name: `nats/${zone}`,
    partitions: async () => [],
    has: (id?: string) => id === undefined || id === zone,
  }))
  const logs = recordLogs(
    { parts } as Partial<RecordReader> as RecordReader,
    { pace: usualPace } as StreamDeps,
  )
  const leading = (id: number, scope: { kind: 'zone' | 'account'; id: string }) =>
    logs.filter(log => log.leads({ id, scope })).map(({ name }) => name)
  for (const id of [7, 8]) assert.deepEqual(leading(id, { kind: 'zone', id: 'two' }), ['nats/two'])
  const ofAccount = [7, 8, 9].flatMap(id => leading(id, { kind: 'account', id: 'any' }))
  assert.deepEqual(ofAccount.sort(), ['nats/one', 'nats/three', 'nats/two'])
})
