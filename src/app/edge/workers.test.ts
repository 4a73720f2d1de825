import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ListenOptions, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { newRateMemory, newRateSecret } from '../../bus/index.ts'
import type { TraceAnswer, TraceRequest } from '../../model/request-trace.ts'
import { readSettings } from '../../model/settings/index.ts'
import type { WorkerAddress } from './listeners.ts'
import type { EdgeInput } from './run-edge.ts'
import { assertUnused, canSharePorts } from './shared-port.ts'
import { type EdgeInheritance, EdgeWorkers, type EdgeWorkersDeps } from './workers.ts'

type Thread = ReturnType<EdgeWorkersDeps['startThread']>

/** A thread that only records its calls. */
class FakeThread implements Thread {
  readonly partition: string
  readonly asked: string[] = []
  readonly #end = Promise.withResolvers<Error | undefined>()
  readonly ended = this.#end.promise
  failure: Error | undefined
  traces = 0

  constructor({ partition, settings, geo }: EdgeInput) {
    this.partition = partition
    assert.ok(settings.workers >= 1 && geo.countries.byteLength > 0)
  }

  async listen(addresses: readonly WorkerAddress[]): Promise<readonly number[]> {
    const texts = addresses.map(where =>
      where.kind === 'port'
        ? `${where.port}${where.shared ? ' shared' : ''}`
        : where.kind === 'inherited'
          ? `fd ${where.fd}`
          : where.kind,
    )
    this.asked.push(`listen ${texts}`)
    if (this.failure !== undefined) throw this.failure
    return addresses.map(where => (where.kind === 'port' ? where.port || 4711 : 0))
  }

  metrics(): Promise<readonly object[]> {
    return Promise.resolve([{ name: this.partition }])
  }

  setDown(keys: readonly string[]): void {
    this.asked.push(`down ${keys}`)
  }

  async refuses(): Promise<string | undefined> {
    return undefined
  }

  async certificates(): Promise<readonly []> {
    return []
  }

  async trace(): Promise<TraceAnswer> {
    this.asked.push('trace')
    this.traces++
    await settled()
    this.traces--
    return { ok: false, reason: 'no-zone' }
  }

  drain(): Promise<void> {
    this.asked.push('drain')
    this.end()
    return Promise.resolve()
  }

  end(error?: Error): void {
    this.#end.resolve(error)
  }
}

const data = mkdtempSync(join(tmpdir(), 'sluice-workers-'))
after(() => rmSync(data, { recursive: true }))

function start(
  workers: number,
  prepare: (thread: FakeThread) => void = () => {},
  listen = '127.0.0.1:0',
  inheritance?: EdgeInheritance,
) {
  const settings = readSettings({
    SLUICE_WORKERS: String(workers),
    SLUICE_EDGE_LISTEN: listen,
    SLUICE_EDGE_TLS_LISTEN: 'none',
    SLUICE_DATA: data,
  })
  assert.ok(settings.ok)
  const threads: FakeThread[] = []
  const edges = EdgeWorkers.start({
    settings: settings.value,
    machine: '3f9a5c07b2d4',
    rateMemory: newRateMemory(),
    logger: pino({ level: 'silent' }),
    report: () => {},
    inheritance,
    startThread: input => {
      const thread = new FakeThread(input)
      prepare(thread)
      threads.push(thread)
      return thread
    },
  })
  return { edges, threads }
}

