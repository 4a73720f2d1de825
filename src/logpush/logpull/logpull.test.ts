import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordReader, SequencedRecord } from '../../bus/port.ts'
import { logpullLimits } from '../limits.ts'
import type { LogPull } from '../types.ts'
import { pullLogs, RayIdTooFarError } from './logpull.ts'
import { type PullOptions, pulledFields, pullFormat, pullRange } from './query.ts'

const nowMs = Date.UTC(2026, 0, 2, 12)
const zoneId = 'a'.repeat(32)

interface Given {
  readonly ms: number
  readonly ray: string
  readonly zone?: string
  readonly dataset?: string
}

/** A record log in memory: partition → records with sequences from 1. */
class MemoryReader implements RecordReader {
  readonly log = 'memory'
  readonly #partitions: ReadonlyMap<string, readonly SequencedRecord[]>
  largestRead = 0
  reads = 0

  constructor(partitions: Readonly<Record<string, readonly Given[]>>) {
    this.#partitions = new Map(
      Object.entries(partitions).map(([name, records]) => [name, records.map(sequenced)]),
    )
  }

  readonly parts = []

  async partitions() {
    return [...this.#partitions.keys()]
  }

  async head(partition: string) {
    return this.#partitions.get(partition)!.length
  }

  async at(partition: string, ms: number) {
    const records = this.#partitions.get(partition)!
    return records.find(record => record.receivedMs >= ms)?.sequence ?? records.length + 1
  }

  async read(partition: string, afterSequence: number, limits: { records: number }) {
    const records = this.#partitions.get(partition)!.slice(afterSequence, afterSequence + limits.records)
    this.largestRead = Math.max(this.largestRead, records.length)
    this.reads++
    return records
  }

  async release() {}

  async isFull() {
    return false
  }

  async undeliveredShare() {
    return 0
  }

  async stats() {
    return [...this.#partitions].map(([partition, records]) => ({
      partition,
      bytes: 0,
      oldestMs: records[0]?.receivedMs ?? null,
      first: records[0]?.sequence ?? 1,
      head: records.length,
      delivered: 0,
      dropped: 0,
    }))
  }

  async close() {}
}

function sequenced({ ms, ray, zone = zoneId, dataset = 'http_requests' }: Given, index: number) {
  const record = JSON.stringify({ zone, dataset, fields: { RayID: ray, ClientIP: '192.0.2.1' } })
  return { sequence: index + 1, receivedMs: ms, record }
}

function formatOf(options: PullOptions = { fields: 'RayID' }) {
  const format = pullFormat(options)
  assert.ok(format.ok, JSON.stringify(format))
  return format.value
}

async function raysOf(reader: RecordReader, pull: LogPull): Promise<string[]> {
  let text = ''
  for await (const piece of pullLogs(reader, pull, new AbortController().signal)) text += piece
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line).RayID)
}

function received(fromMs: number, toMs: number, changes: object = {}): LogPull {
  const format = formatOf()
  return { kind: 'received', zoneId, format, fromMs, toMs, countMax: Number.POSITIVE_INFINITY, ...changes }
}

test('the start is included and the end is not; other zones and datasets are left out', async () => {
  const reader = new MemoryReader({
    one: [
      { ms: 99, ray: 'before' },
      { ms: 100, ray: 'first' },
      { ms: 150, ray: 'elsewhere', zone: 'b'.repeat(32) },
      { ms: 150, ray: zoneId, zone: 'b'.repeat(32) },
      { ms: 150, ray: 'event', dataset: 'firewall_events' },
      { ms: 199, ray: 'last' },
      { ms: 200, ray: 'end' },
    ],
    two: [{ ms: 100, ray: 'second' }],
    none: [],
  })
  assert.deepEqual(await raysOf(reader, received(100, 200)), ['first', 'last', 'second'])
  assert.deepEqual(await raysOf(reader, received(200, 201)), ['end'])
  assert.deepEqual(await raysOf(reader, received(201, 300)), [])
})

