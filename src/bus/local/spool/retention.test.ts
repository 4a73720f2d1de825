import assert from 'node:assert/strict'
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RecordLogFault } from '../../faults.ts'
import { busLimits } from '../../limits.ts'
import type { RecordLog } from '../../port.ts'
import {
  fillSegments,
  firstOf,
  newSpool,
  numbered,
  openSpool,
  readFrom,
  segmentsOf,
} from '../../testing/spool.ts'
import { lockPartition, lockSpool } from './partition-lock.ts'
import { writeDelivered, writeRemoved } from './partition-marks.ts'
import { freeSpace, type RetentionTask } from './retention.ts'
import { segmentBytesFor } from './segments.ts'

const mebibyte = 1024 * 1024
const hourMs = 3_600_000

test('segments roll; delivered ones are deleted after their retention time, never the newest', async () => {
  const directory = newSpool()
  const log = openSpool(directory, { ageMs: hourMs })
  const head = await fillSegments(log, directory, 3, 500_000)
  assert.ok(statSync(segmentsOf(directory)[0]!).size >= busLimits.segmentBytes)
  const reader = await log.reader()
  await reader.release('w', head)
  assert.equal(segmentsOf(directory).length, 3, 'young ones stay')
  const [, second, third] = segmentsOf(directory).map(firstOf) as [number, number, number]
  for (const segment of segmentsOf(directory)) writtenAgo(segment, 2 * hourMs)
  for (const [delivered, oldest] of [
    [second - 2, 1],
    [second - 1, second],
    [third - 2, second],
    [head, third],
  ] as const) {
    // The state that a fresh delivery process finds.
    writeDelivered(join(directory, 'w'), 0)
    await reader.release('w', delivered)
    const [first] = await reader.read('w', 0, { records: 1, bytes: 1 })
    assert.equal(first?.sequence, oldest)
    assert.equal(await reader.head('w'), head)
  }
  assert.equal((await reader.stats())[0]!.dropped, 0)
  await log.close()
})

test('a segment is followed by a new one when it is old, so that its retention time can end', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const directory = newSpool()
  const log = openSpool(directory, { ageMs: 24 * hourMs })
  const writer = await log.writer('w')
  for (const [ms, segments] of [
    [0, 1],
    [hourMs, 1],
    [1, 2],
    [hourMs, 2],
    [1, 3],
  ] as const) {
    t.mock.timers.tick(ms)
    writer.append('"x"')
    await writer.flush()
    assert.equal(segmentsOf(directory).length, segments)
  }
  await log.close()
})

test('at the quota delivered segments are deleted first, oldest first, then others, which are counted', async () => {
  const directory = newSpool()
  const faults: RecordLogFault[] = []
  const wide = openSpool(directory, { bytes: 8 * mebibyte }, fault => faults.push(fault))
  for (const [partition, ageMs] of [
    ['a', 4000],
    ['b', 2000],
  ] as const) {
    await fillSegments(wide, directory, 4, 100_000, partition)
    for (const [index, segment] of segmentsOf(directory, partition).entries())
      writtenAgo(segment, ageMs - index)
  }
  const [, a2, a3, a4] = segmentsOf(directory, 'a').map(firstOf) as [number, number, number, number]
  const [, b2] = segmentsOf(directory, 'b').map(firstOf) as [number, number]
  const reader = await wide.reader()
  await reader.release('b', b2 - 1)
  await reader.release('a', 3)
  const left = () => [segmentsOf(directory, 'a').map(firstOf), segmentsOf(directory, 'b').length] as const
  const free = (quota: number) => freeSpace(directory, task(quota), new Map(), fault => faults.push(fault))

  await free(leastQuota(directory, ['a', 'b']))
  assert.deepEqual(left(), [[1, a2, a3, a4], 4], 'it fits exactly')
  await free(leastQuota(directory, ['a', 'b']) - 1)
  assert.deepEqual(left(), [[1, a2, a3, a4], 3], 'the delivered one, though it is younger')
  assert.equal(faults.length, 0)
  const [firstA, secondA] = segmentsOf(directory, 'a').map(segment => statSync(segment).size)
  await free(leastQuota(directory, ['a', 'b'], firstA! + secondA!))
  assert.deepEqual(left(), [[a3, a4], 3])
  assert.deepEqual(
    faults.map(({ code, dropped }) => [code, dropped]),
    [['quota', a3 - 1 - 3]],
  )
  assert.match(faults[0]!.message, new RegExp(` a from 4 to ${a3 - 1}, ${a3 - 4} in all`))
  assert.deepEqual(
    (await reader.stats()).map(({ partition, dropped, delivered }) => [partition[0], dropped, delivered]),
    [
      ['a', a3 - 4, 3],
      ['b', 0, b2 - 1],
    ],
  )
  assert.equal((await reader.read('a', 3, { records: 1, bytes: 1 }))[0]?.sequence, a3)
  await wide.close()
})

