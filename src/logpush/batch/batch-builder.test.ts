import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, gunzipSync } from 'node:zlib'
import type { LogpushJob } from '../../model/resource.ts'
import { emptyJob } from '../jobs/job-fields.ts'
import { logpushLimits } from '../limits.ts'
import { StreamRecord } from '../stream/merged-reader.ts'
import { BatchBuilder, batchIntervalMs, batchLimits, isBehind } from './batch-builder.ts'
import { BatchMemory } from './batch-memory.ts'
import { compileShape, type Shape } from './shape.ts'

const zone = 'a'.repeat(32)
const run = {}
const never = new AbortController().signal

interface RecordParts {
  readonly partition?: string
  readonly sequence?: number
  readonly receivedMs?: number
  readonly run?: object
  readonly fields?: object
  readonly zone?: string
  readonly dataset?: string
}

function aRecord({
  partition = 'o',
  sequence = 1,
  receivedMs = 1000,
  ...rest
}: RecordParts = {}): StreamRecord {
  const head = { zone: rest.zone ?? zone, account: 'b'.repeat(32), dataset: rest.dataset ?? 'http_requests' }
  const record = JSON.stringify({ ...head, fields: rest.fields ?? {} })
  return new StreamRecord(partition, { sequence, receivedMs, record }, rest.run ?? run)
}

function aShape(parts: Partial<Shape> = {}): Shape {
  const scope = { kind: 'zone', id: zone } as const
  const empty = { filter: null, logpullOptions: null, outputOptions: null, period: null } as const
  return { ...empty, scope, dataset: 'http_requests', ...parts }
}

function aBuilder(parts: Partial<Shape> = {}, limits = { records: 100, bytes: 1e6 }): BatchBuilder {
  return new BatchBuilder(compileShape(aShape(parts)), limits, new BatchMemory(1024 ** 3).account())
}

test('a batch is over before a record that breaks the order', () => {
  const builder = aBuilder()
  builder.add(aRecord())
  assert.equal(builder.isOverBefore(aRecord({ partition: 'p' })), false)
  assert.equal(builder.isOverBefore(aRecord({ partition: 'p', run: {} })), true)
  assert.equal(aBuilder().isOverBefore(aRecord({ run: {} })), false)
})

test('a batch is full at its number of records, or at its bytes', () => {
  const byRecords = aBuilder({}, { records: 2, bytes: 1e6 })
  byRecords.add(aRecord())
  assert.equal(byRecords.isFull, false)
  assert.equal(byRecords.isOverBefore(aRecord()), false)
  byRecords.add(aRecord())
  assert.equal(byRecords.isFull, true)
  assert.equal(byRecords.isOverBefore(aRecord()), true)

  // A line is `{"RayID":"r"}` and its line break.
  const outputOptions = { field_names: ['RayID'] }
  const byBytes = aBuilder({ outputOptions }, { records: 100, bytes: 28 })
  byBytes.add(aRecord({ fields: { RayID: 'r' } }))
  assert.equal(byBytes.isFull, false)
  byBytes.add(aRecord({ fields: { RayID: 'r' } }))
  assert.equal(byBytes.isFull, true)
})

test('a batch of a period ends where the period does', () => {
  const hourMs = 3_600_000
  for (const [period, lengthMs] of [
    ['hour', hourMs],
    ['day', 24 * hourMs],
  ] as const) {
    const builder = aBuilder({ period })
    builder.add(aRecord({ receivedMs: 5 * lengthMs }))
    assert.equal(builder.isOverBefore(aRecord({ receivedMs: 6 * lengthMs - 1 })), false, period)
    assert.equal(builder.isOverBefore(aRecord({ receivedMs: 6 * lengthMs })), true, period)
    assert.equal(builder.isOverBefore(aRecord({ receivedMs: 5 * lengthMs - 1 })), true, period)
  }
  const builder = aBuilder()
  builder.add(aRecord({ receivedMs: 0 }))
  assert.equal(builder.isOverBefore(aRecord({ receivedMs: 1000 * hourMs })), false)
})

test('the properties of a batch match its text', async () => {
  const builder = aBuilder({
    outputOptions: { field_names: ['RayID'], batch_prefix: '[', batch_suffix: ']' },
  })
  assert.deepEqual([builder.lines, builder.firstMs, builder.lastMs], [0, 0, 0])
  // Enough for several pieces, which are compressed apart.
  const RayID = 'é'.repeat(logpushLimits.gzipPieceCharacters / 2)
  const line = `${JSON.stringify({ RayID })}\n`
  for (const receivedMs of [1000, 1500, 3000]) builder.add(aRecord({ receivedMs, fields: { RayID } }))
  assert.deepEqual([builder.lines, builder.firstMs, builder.lastMs], [3, 1000, 3000])
  const body = await builder.finish(never)
  const text = gunzipSync(body.content)
  const { prefix, delimiter, suffix, sizes } = body.frame
  assert.equal(text.toString(), `${prefix}${[line, line, line].join(delimiter)}${suffix}`)
  assert.deepEqual([prefix, suffix, delimiter], ['[', ']', ''])
  assert.deepEqual(sizes, Array(3).fill(Buffer.byteLength(line)))
  assert.equal(body.bytes, text.length)
  assert.equal(body.crc, crc32(text))
})