test('adjoining ranges have every record once, in chunks', async () => {
  const records = Array.from({ length: 3000 }, (_, n) => ({ ms: 1000 + (n >> 3), ray: String(n) }))
  const reader = new MemoryReader({ one: records })
  const all: string[] = []
  for (const [from, to] of [
    [0, 1000],
    [1000, 1001],
    [1001, 1200],
    [1200, 2000],
  ] as const)
    all.push(...(await raysOf(reader, received(from, to))))
  assert.deepEqual(
    all,
    records.map(({ ray }) => ray),
  )
  assert.equal(reader.largestRead, logpullLimits.chunkRecords)
})

test('a sample is the same each time, and the count is of the lines after it', async () => {
  const records = Array.from({ length: 1000 }, (_, n) => ({ ms: n, ray: String(n) }))
  const reader = new MemoryReader({ one: records, two: records })
  const sampled = { format: formatOf({ fields: 'RayID', sample: '0.1' }) }
  const some = await raysOf(reader, received(0, 1000, sampled))
  assert.ok(some.length > 100 && some.length < 300, String(some.length))
  assert.deepEqual(await raysOf(reader, received(0, 1000, sampled)), some)
  for (const countMax of [1, some.length - 1, some.length, some.length + 1])
    assert.deepEqual(
      await raysOf(reader, received(0, 1000, { ...sampled, countMax })),
      some.slice(0, countMax),
    )
  reader.reads = 0
  assert.equal((await raysOf(reader, received(0, 1000, { countMax: 7 }))).length, 7)
  assert.equal(reader.reads, 1)
})

test('nothing is read ahead, and the signal ends it', async () => {
  const records = Array.from({ length: 1000 }, (_, n) => ({ ms: n, ray: String(n) }))
  const reader = new MemoryReader({ one: records })
  const stop = new AbortController()
  const lines = pullLogs(reader, received(0, 1000), stop.signal)
  await lines.next()
  assert.equal(reader.reads, 1)
  stop.abort(new Error('gone'))
  await assert.rejects(lines.next(), /^Error: gone$/)
  assert.equal(reader.reads, 1)
})

test('a ray id is searched from the newest records backwards', async () => {
  const ray = (rayId: string): LogPull => ({ kind: 'ray', zoneId, format: formatOf(), rayId, nowMs })
  const reader = new MemoryReader({
    one: [
      { ms: nowMs - 86_400_000, ray: 'oldest' },
      ...Array.from({ length: 1000 }, (_, n) => ({ ms: nowMs - 3_600_000, ray: `hour-${n}` })),
      { ms: nowMs - 10, ray: 'twice' },
      { ms: nowMs - 10, ray: 'elsewhere', zone: 'b'.repeat(32) },
    ],
    two: [
      { ms: nowMs - 5, ray: 'twice' },
      { ms: nowMs + 5, ray: 'newest' },
    ],
    none: [],
  })
  for (const [rayId, want] of [
    ['newest', ['newest']],
    ['twice', ['twice', 'twice']],
    ['hour-7', ['hour-7']],
    ['oldest', ['oldest']],
    ['elsewhere', []],
    ['hour', []],
  ] as const)
    assert.deepEqual(await raysOf(reader, ray(rayId)), want, rayId)
  reader.reads = 0
  await raysOf(reader, ray('newest'))
  assert.equal(reader.reads, 2)
  assert.deepEqual(await raysOf(new MemoryReader({}), ray('x')), [])
  assert.deepEqual(await raysOf(new MemoryReader({ one: [{ ms: nowMs + 5, ray: 'x' }] }), ray('x')), ['x'])
})

test('the search for a ray id ends after a number of records, and states how far it came', async () => {
  const reader = new MemoryReader({ one: [{ ms: nowMs - 90_000, ray: 'x' }] })
  const { record } = (await reader.read('one', 0, { records: 1 }))[0]!
  // A chunk that claims to be as many records as the search may look through.
  const many = { length: logpullLimits.rayRecordsMax + 1, at: () => ({ sequence: 1, record }) }
  reader.read = async () => many as never
  await assert.rejects(
    raysOf(reader, { kind: 'ray', zoneId, format: formatOf(), rayId: 'y', nowMs }),
    (error: unknown) => error instanceof RayIdTooFarError && error.searchedFromMs === nowMs - 60_000,
  )
})

