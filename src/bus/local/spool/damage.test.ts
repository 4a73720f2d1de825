import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { RecordLogFault } from '../../faults.ts'
import {
  fillSegments,
  firstOf,
  newSpool,
  numbered,
  openSpool,
  readAll,
  readFrom,
  segmentsOf,
  writeRecords,
} from '../../testing/spool.ts'

const header = 20
const small = { bytes: 16 * 1024 * 1024 }

test('every torn tail is truncated, and the complete records before it remain', async () => {
  const whole = newSpool()
  await writeRecords(whole, ['"one"', '"two"'])
  const bytes = readFileSync(segmentsOf(whole)[0]!)
  const firstLength = header + '"one"'.length
  for (let cut = firstLength; cut <= bytes.length; cut++) {
    const directory = newSpool()
    await writeRecords(directory, [])
    writeFileSync(segmentsOf(directory)[0]!, bytes.subarray(0, cut))
    const before = await readAll(directory)
    assert.deepEqual(before, cut === bytes.length ? ['"one"', '"two"'] : ['"one"'])
    await writeRecords(directory, ['"three"'])
    assert.deepEqual(await readAll(directory), [...before, '"three"'])
  }
})

test('zeros and foreign bytes at the end are no records', async () => {
  for (const tail of [Buffer.alloc(20), Buffer.alloc(5000), Buffer.alloc(5000, 0xff), Buffer.alloc(64, 1)]) {
    const directory = newSpool()
    await writeRecords(directory, ['"one"'])
    appendFileSync(segmentsOf(directory)[0]!, tail)
    assert.deepEqual(await readAll(directory), ['"one"'])
    await writeRecords(directory, ['"two"'])
    assert.deepEqual(await readAll(directory), ['"one"', '"two"'])
  }
})

test('an empty newest segment, left by a crash just after its creation, keeps the numbers', async () => {
  const directory = newSpool()
  const log = openSpool(directory, small)
  const count = await fillSegments(log, directory, 2, 100_000)
  await log.close()
  const newest = segmentsOf(directory)[1]!
  writeFileSync(newest, '')
  await writeRecords(directory, ['"next"'])
  const reader = await openSpool(directory).reader()
  const records = await readFrom(reader)
  assert.deepEqual(records.map(({ record }) => record).slice(-2), [numbered(count - 1, 100_000), '"next"'])
  assert.equal(records.at(-1)!.sequence, count)
  await reader.close()
})

const recordBytes = 30_000
const frameBytes = header + recordBytes

for (const row of [
  { name: 'a bit of a record', at: 4 * frameBytes + 500, lost: [5, 5] },
  { name: 'a bit of the checksum', at: 4 * frameBytes + 4, lost: [5, 5] },
  { name: 'a bit of the sequence', at: 4 * frameBytes + 8, lost: [5, 5] },
  { name: 'a high bit of the length', at: 4 * frameBytes + 3, lost: [5, 5] },
  { name: 'a low bit of the length', at: 4 * frameBytes, lost: [5, 5] },
  { name: 'the first byte', at: 0, lost: [1, 1] },
  { name: 'two records', at: 4 * frameBytes + 500, bytes: frameBytes, lost: [5, 6] },
  { name: 'the last record', at: 34 * frameBytes + 500, lost: [35, 35] },
  { name: 'the last two records', at: 33 * frameBytes + 500, bytes: frameBytes, lost: [34, 35] },
  { name: 'everything', at: 0, bytes: 35 * frameBytes, lost: [1, 35] },
] as const)
  test(`damage in an older segment affects only the damaged records: ${row.name}`, async () => {
    const { directory, count, second } = await twoSegments()
    assert.equal(second, 36)
    const [older] = segmentsOf(directory)
    damage(older!, row.at, 'bytes' in row ? row.bytes : 1)
    const faults: RecordLogFault[] = []
    const log = openSpool(directory, small, fault => faults.push(fault))
    const reader = await log.reader()
    for (let round = 0; round < 2; round++) {
      const [first, last] = row.lost
      const want = range(1, count).filter(sequence => sequence < first || sequence > last)
      const records = await readFrom(reader)
      assert.deepEqual(
        records.map(record => record.sequence),
        want,
      )
      for (const { sequence, record } of records) assert.equal(record, numbered(sequence, recordBytes))
      assert.deepEqual(
        faults.map(({ code, dropped }) => [code, dropped]),
        [['corrupt', last - first + 1]],
      )
      assert.match(faults[0]!.message, new RegExp(`records ${first} to ${last} `))
    }
    await log.close()
  })

test('damage in the newest segment is not mistaken for a torn tail', async () => {
  const directory = newSpool()
  await writeRecords(
    directory,
    range(1, 6).map(n => numbered(n, 1000)),
  )
  damage(segmentsOf(directory)[0]!, 2 * 1020 + 100, 1)
  appendFileSync(segmentsOf(directory)[0]!, Buffer.alloc(50, 7))
  await writeRecords(directory, [numbered(7, 1000)])
  const faults: RecordLogFault[] = []
  const log = openSpool(directory, {}, fault => faults.push(fault))
  const records = await readFrom(await log.reader())
  assert.deepEqual(
    records.map(({ sequence, record }) => [sequence, record]),
    [1, 2, 4, 5, 6, 7].map(n => [n, numbered(n, 1000)]),
  )
  assert.deepEqual(
    faults.map(({ code, dropped }) => [code, dropped]),
    [['corrupt', 1]],
  )
  await log.close()
})

test('a missing segment in the middle is reported, one removed by retention is not', async () => {
  const directory = newSpool()
  const log = openSpool(directory, small)
  const count = await fillSegments(log, directory, 4, 100_000)
  await log.close()
  const [, second, third] = segmentsOf(directory)
  const [from, to] = [firstOf(second!), firstOf(third!)]
  rmSync(second!)
  const faults: RecordLogFault[] = []
  const again = openSpool(directory, { ...small, ageMs: 0 }, fault => faults.push(fault))
  const reader = await again.reader()
  const sequences = (await readFrom(reader)).map(({ sequence }) => sequence)
  assert.deepEqual(sequences, [...range(1, from - 1), ...range(to, count)])
  assert.deepEqual(
    faults.map(({ code, dropped }) => [code, dropped]),
    [['corrupt', to - from]],
  )
  const other = await again.reader()
  assert.equal((await other.read('w', 0, { records: 1, bytes: 1 })).length, 1)
  await reader.release('w', count)
  assert.deepEqual(
    (await readFrom(other)).map(({ sequence }) => sequence),
    [count],
  )
  assert.equal(faults.length, 1)
  await again.close()
})

/** Segments of 35 records and of the rest. */
async function twoSegments(): Promise<{ directory: string; count: number; second: number }> {
  const directory = newSpool()
  const log = openSpool(directory, small)
  const count = await fillSegments(log, directory, 2, recordBytes)
  await log.close()
  return { directory, count, second: firstOf(segmentsOf(directory)[1]!) }
}

function damage(file: string, at: number, bytes: number): void {
  const content = readFileSync(file)
  for (let offset = at; offset < Math.min(content.length, at + bytes); offset++) content[offset]! ^= 0x10
  writeFileSync(file, content)
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}
