import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordLogFault } from '../../faults.ts'
import { busLimits } from '../../limits.ts'
import { busSuite, fullLogSuite, type RecordLogUnderTest } from '../../testing/record-log-suite.ts'
import { isCode, newSpool, openSpool, plenty, readAll, segmentsOf, startWriter } from '../../testing/spool.ts'

describe('record log on local files', () => {
  const adapter: RecordLogUnderTest = {
    fresh: async (faults, policy) => {
      const directory = newSpool()
      const open = () => openSpool(directory, policy, fault => faults.push(fault))
      return { partition: 'w', log: open(), another: async () => open() }
    },
  }
  busSuite(adapter)
  fullLogSuite(adapter)
})

test('records are on disk after the turn of the event loop, without a flush', async () => {
  const directory = newSpool()
  const log = openSpool(directory)
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
  const child = startWriter(directory, 0, 'interval')
  await once(child.process.stdout, 'data')
  const log = openSpool(directory)
  await assert.rejects(log.writer('w'), isCode('locked'))
  await (await log.writer('other')).close()
  child.process.kill('SIGKILL')
  await child.ended
  const writer = await log.writer('w')
  await assert.rejects(openSpool(directory).writer('w'), isCode('locked'))
  await writer.close()
  for (const name of ['', '.', '..', '../w', 'a/b', 'a.b', 'x'.repeat(65)]) {
    await assert.rejects(log.writer(name), isCode('unavailable'))
  }
  await log.close()
})

test('on a full disk the caller gets no error, and the loss is counted', async t => {
  const directory = newSpool()
  const faults: RecordLogFault[] = []
  const log = openSpool(directory, {}, fault => faults.push(fault))
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

test('a disk that accepts nothing: half of the memory queue is reserved for requests in progress', async t => {
  const directory = newSpool()
  const log = openSpool(directory, { full: 'refuse-requests' }, () => {})
  const writer = await log.writer('w')
  writer.append('"before"')
  await writer.flush()
  if (!limitFileSize(statSync(segmentsOf(directory)[0]!).size)) return t.skip('no prlimit here')
  t.after(() => limitFileSize('unlimited'))
  let waiting = 0
  const filler = 'x'.repeat(busLimits.recordBytesMax)
  while (writer.full === undefined) {
    writer.append(filler)
    waiting += filler.length
  }
  assert.match(writer.full, /wait in memory/)
  assert.ok(waiting <= busLimits.queueBytesMax / 2 + filler.length, `${waiting} bytes wait`)
  limitFileSize('unlimited')
  await writer.flush()
  assert.equal(writer.full, undefined)
  await log.close()
})

test('on a full disk delivered records are deleted, and nothing is lost', async t => {
  const mount = newSpool()
  mkdirSync(mount)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', mount]).status !== 0)
    return t.skip('cannot mount a small file system')
  const directory = join(mount, 'spool')
  const faults: RecordLogFault[] = []
  // The quota does not reflect the size of the disk.
  const log = openSpool(directory, { bytes: 8 * 1024 * 1024 }, fault => faults.push(fault))
  t.after(async () => {
    await log.close()
    spawnSync('umount', ['-l', mount])
  })
  const writer = await log.writer('w')
  const reader = await log.reader()
  let sent = 0
  const send = async (): Promise<boolean> => {
    writer.append(`${++sent}`.padEnd(100_000))
    return writer.flush().then(
      () => true,
      () => false,
    )
  }
  while (await send());
  const written = await reader.head('w')
  assert.equal(written, sent - 1)
  assert.deepEqual(new Set(faults.map(({ code }) => code)), new Set(['write-failed']))
  await reader.release('w', written)
  while ((await reader.head('w')) < sent) await sleep(20)
  const last = (await reader.read('w', written, plenty)).map(({ record }) => record.trim())
  assert.deepEqual(last, [`${sent}`])
  assert.ok(faults.every(({ code, dropped }) => code === 'write-failed' && dropped === 0))
  assert.ok((await reader.stats())[0]!.bytes < 4 * 1024 * 1024)
})

test('a directory that cannot be written is unavailable', async t => {
  const directory = newSpool()
  mkdirSync(directory, { mode: 0o500 })
  if (process.getuid!() === 0) {
    chmodSync(directory, 0o555)
    process.seteuid!(65534)
    t.after(() => process.seteuid!(0))
  }
  await assert.rejects(openSpool(directory).writer('w'), isCode('unavailable'))
})

test('every sync policy keeps all records, however many flushes wait at once', async () => {
  for (const sync of ['always', 'interval', 'never'] as const) {
    const directory = newSpool()
    const log = openSpool(directory, { sync })
    const writer = await log.writer('w')
    const flushes: Promise<void>[] = []
    for (let n = 0; n < 200; n++) {
      writer.append(`${n}`)
      flushes.push(writer.flush())
    }
    await Promise.all(flushes)
    writer.append('last')
    await log.close()
    assert.equal((await readAll(directory)).length, 201)
  }
})

test('when the disk cannot be synced a flush fails, and later records go into a new segment', async () => {
  const directory = newSpool()
  mkdirSync(join(directory, 'w'), { recursive: true })
  // Takes every write, and no sync.
  symlinkSync('/dev/null', join(directory, 'w', '0000000000000001.log'))
  const faults: RecordLogFault[] = []
  const log = openSpool(directory, { sync: 'always' }, fault => faults.push(fault))
  const writer = await log.writer('w')
  writer.append('1')
  await assert.rejects(writer.flush(), isCode('write-failed'))
  assert.deepEqual(
    faults.map(({ code, dropped }) => [code, dropped]),
    [['sync-failed', 0]],
  )
  writer.append('2')
  await writer.flush()
  assert.match(readFileSync(segmentsOf(directory)[1]!, 'latin1'), /2$/)
  assert.equal(faults.length, 1)
  await log.close()
})

/** The limit stands in for a full disk: a write up to it is cut short, one beyond it fails. */
function limitFileSize(bytes: number | 'unlimited'): boolean {
  process.on('SIGXFSZ', () => {})
  return spawnSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`]).status === 0
}
