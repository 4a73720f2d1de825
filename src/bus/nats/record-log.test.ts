import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { freePort } from '../../kit/testing/free-port.ts'
import type { RecordLogFault } from '../faults.ts'
import { openNatsRecordLog, type PartitionStats, RecordLogError } from '../index.ts'
import { defaultPolicy } from '../policy.ts'
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
      const open = () => openNatsRecordLog(url, fault => faults.push(fault), { ...defaultPolicy, ...policy })
      const logs = [await open()]
      return {
        partition: 'nats',
        log: {
          writer: (name, isWanted) => logs[0]!.writer(name, isWanted),
          reader: () => logs[0]!.reader(),
          close: async () => {
            for (const log of logs) await log.close()
          },
        },
        another: async () => {
          const log = await open()
          logs.push(log)
          return log
        },
      }
    },
  })

  test('an absent server is unavailable at the start', async () => {
    await assert.rejects(
      openNatsRecordLog('nats://127.0.0.1:1', () => {}),
      (error: unknown) => error instanceof RecordLogError && error.code === 'unavailable',
    )
  })

  test('records that the quota deletes before delivery are counted; delivered records are deleted after their retention time', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const onFault = (fault: RecordLogFault) => faults.push(fault)
    const log = await openNatsRecordLog(url, onFault, { ...defaultPolicy, bytes: 1 << 20, ageMs: 0 })
    const writer = await log.writer('w')
    const reader = await log.reader()
    for (let n = 1; n <= 100; n++) writer.append('x'.repeat(5000))
    await writer.flush()
    await reader.release('nats', 40)
    assert.equal((await reader.read('nats', 0, { records: 1, bytes: 1 }))[0]!.sequence, 41)
    for (let n = 1; n <= 300; n++) writer.append('x'.repeat(5000))
    await writer.flush()
    const [first] = await reader.read('nats', 0, { records: 1, bytes: 1 })
    const lost = first!.sequence - 41
    assert.ok(lost > 100 && lost < 300, `${lost} lost`)
    const [stats] = await reader.stats()
    assert.equal(stats!.dropped, lost)
    await reader.release('nats', 400)
    assert.deepEqual(
      faults.map(({ code, dropped }) => [code, dropped]),
      [['quota', lost]],
    )
    assert.equal((await reader.stats())[0]!.oldestMs, null)
    await log.close()
  })

  test('a stream’s discard policy follows the settings; records that it refuses to the end are counted', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const open = (full: 'drop-oldest' | 'refuse-requests') => {
      const policy = { ...defaultPolicy, bytes: 1 << 20, full }
      return openNatsRecordLog(url, fault => faults.push(fault), policy, { owner: '0123456789ab' })
    }
    const discard = async () => {
      let found: string | undefined
      await withManager(url, async manager => {
        found = (await manager.streams.info('SLUICE_RECORDS')).config.discard
      })
      return found
    }
    const readOnly = await open('drop-oldest')
    assert.equal(await discard(), 'old')
    const log = await open('refuse-requests')
    const writer = await log.writer('w')
    assert.equal(await discard(), 'new')
    // A process that only reads, such as a command, changes nothing.
    await (await readOnly.reader()).stats()
    await readOnly.close()
    assert.equal(await discard(), 'new')
    for (let n = 1; n <= 300; n++) writer.append('x'.repeat(5000))
    await assert.rejects(writer.flush(), /does not accept records/)
    assert.match(writer.full!, /maximum bytes exceeded|is full/)
    const reader = await log.reader()
    const [{ head, first }] = (await reader.stats()) as [PartitionStats]
    assert.equal(first, 1)
    await assert.rejects(log.close(), RecordLogError)
    assert.equal(
      faults.reduce((sum, { dropped }) => sum + dropped, 0),
      300 - head,
    )
    const again = await open('drop-oldest')
    await again.writer('w')
    assert.equal(await discard(), 'old')
    await again.close()
  })

  test('reads skip a deleted message', async () => {
    await deleteStream(url)
    const log = await openNatsRecordLog(url, () => {})
    const writer = await log.writer('w')
    for (let n = 1; n <= 6; n++) writer.append(`${n}`)
    await writer.flush()
    await withManager(url, manager => manager.streams.deleteMessage('SLUICE_RECORDS', 3))
    const reader = await log.reader()
    const seen: number[] = []
    for (let reads = 0; reads < 6; reads++) {
      const got = await reader.read('nats', seen.at(-1) ?? 0, plenty)
      seen.push(...got.map(record => record.sequence))
    }
    assert.deepEqual(seen, [1, 2, 4, 5, 6])
    await log.close()
  })

  test('a stream that is deleted or emptied during use is created again, and read from its start', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = await openNatsRecordLog(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    const send = async (...records: readonly string[]) => {
      for (const record of records) writer.append(record)
      await flushed(writer)
    }
    const readAll = async (after = 0) => {
      const [partition] = await reader.partitions()
      return (await reader.read(partition!, after, plenty)).map(({ record }) => record)
    }
    await send('1', '2', '3')
    const [before] = await reader.partitions()
    assert.deepEqual(await readAll(), ['1', '2', '3'])
    await withManager(url, manager => manager.streams.purge('SLUICE_RECORDS'))
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
    assert.equal((await reader.stats())[0]!.head, 0, 'also by who only reads')
    assert.ok(faults.every(({ dropped }) => dropped === 0))
    await log.close()
  })

  test('a server that has lost the end of the stream starts another log', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = await openNatsRecordLog(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    for (let n = 1; n <= 20; n++) writer.append(`${n}`)
    await writer.flush()
    const [before] = await reader.partitions()
    assert.deepEqual(await reader.read(before!, 20, plenty), [])
    assert.deepEqual(await reader.read(before!, 25, plenty), [])
    const [after] = await reader.partitions()
    assert.notEqual(after, before)
    assert.equal((await reader.read(after!, 0, plenty)).length, 20)
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['reset'],
    )
    await log.close()
  })

  test('a server that lost the end of the stream, and has other records there by now, starts another log', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = await openNatsRecordLog(url, fault => faults.push(fault))
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
    await flushed(writer)
    await restart('SIGTERM', () => cpSync(storage, earlier, { recursive: true }))
    writer.append('lost')
    await flushed(writer)
    const [before] = await reader.partitions()
    assert.equal((await reader.read(before!, 0, plenty)).length, 2)
    await restart('SIGKILL', () => {
      rmSync(storage, { recursive: true })
      cpSync(earlier, storage, { recursive: true })
      for (const record of ['new 1', 'new 2']) writer.append(record)
    })
    await flushed(writer)
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
    const open = (owner: string | undefined) => openNatsRecordLog(url, () => {}, defaultPolicy, { owner })
    const [one, two] = ['0123456789ab', 'ba9876543210']
    const log = await open(one)
    const reader = await log.reader()
    // Also after its end was lost.
    await reader.read((await reader.partitions())[0]!, 5, plenty)
    await assert.rejects(open(two), /created by another installation \(0123456789ab; .*SLUICE_NATS_STREAM/)
    for (const owner of [one, undefined]) await (await open(owner)).close()
    await log.close()
    await deleteStream(url)
    for (const owner of [undefined, one, two]) await (await open(owner)).close()
  })

  test('readers that find the lost end of a stream at the same time agree on the next log', async () => {
    await deleteStream(url)
    const logs = await Promise.all([1, 2, 3, 4].map(() => openNatsRecordLog(url, () => {})))
    const readers = await Promise.all(logs.map(log => log.reader()))
    const writer = await logs[0]!.writer('w')
    writer.append('1')
    await writer.flush()
    const found = async (reader: (typeof readers)[number]) => {
      const [before] = await reader.partitions()
      await reader.read(before!, 25, plenty)
      return (await reader.partitions())[0]!
    }
    const seen = [...(await Promise.all(readers.map(found))), ...(await readers[0]!.partitions())]
    assert.equal(new Set(seen).size, 1, seen.join())
    // Its end is lost once more: that is another log again.
    assert.notEqual(await found(readers[0]!), seen[0])
    for (const log of logs) await log.close()
  })

  test('records written while the server is killed and started again arrive once, all of them', async () => {
    await deleteStream(url)
    const faults: RecordLogFault[] = []
    const log = await openNatsRecordLog(url, fault => faults.push(fault))
    const writer = await log.writer('w')
    const reader = await log.reader()
    let sent = 0
    const send = (count: number): void => {
      for (let n = 0; n < count; n++) writer.append(`${sent++}`)
    }
    send(500)
    await writer.flush()
    await reader.read('nats', 0, { records: 100, bytes: 1e6 })
    send(500)
    server.kill('SIGKILL')
    await once(server, 'exit')
    send(500)
    await assert.rejects(writer.flush(), RecordLogError)
    server = await startServer(port, storage)
    await flushed(writer)
    send(500)
    await flushed(writer)
    const got = await reader.read('nats', 100, plenty)
    const numbers = got.map(({ record }) => Number(record))
    assert.equal(await reader.head('nats'), sent)
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      Array.from({ length: sent - 100 }, (_, n) => n + 100),
    )
    assert.ok(faults.every(fault => fault.code === 'write-failed' && fault.dropped === 0))
    await log.close()
  })
})

async function flushed(writer: { flush(): Promise<void> }): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await writer.flush()
    } catch {
      await new Promise(resolve => setTimeout(resolve, 250))
    }
  }
  assert.fail('the records were not taken')
}

type Manager = Awaited<ReturnType<typeof jetstreamManager>>

async function withManager(url: string, use: (manager: Manager) => Promise<unknown>): Promise<void> {
  const connection = await connectNats({ servers: url })
  await use(await jetstreamManager(connection))
  await connection.close()
}

async function deleteStream(url: string): Promise<void> {
  await withManager(url, manager => manager.streams.delete('SLUICE_RECORDS').catch(() => {}))
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