test('a writer waits for another one that removes segments, however slow the disk is', async t => {
  const directory = newSpool()
  const log = openSpool(directory, { bytes: 8 * mebibyte })
  await fillSegments(log, directory, 3, 100_000)
  const unlock = await lockSpool(directory)
  const now = performance.now()
  const clock = t.mock.method(performance, 'now', () => now)
  const freed = freeSpace(directory, task(leastQuota(directory, ['w']) - 1), new Map(), () => {})
  await assert.rejects(
    async () => {
      const waiting = lockPartition(directory)
      clock.mock.mockImplementation(() => now + 5000)
      await waiting
    },
    { code: 'locked' },
    'both have tried by then',
  )
  unlock()
  await freed
  assert.equal(segmentsOf(directory).length, 2)
  await log.close()
})

test('a crash between count and removal counts nothing twice', async () => {
  const directory = newSpool()
  const log = openSpool(directory, { bytes: 8 * mebibyte })
  await fillSegments(log, directory, 3, 100_000)
  const second = firstOf(segmentsOf(directory)[1]!)
  writeRemoved(join(directory, 'w'), { through: second - 1, dropped: second - 1 })
  const faults: RecordLogFault[] = []
  const reader = await log.reader()
  assert.equal((await reader.read('w', 0, { records: 1, bytes: 1 }))[0]!.sequence, second, 'counted is gone')
  await freeSpace(directory, task(leastQuota(directory, ['w'])), new Map(), fault => faults.push(fault))
  assert.equal(firstOf(segmentsOf(directory)[0]!), second)
  assert.deepEqual(faults, [])
  assert.equal((await reader.stats())[0]!.dropped, second - 1)
  await log.close()
})

