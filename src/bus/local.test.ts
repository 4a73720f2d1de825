import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { busLimits } from '../kit/limits.ts'
import { busSuite, plenty } from './bus-suite.ts'
import type { RecordLogFault } from './faults.ts'
import { openLocalRecordLog, RecordLogError } from './index.ts'
import type { RecordReader } from './port.ts'

const scratch = mkdtempSync(join(tmpdir(), 'sluice-spool-'))
after(() => rmSync(scratch, { recursive: true, force: true }))
let spools = 0
function newSpool(): string {
  return join(scratch, `spool-${spools++}`)
}

function failOnFault(fault: RecordLogFault): void {
  assert.fail(fault.message)
}

describe('record log on local files', () => {
  busSuite({
    fresh: async faults => {
      const directory = newSpool()
      const open = () => openLocalRecordLog(directory, fault => faults.push(fault))
      return { partition: 'w', log: open(), another: async () => open() }
    },
  })
})

test('records are on disk after the turn of the event loop, without a flush', async () => {
  const directory = newSpool()
  const log = openLocalRecordLog(directory, failOnFault)
  const writer = await log.writer('w')
  const [file] = segmentsOf(directory)
  writer.append('"one"')
  writer.append('"two"')
  assert.equal(statSync(file!).size, 0)
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  assert.match(readFileSync(file!, 'latin1'), /"one".*"two"/s)
  await log.close()
})

test('a partition has one writer, and the next takes over when it is gone', async () => {
  const directory = newSpool()
  const child = startWriter(directory, 0)
  await once(child.process.stdout, 'data')
  const log = openLocalRecordLog(directory, failOnFault)
  await assert.rejects(log.writer('w'), isCode('locked'))
  await (await log.writer('other')).close()
  child.process.kill('SIGKILL')
  await child.ended
  const writer = await log.writer('w')
  await assert.rejects(openLocalRecordLog(directory, failOnFault).writer('w'), isCode('locked'))
  await writer.close()
  for (const name of ['', '.', '..', '../w', 'a/b', 'a.b', 'x'.repeat(65)]) {
    await assert.rejects(log.writer(name), isCode('unavailable'))
  }
  await log.close()
})

