import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { busSuite, plenty } from './bus-suite.ts'
import type { RecordLogFault } from './faults.ts'
import { openNatsRecordLog, RecordLogError } from './index.ts'
import { defaultPolicy } from './policy.ts'

const available = spawnSync('nats-server', ['--version']).status === 0
const skip = available ? false : 'no nats-server on the path'

describe('record log on NATS', { skip }, async () => {
  if (!available) return
  const storage = mkdtempSync(join(tmpdir(), 'sluice-nats-'))
  const port = await freePort()
  const url = `nats://127.0.0.1:${port}`
  let server = await startServer(port, storage)
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
          writer: name => logs[0]!.writer(name),
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

  test('a server that is away is unavailable at the start', async () => {
    await assert.rejects(
      openNatsRecordLog('nats://127.0.0.1:1', () => {}),
      (error: unknown) => error instanceof RecordLogError && error.code === 'unavailable',
    )
  })

  test('what the quota takes before it is delivered is counted; delivered records go when their time is over', async () => {
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

  test('a deleted message is a gap that reads go past', async () => {
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