test('a writer keeps to its quota, readers skip deleted records, and every record is accounted for', async () => {
  const directory = newSpool()
  const faults: RecordLogFault[] = []
  const quota = 2 * mebibyte
  const log = openSpool(directory, { bytes: quota }, fault => faults.push(fault))
  const writers = [await log.writer('w'), await log.writer('v')]
  const reader = await log.reader()
  const [beforeAll] = await readFrom(reader)
  assert.equal(beforeAll, undefined)
  let count = 0
  for (let n = 0; n < 300; n++) {
    for (let i = 0; i < 4; i++) writers[n % 2]!.append(numbered(++count, 10_000))
    await writers[n % 2]!.flush()
    if (n === 5) await reader.read('w', 0, { records: 2, bytes: 1e6 })
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  await log.close()
  const bytes = diskBytes(directory, ['v', 'w'])
  assert.ok(bytes > quota / 2 && bytes <= quota, `${bytes} bytes are on the disk`)
  const again = openSpool(directory, { bytes: quota }, fault => faults.push(fault))
  const all = await again.reader()
  for (const stats of await all.stats()) {
    const records = await readFrom(all, stats.partition)
    assert.equal(records.length + stats.dropped, 600)
    assert.equal(records.at(-1)!.sequence, 600)
    assert.equal(records[0]!.sequence, stats.dropped + 1)
    assert.equal(records[0]!.receivedMs, stats.oldestMs)
  }
  // The job at the beginning continues with the remaining records.
  assert.ok((await reader.read('w', 2, { records: 1, bytes: 1e6 }))[0]!.sequence > 100)
  assert.deepEqual([...new Set(faults.map(({ code }) => code))], ['quota'])
  const told = faults.reduce((sum, { dropped }) => sum + dropped, 0)
  const counted = (await all.stats()).reduce((sum, { dropped }) => sum + dropped, 0)
  assert.equal(told, counted)
  await reader.close()
  await again.close()
})

test('writers that keep undelivered records stay within the quota, with a reserve for work in progress', async () => {
  const directory = newSpool()
  const quota = 4 * mebibyte
  const log = openSpool(directory, { bytes: quota, full: 'refuse-requests' })
  const writers = [await log.writer('w'), await log.writer('v')]
  const reader = await log.reader()
  const counts = [0, 0]
  const write = async (index: number, records: number) => {
    for (let n = 0; n < records; n++) writers[index]!.append(numbered(++counts[index]!, 10_000))
    await writers[index]!.flush()
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  while (writers.some(({ full }) => full === undefined))
    for (const [index, { full }] of writers.entries()) if (full === undefined) await write(index, 4)
  for (const index of [0, 1]) await write(index, 5)
  const bytes = diskBytes(directory, ['v', 'w'])
  assert.ok(bytes > quota / 2 && bytes <= quota, `${bytes} bytes are on the disk`)
  // Records that one of them has delivered free space for both.
  await reader.release('w', counts[0]!)
  while (writers.some(({ full }) => full !== undefined)) await new Promise(resolve => setTimeout(resolve, 20))
  await write(1, 4)
  assert.equal((await readFrom(reader, 'v')).length, counts[1])
  assert.equal((await reader.stats()).find(({ partition }) => partition.startsWith('v'))!.dropped, 0)
  await log.close()
})

test('a position is found by time across segments', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
  const directory = newSpool()
  const faults: RecordLogFault[] = []
  const log = openSpool(directory, { bytes: 128 * mebibyte }, fault => faults.push(fault))
  const times = await writeByTheMinute(log, t.mock.timers, 400)
  const reader = await log.reader()
  assert.ok(segmentsOf(directory).length > 3)
  for (let n = 0; n < times.length; n += 37) {
    assert.equal(await reader.at('w', times[n]!), n + 1)
    assert.equal(await reader.at('w', times[n]! + 1), n + 2)
  }
  assert.equal(await reader.at('w', times.at(-1)! + 1), times.length + 1)
  assert.deepEqual(faults, [])
  await log.close()
})

test('a damaged or absent mark keeps records for longer, never for less', async () => {
  for (const spoil of [
    (path: string) => writeFileSync(path, '0000000000000009 0000000000000000 00000000\n'),
    (path: string) => writeFileSync(path, ''),
    (path: string) => rmSync(path),
  ]) {
    const directory = newSpool()
    const log = openSpool(directory, { ageMs: hourMs })
    const head = await fillSegments(log, directory, 2, 500_000)
    const reader = await log.reader()
    await reader.release('w', head)
    spoil(join(directory, 'w', 'delivered'))
    for (const segment of segmentsOf(directory)) writtenAgo(segment, 2 * hourMs)
    await reader.release('w', 0)
    assert.equal(segmentsOf(directory).length, 2, 'nothing is known to be delivered')
    assert.equal((await reader.stats())[0]!.delivered, 0)
    await reader.release('w', head)
    assert.equal(segmentsOf(directory).length, 1, 'the next word of delivery sets it right')
    await log.close()
  }
})

test('undelivered records are kept, however old they are', async () => {
  const directory = newSpool()
  const log = openSpool(directory, { ageMs: 0 })
  const head = await fillSegments(log, directory, 3, 500_000)
  for (const segment of segmentsOf(directory)) writtenAgo(segment, 1000 * hourMs)
  const reader = await log.reader()
  await reader.release('w', 0)
  assert.equal((await readFrom(reader)).length, head)
  await log.close()
})

function task(quotaBytes: number): RetentionTask {
  return { quotaBytes, keepsUndelivered: false, diskFull: false }
}

/** One record a minute, 200 kB each. */
async function writeByTheMinute(
  log: RecordLog,
  clock: { tick(ms: number): void },
  count: number,
): Promise<number[]> {
  const writer = await log.writer('w')
  const times: number[] = []
  for (let n = 1; n <= count; n++) {
    times.push(Date.now())
    writer.append(numbered(n, 200_000))
    await writer.flush()
    clock.tick(60_000)
  }
  return times
}

function writtenAgo(segment: string, ms: number): void {
  const seconds = (Date.now() - ms) / 1000
  utimesSync(segment, seconds, seconds)
}

/** The smallest quota that all segments fit after this many bytes of full segments are deleted. */
function leastQuota(directory: string, partitions: readonly string[], goneBytes = 0): number {
  let full = -goneBytes
  const newest: number[] = []
  for (const partition of partitions) {
    const sizes = segmentsOf(directory, partition).map(segment => statSync(segment).size)
    newest.push(sizes.pop()!)
    for (const size of sizes) full += size
  }
  for (let quota = full; ; quota++) {
    const segmentBytes = segmentBytesFor(quota, partitions.length)
    const used = newest.reduce((sum, bytes) => sum + Math.max(bytes, segmentBytes) + segmentBytes, full)
    if (used <= quota) return quota
  }
}

function diskBytes(directory: string, partitions: readonly string[]): number {
  let bytes = 0
  for (const partition of partitions)
    for (const segment of segmentsOf(directory, partition))
      bytes += statSync(segment, { throwIfNoEntry: false })?.size ?? 0
  return bytes
}