/** Lets the reactions of settled promises run. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('one worker has the address for itself', async () => {
  const { edges, threads } = start(1)
  assert.deepEqual([...(await edges.ports)], [4711])
  assert.deepEqual(
    threads.map(thread => thread.asked),
    [['listen 0']],
  )
})

test('the first of several workers chooses the port, and each has a separate partition', async t => {
  if (!(await canSharePorts({ host: '127.0.0.1', port: 0 }))) return t.skip('this system cannot share ports')
  const { edges, threads } = start(3)
  assert.deepEqual([...(await edges.ports)], [4711])
  assert.deepEqual(
    threads.map(({ partition, asked }) => [partition, asked]),
    [
      ['edge-1-3f9a5c07b2d4', ['listen 0 shared']],
      ['edge-2-3f9a5c07b2d4', ['listen 4711 shared']],
      ['edge-3-3f9a5c07b2d4', ['listen 4711 shared']],
    ],
  )
  assert.deepEqual(
    await edges.metrics(),
    [1, 2, 3].map(slot => [{ name: `edge-${slot}-3f9a5c07b2d4` }]),
  )
  await edges.stop()
  assert.deepEqual(
    threads.map(thread => thread.asked.at(-1)),
    ['drain', 'drain', 'drain'],
  )
})

test('every worker knows the origins that are down, also one that is started later', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { edges, threads } = start(1)
  await edges.ports
  edges.setDown(['a', 'b'])
  threads[0]!.end()
  await settled()
  t.mock.timers.tick(10_000)
  assert.deepEqual(
    threads.map(({ asked }) => asked.filter(text => text.startsWith('down'))),
    [['down a,b'], ['down a,b']],
  )
  await edges.stop()
})

test('each unix socket has one worker', async t => {
  if (!(await canSharePorts({ host: '127.0.0.1', port: 0 }))) return t.skip('this system cannot share ports')
  const { edges, threads } = start(2, () => {}, 'unix:/run/a, 127.0.0.1:0, unix:/run/b, unix:/run/c')
  assert.deepEqual([...(await edges.ports)], [0, 4711, 0, 0])
  assert.deepEqual(
    threads.map(({ asked }) => asked),
    [
      ['listen unix-socket,0 shared,elsewhere,unix-socket'],
      ['listen elsewhere,4711 shared,unix-socket,elsewhere'],
    ],
  )
  await edges.stop()
})

test('a request is traced by one worker that runs, and several by several', async t => {
  if (!(await canSharePorts({ host: '127.0.0.1', port: 0 }))) return t.skip('this system cannot share ports')
  const { edges, threads } = start(2)
  await edges.ports
  const request = {} as TraceRequest
  assert.deepEqual(await edges.trace(request), { ok: false, reason: 'no-zone' })
  assert.deepEqual(
    threads.map(({ asked }) => asked.includes('trace')),
    [true, false],
  )
  await Promise.all([1, 2, 3].map(() => edges.trace(request)))
  const countOf = ({ asked }: FakeThread) => asked.filter(one => one === 'trace').length
  assert.deepEqual(threads.map(countOf), [3, 1])
  threads[0]!.end()
  await settled()
  await edges.trace(request)
  assert.deepEqual(threads.map(countOf), [3, 2])
  await edges.stop()
  await settled()
  await assert.rejects(edges.trace(request), /no edge worker is running/)
})

test('a worker that cannot listen makes the start fail', async () => {
  const { edges } = start(1, thread => {
    thread.failure = new Error('listen EADDRINUSE')
  })
  await assert.rejects(edges.ports, /edge worker 1 cannot run: listen EADDRINUSE/)
  await edges.stop()
})

test('a worker that ends is replaced on its slot, more slowly when it fails at once', async t => {
  let failing = false
  const { edges, threads } = start(1, thread => {
    if (failing) thread.failure = new Error('cannot')
  })
  await edges.ports
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const replacedAfter = async (delayMs: number) => {
    const before = threads.length
    threads.at(-1)!.end(new Error('boom'))
    await settled()
    t.mock.timers.tick(delayMs - 1)
    assert.equal(threads.length, before, `before ${delayMs} ms`)
    t.mock.timers.tick(1)
    assert.equal(threads.length, before + 1, `after ${delayMs} ms`)
    await settled()
    assert.deepEqual(threads.at(-1)!.asked, ['listen 4711'])
    assert.equal(threads.at(-1)!.partition, 'edge-1-3f9a5c07b2d4')
  }
  await replacedAfter(400)
  await replacedAfter(400)
  failing = true
  await replacedAfter(400)
  for (const delayMs of [800, 1600, 3200, 6400, 10_000, 10_000]) await replacedAfter(delayMs)
  failing = false
  await replacedAfter(10_000)
  await replacedAfter(400)

  const before = threads.length
  await edges.stop()
  t.mock.timers.tick(60_000)
  assert.equal(threads.length, before)
  assert.deepEqual(threads.at(-1)!.asked, ['listen 4711', 'drain'])
})

async function listen(t: TestContext, options: ListenOptions): Promise<number> {
  const server: Server = createServer()
  await new Promise<void>(resolve => server.listen(options, resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return address.port
}

test('an address with another listener is not shared', async t => {
  const host = '127.0.0.1'
  const reusePort = await canSharePorts({ host, port: 0 })
  const taken = await listen(t, { host, port: 0, reusePort })
  await assert.rejects(assertUnused({ host, port: taken }), /EADDRINUSE/)
  await assertUnused({ host, port: 0 })
})

test('workers of a supervised process have its sockets and partitions, and are replaced with it', async () => {
  let lost = 0
  const { edges, threads } = start(1, () => {}, '127.0.0.1:0', {
    sockets: [[4, 5]],
    workers: 2,
    number: 1,
    rateSecret: newRateSecret(),
    onWorkerLost: () => lost++,
  })
  await edges.ports
  assert.deepEqual(
    threads.map(({ partition, asked }) => [partition, asked]),
    [
      ['edge-3-3f9a5c07b2d4', ['listen fd 4']],
      ['edge-4-3f9a5c07b2d4', ['listen fd 5']],
    ],
  )
  threads[1]!.end(new Error('out of memory'))
  await settled()
  assert.deepEqual([lost, threads.length, edges.serving], [1, 2, true])
  await edges.stop(true)
  assert.equal(threads[0]!.asked.at(-1), 'drain')
})
