import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SequencedRecord } from '../../bus/port.ts'
import { logpushLimits } from '../limits.ts'
import { MergedReader, type StreamRecord } from './merged-reader.ts'
import type { RecordSource } from './source.ts'

const clock = { nowMs: () => 10_000 }

function aRecord(sequence: number, padding = ''): SequencedRecord {
  const [zone, account] = ['a'.repeat(32), 'b'.repeat(32)]
  const record = JSON.stringify({ zone, account, dataset: 'http_requests', fields: { padding } })
  return { sequence, receivedMs: 1000 + sequence, record }
}

/** A log whose partitions are arrays; its methods can be replaced. */
function sourceOf(partitions: Readonly<Record<string, readonly SequencedRecord[]>>): RecordSource {
  return {
    partitions: async () => Object.keys(partitions),
    head: async partition => partitions[partition]?.at(-1)?.sequence ?? 0,
    at: async () => 1,
    async read(partition, after, limits) {
      const found: SequencedRecord[] = []
      let bytes = 0
      for (const record of partitions[partition] ?? []) {
        if (record.sequence <= after) continue
        bytes += record.record.length
        if (found.length > 0 && (bytes > limits.bytes || found.length >= limits.records)) break
        found.push(record)
      }
      return found
    },
  }
}

test('an invalid record is skipped and counted, and stops no reader', async () => {
  const log = [
    aRecord(1),
    { ...aRecord(2), record: 'no JSON' },
    { ...aRecord(3), record: 'null' },
    aRecord(4),
  ]
  const reader = new MergedReader(sourceOf({ p: log }), new Map([['p', 0]]), clock, 0)
  const slice = await reader.next()
  assert.deepEqual(
    slice.records.map(({ sequence }) => sequence),
    [1, 4],
  )
  assert.deepEqual(slice.missing, [{ partition: 'p', first: 2, last: 3 }])
  assert.deepEqual(reader.position, new Map([['p', 4]]))
  assert.deepEqual((await reader.next()).missing, [])
})

test('long records are read by bytes, not by number', async () => {
  const padding = 'x'.repeat(logpushLimits.sliceBytes / 4)
  const log = Array.from({ length: 40 }, (_, n) => aRecord(n + 1, padding))
  const reader = new MergedReader(sourceOf({ p: log }), new Map([['p', 0]]), clock, 0)
  const lengths: number[] = []
  for (let read = 0; read < log.length; ) {
    const { records } = await reader.next()
    lengths.push(records.length)
    read += records.length
    assert.ok(records.length > 0)
  }
  assert.ok(Math.max(...lengths) <= 5, `${lengths}`)
})

test('a partition that fails while another is slow repeats and loses nothing', async () => {
  const partitions = { bad: [aRecord(1)], slow: [aRecord(1), aRecord(2)] }
  const sound = sourceOf(partitions)
  const slow = Promise.withResolvers<void>()
  let fails = true
  const source: RecordSource = {
    ...sound,
    async read(partition, after, limits) {
      if (partition === 'bad' && fails) throw new Error('away')
      if (partition === 'slow') await slow.promise
      return sound.read(partition, after, limits)
    },
  }
  const reader = new MergedReader(source, new Map(), clock, 0)
  const first = reader.next().catch((error: Error) => error.message)
  const waits = await Promise.race([first, new Promise(resolve => setTimeout(resolve, 20, 'waits'))])
  assert.equal(waits, 'waits')
  slow.resolve()
  assert.equal(await first, 'away')
  fails = false
  const got: string[] = []
  for (let n = 0; n < 4; n++)
    for (const { partition, sequence } of (await reader.next()).records) got.push(`${partition} ${sequence}`)
  assert.deepEqual(got.toSorted(), ['bad 1', 'slow 1', 'slow 2'])
})

test('deleted records are reported when their position is passed', async () => {
  const log = [4, 5, 8, 9, 12].map(sequence => aRecord(sequence))
  for (const [from, until, want] of [
    [0, undefined, '1-3 6-7 10-11'],
    [1, undefined, '2-3 6-7 10-11'],
    [5, undefined, '6-7 10-11'],
    [1, 7, '2-3 6-7'],
    [1, 8, '2-3 6-7'],
    [9, 11, '10-11'],
    [12, undefined, ''],
  ] as const) {
    const reader = new MergedReader(sourceOf({ p: log }), new Map([['p', from]]), clock, 0)
    const missing: string[] = []
    for (let n = 0; n < 4; n++) {
      const slice = await reader.next(until === undefined ? undefined : new Map([['p', until]]))
      missing.push(...slice.missing.map(({ first, last }) => `${first}-${last}`))
    }
    assert.equal(missing.join(' '), want, `${from} to ${until}`)
  }
})

test('missing ranges after waiting records wait with them', async () => {
  const log = [4, 5, 8].map(sequence => aRecord(sequence))
  // Records received at 1007 or before are old enough.
  const reader = new MergedReader(sourceOf({ p: log }), new Map(), clock, 10_000 - 1007)
  assert.deepEqual((await reader.next()).missing, [{ partition: 'p', first: 1, last: 3 }])
  assert.deepEqual(reader.position, new Map([['p', 5]]))
})

test('records have the same order when they are read again, regardless of the clock', async () => {
  /** Sequences from 1, by time of receipt. */
  const at = (...times: readonly number[]) =>
    times.map((receivedMs, n) => ({ ...aRecord(n + 1), receivedMs }))
  // A clock that was ahead and was set back, and a partition whose records came late.
  const partitions = { p: at(5000, 5001, 90_000, 90_001, 6000, 6001), q: at(5001, 5500, 90_000, 6000, 7000) }
  let nowMs = 10_000
  const first = new MergedReader(sourceOf(partitions), new Map(), { nowMs: () => nowMs }, 0)
  const live: StreamRecord[] = []
  while (live.length < 11) live.push(...(await first.next()).records)
  const runs = Map.groupBy(live, ({ run }) => run)
  assert.ok(runs.size > 1)
  const names = (records: readonly StreamRecord[]) =>
    records.map(({ partition, sequence }) => `${partition}${sequence}`).join(' ')
  let from = new Map([
    ['p', 0],
    ['q', 0],
  ])
  for (const records of runs.values()) {
    const until = new Map(from)
    for (const { partition, sequence } of records) until.set(partition, sequence)
    for (nowMs of [1000, 10_000, 100_000]) {
      const again: StreamRecord[] = []
      const reader = new MergedReader(sourceOf(partitions), from, { nowMs: () => nowMs }, 0)
      while (again.length < records.length) again.push(...(await reader.next(until)).records)
      assert.equal(names(again), names(records), `at ${nowMs}`)
    }
    from = until
  }
})
