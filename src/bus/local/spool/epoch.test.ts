import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RecordLogFault } from '../../faults.ts'
import type { RecordReader } from '../../port.ts'
import { newSpool, openSpool, plenty, segmentsOf, writeRecords } from '../../testing/spool.ts'
import { makeMarks } from './partition-marks.ts'

const named = (count: number, prefix = '') => Array.from({ length: count }, (_, n) => `"${prefix}${n + 1}"`)

async function readAfter(reader: RecordReader, partition: string, after: number): Promise<string[]> {
  return (await reader.read(partition, after, plenty)).map(({ record }) => record)
}

test('a log in creation has no name yet: it never has one without its epoch', async () => {
  const directory = newSpool()
  // The state that a writer reaches before it chooses the epoch.
  mkdirSync(join(directory, 'w'), { recursive: true })
  makeMarks(join(directory, 'w'))
  const log = openSpool(directory)
  const reader = await log.reader()
  assert.deepEqual(await reader.partitions(), [])
  await writeRecords(directory, named(1))
  assert.match((await reader.partitions()).join(), /^w\.[0-9a-f]{8}$/)
  await log.close()
})

test('a reopened log is the same, a recreated one is another', async () => {
  const directory = newSpool()
  await writeRecords(directory, named(3))
  const log = openSpool(directory)
  const reader = await log.reader()
  const [first] = await reader.partitions()
  assert.deepEqual(await readAfter(reader, first!, 1), ['"2"', '"3"'])
  await writeRecords(directory, ['"4"'])
  assert.deepEqual(await reader.partitions(), [first])
  assert.deepEqual(await readAfter(reader, first!, 3), ['"4"'])

  rmSync(join(directory, 'w'), { recursive: true })
  await writeRecords(directory, named(150, 'new'))
  const [second] = await reader.partitions()
  assert.notEqual(second, first)
  assert.deepEqual(
    await readAfter(reader, first!, 100),
    [],
    'a position in the old log means nothing in the new one',
  )
  assert.equal(await reader.head(first!), 0)
  assert.deepEqual(await readAfter(reader, second!, 0), named(150, 'new'))
  await log.close()
})

test('a log that is being removed, file by file, is not mistaken for one of an earlier version', async () => {
  const directory = newSpool()
  await writeRecords(directory, named(3))
  const log = openSpool(directory)
  const reader = await log.reader()
  const [first] = await reader.partitions()
  assert.equal(await reader.head(first!), 3)
  rmSync(join(directory, 'w', 'epoch'))
  assert.deepEqual(await reader.partitions(), [])
  assert.deepEqual(await readAfter(reader, 'w', 0), [])
  rmSync(join(directory, 'w'), { recursive: true })
  await writeRecords(directory, named(2, 'new'))
  const [second] = await reader.partitions()
  assert.deepEqual(await readAfter(reader, second!, 0), named(2, 'new'))
  await log.close()
})

test('a log that replaces another while it is read or released is not taken for it', async () => {
  const [directory, other] = [newSpool(), newSpool()]
  await writeRecords(directory, named(3))
  await writeRecords(other, named(5, 'new'))
  const log = openSpool(directory)
  const reader = await log.reader()
  const [first] = await reader.partitions()
  const calls = [reader.read(first!, 0, plenty), reader.head(first!), reader.release(first!, 3)]
  rmSync(join(directory, 'w'), { recursive: true })
  renameSync(join(other, 'w'), join(directory, 'w'))
  assert.deepEqual(await Promise.all(calls), [[], 0, undefined])
  const [stats] = await reader.stats()
  assert.equal(stats!.delivered, 0)
  await log.close()
})

test('a log that ends before a read position becomes another log', async () => {
  const directory = newSpool()
  await writeRecords(directory, named(50))
  const faults: RecordLogFault[] = []
  const log = openSpool(directory, {}, fault => faults.push(fault))
  const [reader, other] = [await log.reader(), await log.reader()]
  const [before] = await reader.partitions()
  await reader.release(before!, 50)
  assert.deepEqual(await readAfter(reader, before!, 50), [])
  assert.deepEqual(await reader.partitions(), [before], 'its end is no reset')

  assert.deepEqual(await readAfter(reader, before!, 100), [])
  assert.deepEqual(await readAfter(other, before!, 100), [], 'a later process does not renew it again')
  const [after] = await other.partitions()
  assert.notEqual(after, before)
  assert.deepEqual(await readAfter(reader, after!, 0), named(50))
  assert.equal((await reader.stats())[0]!.delivered, 0)
  assert.deepEqual(
    faults.map(({ code, message }) => [code, message]),
    [
      [
        'reset',
        `the log ${before} ends at record 50 and was read up to 100 before: it is read from its start`,
      ],
    ],
  )
  await log.close()
})

test('a disk that is restored to an earlier state while no process reads it is detected by its end', async () => {
  const directory = newSpool()
  await writeRecords(directory, named(10))
  await cp(directory, `${directory}-backup`, { recursive: true })
  await writeRecords(directory, named(20, 'later'))
  rmSync(directory, { recursive: true })
  await cp(`${directory}-backup`, directory, { recursive: true })
  const faults: RecordLogFault[] = []
  const log = openSpool(directory, {}, fault => faults.push(fault))
  const reader = await log.reader()
  const [before] = await reader.partitions()
  assert.deepEqual(await readAfter(reader, before!, 30), [])
  const [after] = await reader.partitions()
  assert.deepEqual(await readAfter(reader, after!, 0), named(10))
  assert.equal(faults.length, 1)
  await log.close()
})

test('a writer that finds delivered records missing starts another log', async () => {
  const directory = newSpool()
  await writeRecords(directory, named(3))
  const log = openSpool(directory)
  const reader = await log.reader()
  const [before] = await reader.partitions()
  await reader.release(before!, 3)
  const [segment] = segmentsOf(directory)
  truncateSync(segment!, readFileSync(segment!).length - 10)
  await writeRecords(directory, named(2, 'new'))
  const [after] = await reader.partitions()
  assert.notEqual(after, before)
  assert.deepEqual(await readAfter(reader, after!, 0), ['"1"', '"2"', '"new1"', '"new2"'])
  await log.close()
})

test('a log of an earlier version keeps its name, damage in its newest segment is no reset', async () => {
  const directory = newSpool()
  await writeRecords(directory, named(5))
  rmSync(join(directory, 'w', 'epoch'))
  const log = openSpool(directory)
  const reader = await log.reader()
  assert.deepEqual(await reader.partitions(), ['w'])
  const [segment] = segmentsOf(directory)
  const bytes = readFileSync(segment!)
  bytes[bytes.length - 30]! ^= 1
  writeFileSync(segment!, bytes)
  assert.deepEqual(await readAfter(reader, 'w', 5), [])
  assert.deepEqual(await reader.partitions(), ['w'])
  await log.close()
})