test('every torn tail is cut, and what was whole before it stays', async () => {
  const whole = newSpool()
  await writeRecords(whole, ['"one"', '"two"'])
  const bytes = readFileSync(segmentsOf(whole)[0]!)
  const firstLength = 20 + '"one"'.length
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

test('segments roll; a release deletes whole ones below it, never the newest', async () => {
  const directory = newSpool()
  const log = openLocalRecordLog(directory, failOnFault)
  const writer = await log.writer('w')
  const reader = await log.reader()
  const record = `"${'x'.repeat(500_000)}"`
  const perSegment = Math.ceil(busLimits.segmentBytes / (record.length + 20))
  for (let n = 0; n < 2 * perSegment + 1; n++) {
    writer.append(record)
    await writer.flush()
  }
  assert.equal(segmentsOf(directory).length, 3)
  for (const [released, segments, oldest] of [
    [perSegment - 1, 3, 1],
    [perSegment, 2, perSegment + 1],
    [2 * perSegment - 1, 2, perSegment + 1],
    [2 * perSegment + 1, 1, 2 * perSegment + 1],
  ] as const) {
    await reader.release('w', released)
    assert.equal(segmentsOf(directory).length, segments)
    const [first] = await reader.read('w', 0, { records: 1, bytes: 1 })
    assert.equal(first?.sequence, oldest)
    assert.equal(await reader.head('w'), 2 * perSegment + 1)
  }
  await log.close()
  await writeRecords(directory, ['"next"'])
  const again = await openLocalRecordLog(directory, failOnFault).reader()
  const [next] = await again.read('w', 2 * perSegment + 1, plenty)
  assert.deepEqual([next?.sequence, next?.record], [2 * perSegment + 2, '"next"'])
  await again.close()
})

test('a damaged record in an older segment is reported and what follows it there skipped', async () => {
  const directory = newSpool()
  const faults: RecordLogFault[] = []
  const log = openLocalRecordLog(directory, fault => faults.push(fault))
  const writer = await log.writer('w')
  const record = `"${'x'.repeat(900_000)}"`
  while (segmentsOf(directory).length < 2) {
    writer.append(record)
    await writer.flush()
  }
  const [older, newer] = segmentsOf(directory)
  const bytes = readFileSync(older!)
  bytes[900_500]! ^= 1
  writeFileSync(older!, bytes)
  const newest = Number(newer!.slice(-20, -4))
  const reader = await log.reader()
  const got = await reader.read('w', 0, plenty)
  assert.deepEqual(
    got.map(({ sequence }) => sequence),
    [1, newest],
  )
  assert.deepEqual(
    faults.map(({ code, dropped }) => [code, dropped]),
    [['corrupt', newest - 2]],
  )
  await log.close()
})

test('when the disk is full nothing is thrown at the caller, the loss is counted', async t => {
  const directory = newSpool()
  const faults: RecordLogFault[] = []
  const log = openLocalRecordLog(directory, fault => faults.push(fault))
  const writer = await log.writer('w')
  writer.append('"before"')
  await writer.flush()
  const limit = statSync(segmentsOf(directory)[0]!).size + 30
  if (!limitFileSize(limit)) return t.skip('no prlimit here')
  t.after(() => limitFileSize('unlimited'))
  for (let n = 0; n < 5; n++) writer.append('"0123456789"')
  await assert.rejects(writer.flush(), isCode('write-failed'))
  const filler = 'x'.repeat(busLimits.recordBytesMax)
  for (let n = 0; n < busLimits.queueBytesMax / filler.length + 3; n++) writer.append(filler)
  assert.ok(faults.some(({ code, dropped }) => code === 'dropped' && dropped > 0))
  const reader = await log.reader()
  assert.equal(await reader.head('w'), 1)
  limitFileSize('unlimited')
  await writer.flush()
  const got = await reader.read('w', 0, { records: 6, bytes: 1e6 })
  assert.deepEqual(
    got.map(({ record }) => record),
    ['"before"', ...Array.from({ length: 5 }, () => '"0123456789"')],
  )
  await log.close()
})

test('a writer that is killed loses nothing that flush acknowledged and repeats nothing', async () => {
  const directory = newSpool()
  let acknowledged = -1
  let next = 0
  for (const killAfter of [1, 20, 50]) {
    const child = startWriter(directory, next, killAfter)
    acknowledged = Math.max(acknowledged, await child.ended)
    const numbers = (await readAll(directory)).map(text => (JSON.parse(text) as { n: number }).n)
    assert.deepEqual(
      numbers,
      Array.from({ length: numbers.length }, (_, n) => n),
    )
    assert.ok(numbers.length > acknowledged, `${numbers.length} records, ${acknowledged} acknowledged`)
    next = numbers.length
  }
})

/** The limit stands in for a full disk: a write up to it is cut short, one beyond it fails. */
function limitFileSize(bytes: number | 'unlimited'): boolean {
  process.on('SIGXFSZ', () => {})
  return spawnSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`]).status === 0
}

function isCode(code: RecordLogError['code']): (error: unknown) => boolean {
  return error => error instanceof RecordLogError && error.code === code
}

function segmentsOf(directory: string): string[] {
  const partition = join(directory, 'w')
  return readdirSync(partition)
    .filter(name => name.endsWith('.log'))
    .sort()
    .map(name => join(partition, name))
}

async function writeRecords(directory: string, records: readonly string[]): Promise<void> {
  const log = openLocalRecordLog(directory, failOnFault)
  const writer = await log.writer('w')
  for (const record of records) writer.append(record)
  await log.close()
}

async function readAll(directory: string): Promise<string[]> {
  const reader: RecordReader = await openLocalRecordLog(directory, failOnFault).reader()
  const records: string[] = []
  for (;;) {
    const got = await reader.read('w', records.length, plenty)
    if (got.length === 0) break
    records.push(...got.map(({ record }) => record))
  }
  assert.equal(await reader.head('w'), records.length)
  await reader.close()
  return records
}

/** @returns `ended` gives the last number that was acknowledged */
function startWriter(directory: string, first: number, killAfter = Number.POSITIVE_INFINITY) {
  const script = join(import.meta.dirname, 'local', 'test-writer.ts')
  const child = spawn(process.execPath, [script, directory, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = -1
  let lineCount = 0
  const lines = createInterface({ input: child.stdout })
  lines.on('line', line => {
    acknowledged = Number(line)
    if (++lineCount === killAfter) child.kill('SIGKILL')
  })
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')]).then(() => acknowledged)
  return { process: child, ended }
}
