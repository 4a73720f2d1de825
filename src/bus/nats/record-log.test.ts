import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { freePort } from '../../kit/testing/free-port.ts'
import type { RecordLogFault } from '../faults.ts'
import {
  openLocalRecordLog,
  type PartitionStats,
  type RecordLog,
  RecordLogError,
  type RecordReader,
} from '../index.ts'
import { defaultPolicy } from '../policy.ts'
import { isForwarded, openForwarding, openNats } from '../testing/nats.ts'
import { busSuite, plenty } from '../testing/record-log-suite.ts'

const available = spawnSync('nats-server', ['--version']).status === 0
if (!available) console.error('NOT TESTED: the record log on NATS: nats-server is not installed')
const skip = available ? false : 'no nats-server on the path'

const port = await freePort()

describe('record log on NATS', { skip }, () => {
  if (!available) return
  const storage = mkdtempSync(join(tmpdir(), 'sluice-nats-'))
  const url = `nats://127.0.0.1:${port}`
  let server: ChildProcess
  before(async () => {
    server = await startServer(port, storage)
  })
  after(async () => {
    await stop(server)
    rmSync(storage, { recursive: true, force: true })
  })

  busSuite({
    fresh: async (faults, policy) => {
      await deleteStream(url)
      const open = () => openForwarding(url, fault => faults.push(fault), { ...defaultPolicy, ...policy })
      const logs = [open()]
      await madeStream(logs[0]!)
      return {
        partition: 'nats-1',
        log: {
          writer: (name, isWanted) => logs[0]!.writer(name, isWanted),
          reader: () => logs[0]!.reader(),
          close: async () => {
            for (const log of logs) await log.close()
          },
        },
        another: async () => {
          const log = open()
          logs.push(log)
          return log
        },
      }
    },
  })

  test('without a server a writer and the forwarder start; a reader says that it is away', async () => {
    const faults: RecordLogFault[] = []
    const log = openNats('nats://127.0.0.1:1', fault => faults.push(fault))
    const writer = await log.writer('w')
    await log.forward!()
    writer.append('1')
    await writer.flush()
    await assert.rejects(
      (await log.reader()).stats(),
      (error: unknown) => error instanceof RecordLogError && error.code === 'unavailable',
    )
    assert.deepEqual(
      faults.map(({ code, dropped }) => [code, dropped]),
      [['write-failed', 0]],
    )
    await log.close()
  })

  test('records that the quota deletes before delivery are counted; delivered records are deleted after their retention time', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const onFault = (fault: RecordLogFault) => faults.push(fault)
    const log = openForwarding(url, onFault, { ...defaultPolicy, ageMs: 0 }, { bytes: 1 << 20 })
    const writer = await log.writer('w')
    const reader = await log.reader()
    for (let n = 1; n <= 100; n++) writer.append('x'.repeat(5000))
    await writer.flush()
    await reader.release('nats-1', 40)
    assert.equal((await reader.read('nats-1', 0, { records: 1, bytes: 1 }))[0]!.sequence, 41)
    for (let n = 1; n <= 300; n++) writer.append('x'.repeat(5000))
    await writer.flush()
    const [first] = await reader.read('nats-1', 0, { records: 1, bytes: 1 })
    const lost = first!.sequence - 41
    assert.ok(lost > 100 && lost < 300, `${lost} lost`)
    const [stats] = await reader.stats()
    assert.equal(stats!.dropped, lost)
    await reader.release('nats-1', 400)
    assert.deepEqual(
      faults.map(({ code, dropped }) => [code, dropped]),
      [['quota', lost]],
    )
    assert.equal((await reader.stats())[0]!.oldestMs, null)
    await log.close()
  })

  test('a stream’s discard policy follows the settings; records that it refuses wait in the spool, and then requests are refused', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const open = (full: 'drop-oldest' | 'refuse-requests') =>
      openForwarding(
        url,
        fault => faults.push(fault),
        { ...defaultPolicy, bytes: 1 << 20, full },
        { owner: '0123456789ab', bytes: 1 << 20 },
      )
    const discard = async () => {
      let found: string | undefined
      await withManager(url, async manager => {
        found = (await manager.streams.info('SLUICE_RECORDS_1')).config.discard
      })
      return found
    }
    const log = open('refuse-requests')
    const writer = await log.writer('w')
    writer.append('1')
    await writer.flush()
    assert.equal(await discard(), 'new')
    let appended = 1
    while (writer.full === undefined) {
      writer.append(`${++appended}`.padEnd(5000))
      // The forwarder frees the spool once a second: until then, the spool alone must not be full.
      await sleep(8)
    }
    assert.ok(appended > 300, `${appended} records are all that fitted into the stream and the spool`)
    assert.match(writer.full, /NATS has not taken/)
    const reader = await log.reader()
    assert.equal(await reader.isFull(), true)
    const seen: number[] = []
    while (seen.length < appended) {
      const got = await reader.read('nats-1', seen.length, plenty)
      seen.push(...got.map(({ record }) => Number(record)))
      await reader.release('nats-1', seen.length)
      if (got.length === 0) await sleep(50)
    }
    assert.deepEqual(
      seen,
      Array.from({ length: appended }, (_, n) => n + 1),
    )
    for (let waitedMs = 0; writer.full !== undefined; waitedMs += 50) {
      assert.ok(waitedMs < 10_000, 'the spool stays full')
      await sleep(50)
    }
    await log.close()
    assert.ok(faults.every(({ dropped }) => dropped === 0))
    const again = open('drop-oldest')
    const next = await again.writer('w')
    next.append('1')
    await next.flush()
    assert.equal(await discard(), 'old')
    await again.close()
  })

  test('where no job waits for records, the oldest are deleted', async () => {
    await deleteStream(url)
    const policy = { ...defaultPolicy, full: 'refuse-requests' } as const
    const log = openForwarding(url, () => {}, policy, { bytes: 1 << 20 })
    const writer = await log.writer('w', () => false)
    for (let n = 1; n <= 500; n++) writer.append(`${n}`.padEnd(5000))
    await writer.flush()
    assert.equal(await (await log.reader()).head('nats-1'), 500)
    await log.close()
  })

  test('the records of a zone are in one partition, in their order; each record in one', async () => {
    await deleteStream(url)
    const log = openForwarding(url, assert.ifError, defaultPolicy, { partitions: 3 })
    const writer = await log.writer('w')
    const zones = Array.from({ length: 30 }, (_, n) => n.toString(16).padStart(32, 'a'))
    const textOf = (zone: string, n: number) =>
      JSON.stringify({ zone, account: 'b'.repeat(32), dataset: 'http_requests', fields: { n } })
    for (let n = 0; n < 10; n++) for (const zone of zones) writer.append(textOf(zone, n))
    await writer.flush()
    const reader = await log.reader()
    const byZone = new Map<string, string[]>()
    for (const partition of await reader.partitions()) {
      const texts = (await reader.read(partition, 0, plenty)).map(({ record }) => record)
      assert.ok(texts.length > 0 && texts.length < 300)
      for (const zone of zones) {
        const own = texts.filter(text => text.includes(zone))
        if (own.length > 0) assert.equal(byZone.set(zone, own).size > 0 && own.length, 10)
      }
    }
    for (const zone of zones)
      assert.deepEqual(
        byZone.get(zone),
        Array.from({ length: 10 }, (_, n) => textOf(zone, n)),
      )
    await log.close()
    const other = openNats(url, () => {}, defaultPolicy, { partitions: 4, owner: undefined })
    assert.equal(
      (await (await other.reader()).partitions()).length,
      3,
      'these streams do not name their number',
    )
    await other.close()
  })

  test('the stream of a version before partitions is read to its end, and is never created', async () => {
    await deleteStream(url)
    await withManager(url, async manager => {
      await manager.streams.add({ name: 'SLUICE_RECORDS', subjects: ['sluice.records'] })
      await manager.jetstream().publish('sluice.records', '"old"')
    })
    const log = openForwarding(url, assert.ifError)
    const writer = await log.writer('w')
    writer.append('"new"')
    await writer.flush()
    const reader = await log.reader()
    const [one, earlier] = await reader.partitions()
    assert.match(earlier ?? one!, /^nats\.[0-9a-f]{8}$/)
    const texts = await Promise.all(
      [one!, earlier!].map(async partition => (await reader.read(partition, 0, plenty))[0]?.record),
    )
    assert.deepEqual(texts.sort(), ['"new"', '"old"'])
    await withManager(url, manager => manager.streams.delete('SLUICE_RECORDS'))
    assert.equal((await reader.partitions()).length, 1)
    await log.close()
  })

  test('processes with another number of partitions are refused', async () => {
    await deleteStream(url)
    const open = (partitions: number) =>
      openNats(url, () => {}, defaultPolicy, { partitions, owner: '0123456789ab' })
    const log = open(2)
    await madeStream(log)
    const other = open(4)
    await assert.rejects(
      (await other.reader()).partitions(),
      /one of 2 partitions: set SLUICE_NATS_PARTITIONS=2/,
    )
    await Promise.all([log.close(), other.close()])
  })

  test('a forwarder that is killed again and again puts each record into the streams once, with any duplicate window', async () => {
    await deleteStream(url)
    const directory = mkdtempSync(join(tmpdir(), 'sluice-nats-killed-'))
    const options = { partitions: 2, duplicateMs: 100 }
    const script = fileURLToPath(new URL('../testing/nats-writer.ts', import.meta.url))
    for (let life = 1; life <= 2; life++) {
      const child = spawn(process.execPath, [script, url, directory, `${life}`], {
        stdio: ['ignore', 'pipe', 2],
      })
      await once(child.stdout!, 'data')
      await sleep(150 * life)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await sleep(150)
    }
    const log = openNats(url, () => {}, defaultPolicy, options, directory)
    await isForwarded(await log.forward!())
    const reader = await log.reader()
    const seen: string[] = []
    for (const partition of await reader.partitions())
      for (let after = 0; ; ) {
        const got = await reader.read(partition, after, plenty)
        if (got.length === 0) break
        after = got.at(-1)!.sequence
        seen.push(...got.map(({ record }) => record))
      }
    const spool = openLocalRecordLog(directory, () => {})
    const [{ head }] = (await (await spool.reader()).stats()) as [PartitionStats]
    assert.ok(head > 500, `${head} records`)
    assert.equal(seen.length, head)
    assert.equal(new Set(seen).size, head)
    await spool.close()
    await log.close()
    rmSync(directory, { recursive: true })
  })

  test('a data directory that was restored or copied loses no new record, and repeats none', async () => {
    await deleteStream(url)
    const parent = mkdtempSync(join(tmpdir(), 'sluice-nats-copied-'))
    const [one, two, backup] = [join(parent, 'one'), join(parent, 'two'), join(parent, 'backup')]
    const send = async (directory: string, ...records: readonly string[]) => {
      const log = openForwarding(url, assert.ifError, defaultPolicy, { duplicateMs: 100 }, directory)
      const writer = await log.writer('w')
      for (const record of records) writer.append(record)
      await writer.close()
      await log.close()
    }
    const spool = openLocalRecordLog(one, assert.ifError)
    const writer = await spool.writer('w')
    for (const record of ['1', '2']) writer.append(record)
    await writer.close()
    await spool.close()
    cpSync(one, backup, { recursive: true })
    await send(one, '3', '4')
    rmSync(one, { recursive: true })
    cpSync(backup, one, { recursive: true })
    await send(one, '5', '6', '7')
    cpSync(one, two, { recursive: true })
    await send(one, '8')
    await send(two, '9')
    const log = openNats(url)
    const records = await (await log.reader()).read('nats-1', 0, plenty)
    assert.deepEqual(
      records.map(({ record }) => record),
      ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    )
    await log.close()
    rmSync(parent, { recursive: true })
  })

  test('reads skip a deleted message', async () => {
    await deleteStream(url)
    const log = openForwarding(url, () => {})
    const writer = await log.writer('w')
    for (let n = 1; n <= 6; n++) writer.append(`${n}`)
    await writer.flush()
    await withManager(url, manager => manager.streams.deleteMessage('SLUICE_RECORDS_1', 3))
    const reader = await log.reader()
    const seen: number[] = []
    for (let reads = 0; reads < 6; reads++) {
      const got = await reader.read('nats-1', seen.at(-1) ?? 0, plenty)
      seen.push(...got.map(record => record.sequence))
    }
    assert.deepEqual(seen, [1, 2, 4, 5, 6])
    await log.close()
  })

  test('a stream that is deleted or emptied during use is created again, and read from its start', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = openForwarding(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    const send = async (...records: readonly string[]) => {
      for (const record of records) writer.append(record)
      await writer.flush()
    }
    const readAll = async (after = 0) => {
      const [partition] = await reader.partitions()
      return (await reader.read(partition!, after, plenty)).map(({ record }) => record)
    }
    await send('1', '2', '3')
    const [before] = await reader.partitions()
    assert.deepEqual(await readAll(), ['1', '2', '3'])
    await withManager(url, manager => manager.streams.purge('SLUICE_RECORDS_1'))
    await send('4')
    assert.deepEqual(await reader.partitions(), [before], 'sequences go on in an emptied stream')
    assert.deepEqual(await readAll(3), ['4'])

    await deleteStream(url)
    await send('5', '6')
    const [after] = await reader.partitions()
    assert.notEqual(after, before)
    assert.deepEqual(await reader.read(before!, 1, plenty), [])
    assert.deepEqual(await readAll(), ['5', '6'])

    await deleteStream(url)
    assert.deepEqual(await reader.partitions(), [], 'a reader creates none')
    assert.ok(faults.every(({ dropped }) => dropped === 0))
    await log.close()
  })

  test('a server that has lost the end of the stream starts another log', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = openForwarding(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    for (let n = 1; n <= 20; n++) writer.append(`${n}`)
    await writer.flush()
    const [before] = await reader.partitions()
    assert.deepEqual(await reader.read(before!, 20, plenty), [])
    assert.deepEqual(await reader.read(before!, 25, plenty), [])
    assert.deepEqual(await reader.partitions(), [before], 'a server can be late for a moment')
    const after = await nextLog(reader, before!)
    assert.equal((await reader.read(after, 0, plenty)).length, 20)
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['reset'],
    )
    await log.close()
  })

  test('a server that lost the end of the stream, and has other records there by now, starts another log', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = openForwarding(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    const earlier = mkdtempSync(join(tmpdir(), 'sluice-nats-earlier-'))
    const restart = async (signal: NodeJS.Signals, whileDown: () => void) => {
      server.kill(signal)
      await once(server, 'exit')
      whileDown()
      server = await startServer(port, storage)
    }
    writer.append('kept')
    await writer.flush()
    await restart('SIGTERM', () => cpSync(storage, earlier, { recursive: true }))
    writer.append('lost')
    await writer.flush()
    const [before] = await reader.partitions()
    assert.equal((await reader.read(before!, 0, plenty)).length, 2)
    await restart('SIGKILL', () => {
      rmSync(storage, { recursive: true })
      cpSync(earlier, storage, { recursive: true })
      for (const record of ['new 1', 'new 2']) writer.append(record)
    })
    await writer.flush()
    assert.deepEqual(await reader.read(before!, 2, plenty), [])
    const [after] = await reader.partitions()
    const records = await reader.read(after!, 0, plenty)
    assert.deepEqual(
      records.map(({ record }) => record),
      ['kept', 'new 1', 'new 2'],
    )
    assert.equal(faults.filter(({ code }) => code === 'reset').length, 1)
    rmSync(earlier, { recursive: true })
    await log.close()
  })

  test('a stream of another installation is refused; one of unknown origin is accepted', async () => {
    await deleteStream(url)
    const open = (owner: string | undefined) => openNats(url, () => {}, defaultPolicy, { owner })
    const look = async (owner: string | undefined) => {
      const log = open(owner)
      try {
        return (await (await log.reader()).partitions()).length
      } finally {
        await log.close()
      }
    }
    const [one, two] = ['0123456789ab', 'ba9876543210']
    const log = open(one)
    await madeStream(log)
    const reader = await log.reader()
    // Also after its end was lost.
    await nextLog(reader, (await reader.partitions())[0]!)
    await assert.rejects(look(two), /created by another installation \(0123456789ab; .*SLUICE_NATS_STREAM/)
    for (const owner of [one, undefined]) assert.equal(await look(owner), 1)
    await log.close()
    await deleteStream(url)
    const unowned = open(undefined)
    await madeStream(unowned)
    for (const owner of [undefined, one, two]) assert.equal(await look(owner), 1)
    await unowned.close()
  })

  test('a stream of a version without marks gets the mark of its epoch, and stays the same log', async () => {
    await deleteStream(url)
    const log = openForwarding(url, () => {}, defaultPolicy, { owner: '0123456789ab' })
    await madeStream(log)
    const earlier = 'Log records of the Sluice installation 0123456789ab, partition 1 of 1'
    let description: string | undefined
    await withManager(url, async ({ streams }) => {
      await streams.update('SLUICE_RECORDS_1', { description: earlier })
    })
    const reader = await log.reader()
    const [before] = await reader.partitions()
    const writer = await log.writer('w')
    writer.append('1')
    await writer.flush()
    await withManager(url, async ({ streams }) => {
      description = (await streams.info('SLUICE_RECORDS_1')).config.description
    })
    assert.equal(description, `${earlier} (log ${before!.split('.').at(-1)})`)
    assert.deepEqual(await reader.partitions(), [before])
    await log.close()
  })

  test('readers that find the lost end of a stream at the same time agree on the next log', async () => {
    await deleteStream(url)
    const logs = [1, 2, 3, 4].map(() => openForwarding(url))
    const readers = await Promise.all(logs.map(log => log.reader()))
    const writer = await logs[0]!.writer('w')
    writer.append('1')
    await writer.flush()
    const [[before]] = (await Promise.all(readers.map(reader => reader.partitions()))) as [string[]]
    const seen = await Promise.all(readers.map(reader => nextLog(reader, before!)))
    seen.push(...(await readers[0]!.partitions()))
    assert.equal(new Set(seen).size, 1, seen.join())
    // Its end is lost once more: that is another log again.
    await nextLog(readers[0]!, seen[0]!)
    for (const log of logs) await log.close()
  })

  test('records written while the server is killed and started again arrive once, all of them', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = openForwarding(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    let sent = 0
    const send = (count: number): void => {
      for (let n = 0; n < count; n++) writer.append(`${sent++}`)
    }
    send(500)
    await writer.flush()
    await reader.read('nats-1', 0, { records: 100, bytes: 1e6 })
    send(500)
    server.kill('SIGKILL')
    await once(server, 'exit')
    send(500)
    server = await startServer(port, storage)
    await writer.flush()
    send(500)
    await writer.flush()
    const got = await reader.read('nats-1', 100, plenty)
    const numbers = got.map(({ record }) => Number(record))
    assert.equal(await reader.head('nats-1'), sent)
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      Array.from({ length: sent - 100 }, (_, n) => n + 100),
    )
    assert.ok(faults.every(fault => fault.code === 'write-failed' && fault.dropped === 0))
    await log.close()
  })
})