test('a batch knows the record of each of its lines, and the time of its event', async () => {
  const builder = aBuilder()
  builder.add(aRecord({ partition: 'p', sequence: 7, fields: { EdgeStartTimestamp: '1700000000123456789' } }))
  builder.add(aRecord({ partition: 'q', sequence: 9, receivedMs: 2000 }))
  builder.add(
    aRecord({ sequence: 10, receivedMs: 3000, fields: { EdgeStartTimestamp: 'x1700000000123456789' } }),
  )
  builder.add(
    aRecord({ sequence: 11, receivedMs: 4000, fields: { EdgeStartTimestamp: '1700000000123456789x' } }),
  )
  const { origins } = await builder.finish(never)
  assert.deepEqual(origins.at(0), {
    partition: 'p',
    sequence: 7,
    receivedMs: 1000,
    happenedMs: 1_700_000_000_123,
  })
  assert.deepEqual(origins.at(1), { partition: 'q', sequence: 9, receivedMs: 2000, happenedMs: 2000 })
  assert.equal(origins.at(2).happenedMs, 3000)
  assert.equal(origins.at(3).happenedMs, 4000)
})

test('a shape keeps the records of its scope and dataset that pass its filter and sample', () => {
  const filter = '{"where":{"key":"RayID","operator":"eq","value":"r"}}'
  const filtered = compileShape(aShape({ filter }))
  const kept = { fields: { RayID: 'r' } }
  assert.equal(filtered.wants(aRecord(kept)), true)
  assert.equal(filtered.wants(aRecord({ fields: { RayID: 's' } })), false)
  assert.equal(filtered.wants(aRecord({ ...kept, zone: 'c'.repeat(32) })), false)
  assert.equal(filtered.wants(aRecord({ ...kept, dataset: 'firewall_events' })), false)
  assert.equal(compileShape(aShape({ filter: '' })).wants(aRecord()), true)

  const sampled = compileShape(aShape({ outputOptions: { sample_rate: 0.5 } }))
  const numbers = Array.from({ length: 1000 }, (_, sequence) => sequence)
  const chosen = (partition: string) =>
    numbers.filter(sequence => sampled.wants(aRecord({ partition, sequence }))).join()
  assert.equal(chosen('o'), chosen('o'))
  assert.notEqual(chosen('o'), chosen('p'))
  assert.ok(Math.abs(chosen('o').split(',').length - 500) < 100)
})

test('a stored shape that does not fit this version is refused permanently', () => {
  const shapes: [Partial<Shape>, string, RegExp][] = [
    [{ dataset: 'none' }, 'invalid-format', /none/],
    [{ outputOptions: { output_type: 'none' } }, 'invalid-format', /output_type/],
    [{ filter: '{"where":' }, 'invalid-filter', /JSON/i],
  ]
  for (const [parts, code, message] of shapes)
    assert.throws(() => compileShape(aShape(parts)), { code, retry: 'never', message })
})

test('a job decides when its batches close; 0 and null leave it to the frequency', () => {
  const scope = { kind: 'zone', id: zone } as const
  const job = { ...emptyJob, id: 1, scope } as unknown as LogpushJob
  const {
    batchRecordsMax,
    lowBatchRecordsMax,
    batchBytesMax,
    batchIntervalMs: highMs,
    lowBatchIntervalMs,
  } = logpushLimits
  const low = { ...job, frequency: 'low' } as const
  assert.deepEqual(batchLimits(job), { records: batchRecordsMax, bytes: batchBytesMax })
  assert.deepEqual(batchLimits(low), { records: lowBatchRecordsMax, bytes: batchBytesMax })
  assert.deepEqual(batchLimits({ ...low, maxUploadRecords: 1000, maxUploadBytes: 5_000_000 }), {
    records: 1000,
    bytes: 5_000_000,
  })
  assert.equal(batchIntervalMs({ ...job, maxUploadIntervalSeconds: 0 }), highMs)
  assert.equal(batchIntervalMs(low), lowBatchIntervalMs)
  assert.equal(batchIntervalMs({ ...low, maxUploadIntervalSeconds: 45 }), 45_000)
  const seconds = (highMs + logpushLimits.behindMs) / 1000
  assert.equal(isBehind(job, seconds), false)
  assert.equal(isBehind(job, seconds + 0.001), true)
})