test('times are seconds, nanoseconds or RFC 3339, compared in whole milliseconds', () => {
  const rows: [string, string, number, number][] = [
    ['2026-01-02T11:00:00Z', '2026-01-02T11:01:00Z', -3_600_000, -3_540_000],
    ['2026-01-02T12:00:00+01:00', '2026-01-02T11:01:00.0000001Z', -3_600_000, -3_539_999],
    [String(nowMs / 1000 - 120), String(nowMs / 1000 - 60), -120_000, -60_000],
    [`${nowMs - 120_000}000000`, `${nowMs - 60_001}000001`, -120_000, -60_000],
    [`${nowMs - 120_001}999999`, String(nowMs / 1000 - 60), -120_000, -60_000],
  ]
  for (const [start, end, from, to] of rows)
    assert.deepEqual(
      pullRange(start, end, nowMs),
      { ok: true, value: { fromMs: nowMs + from, toMs: nowMs + to } },
      `${start} ${end}`,
    )
  const withoutStart = pullRange(undefined, '2026-01-02T11:30:00Z', nowMs)
  assert.ok(withoutStart.ok)
  assert.equal(withoutStart.value.fromMs, Date.UTC(2026, 0, 2, 10, 30))
})

test('ranges have their limits', () => {
  const seconds = nowMs / 1000
  const week = 7 * 86_400
  const rows: [start: number | string, end: number | string, want: RegExp | undefined][] = [
    [seconds - 120, seconds - 60, undefined],
    [seconds - 120, seconds - 59, /for end because .*1 minute before now/],
    [seconds - 120, `${nowMs - 60_000}000001`, /1 minute before now/],
    [seconds - 61, seconds - 61, /later than start/],
    [seconds - 61, seconds - 62, /later than start/],
    [seconds - 3660, seconds - 60, undefined],
    [seconds - 3661, seconds - 60, /at most 1 hour after start/],
    [seconds - week, seconds - week + 1, undefined],
    [seconds - week - 1, seconds - week, /for start because .*7 days before now/],
    ['yesterday', seconds - 60, /'yesterday' is not a valid value for start because .*RFC 3339/],
    [seconds - 120, nowMs - 60_000, /not a valid value for end because it has to be Unix seconds/],
    [seconds - 120, '2026-01-02T12:00:00 01:00', /%2B/],
    [seconds - 120, '', /''/],
    [seconds - 120, '9'.repeat(500), /'9{64}…'/],
  ]
  for (const [start, end, want] of rows) {
    const outcome = pullRange(String(start), String(end), nowMs)
    assert.equal(outcome.ok, want === undefined, `${start} ${end}`)
    if (!outcome.ok) assert.match(outcome.problem.message, want!)
  }
})

test('the line format is checked, and a wrong field gets the nearest name', () => {
  const rows: [PullOptions, RegExp][] = [
    [{ fields: 'ClientIp' }, /'ClientIp' .*did you mean ClientIP\?/],
    [{ fields: 'RayID, ClientIP' }, /no such field/],
    [{ sample: '0' }, /above 0 and at most 1/],
    [{ sample: '1.1' }, /above 0 and at most 1/],
    [{ fields: 'RayID&sample=0.5' }, /no such field/],
  ]
  for (const [options, want] of rows) {
    const format = pullFormat(options)
    assert.ok(!format.ok, JSON.stringify(options))
    assert.match(format.problem.message, want)
    assert.ok(!format.problem.pointer)
  }
  assert.equal(formatOf({ sample: '1' }).sampleRate, 1)
  assert.equal(formatOf({ 'CVE-2021-44228': 'true' }).defuse, true)
  assert.equal(formatOf({ timestamps: 'rfc3339' }).timestamps, 'rfc3339')
  assert.equal(formatOf({}).fields.length, 9)
  assert.match(pulledFields()['ClientIP']!, /^string; /)
})