type Manager = Awaited<ReturnType<typeof jetstreamManager>>

async function withManager(url: string, use: (manager: Manager) => Promise<unknown>): Promise<void> {
  const connection = await connectNats({ servers: url })
  await use(await jetstreamManager(connection))
  await connection.close()
}

async function deleteStream(url: string): Promise<void> {
  await withManager(url, async manager => {
    for await (const name of manager.streams.names()) await manager.streams.delete(name)
  })
}

/** A forwarder creates the streams. */
async function madeStream(log: RecordLog): Promise<void> {
  const [forwarding, reader] = [await log.forward!(), await log.reader()]
  while ((await reader.partitions()).length === 0) await sleep(20)
  await forwarding.stop()
}

async function startServer(port: number, storage: string): Promise<ChildProcess> {
  const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', storage]
  const server = spawn('nats-server', args, { stdio: 'ignore' })
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await answers(port)) return server
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  server.kill('SIGKILL')
  assert.fail('nats-server does not start')
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('data', () => resolve(true)).on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.once('data', () => socket.destroy())
  })
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  await exited
}

/** Reads behind the end of a log. @returns the name of the log that follows it */
async function nextLog(reader: RecordReader, before: string): Promise<string> {
  for (let turn = 0; turn < 40; turn++, await sleep(500)) {
    assert.deepEqual(await reader.read(before, 25, plenty), [])
    const [now] = await reader.partitions()
    if (now !== before) return now!
  }
  assert.fail(`${before} stays the same log`)
}
