import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { eventually } from '../support/eventually.ts'
import { readLogFiles } from '../support/log-files.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { productEntry } from '../support/product.ts'
import { api, discard, type Instance, runSluice, startSluice, testCrs } from '../support/sluice.ts'

/** `sluice supervise`: the process of an edge is replaced under load, over HTTP/1.1 and over HTTP/2 with TLS. */
const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none could be had'
const host = 'shop.test'

let directory: string
let origin: Origin
/** HTTP, TLS, health checks. */
let ports: number[]
/** The roles control and delivery. */
let control: Instance
let supervisor: ChildProcess | undefined
let output = ''
/** Standard output and error of the supervisor and its processes. */
const lines = (pattern: RegExp) => output.split('\n').filter(line => pattern.test(line))

/** A process compiles its code and plans while others serve, which takes long on a busy machine. */
async function told(pattern: RegExp, times: number): Promise<void> {
  for (let waits = 0; lines(pattern).length < times; waits++) {
    assert.ok(waits < 2400 && supervisor?.exitCode === null, output)
    await sleep(50)
  }
}

before(async () => {
  if (skip) return
  directory = await mkdtemp(join(tmpdir(), 'sluice-supervise-'))
  origin = await startOrigin(path => (path.startsWith('/slow') ? slowest.promise : Promise.resolve()))
  control = await startSluice({ settings: { SLUICE_CRS: testCrs, SLUICE_ROLES: 'control,delivery' } })
  const [account] = (await api(control, 'GET', '/accounts')).result
  const zone = await api(control, 'POST', '/zones', {
    name: host,
    account: { id: account.id },
    origin: { url: origin.url },
  })
  const job = await api(control, 'POST', `/zones/${zone.result.id}/logpush/jobs`, {
    destination_conf: `file://${join(directory, 'lines')}`,
    logpull_options: 'fields=RayID,EdgeResponseStatus',
    enabled: true,
  })
  assert.deepEqual([zone.status, job.status], [200, 200], JSON.stringify([zone, job]))
  ports = await Promise.all([freePort(), freePort(), freePort()])
  await install("console.log('version 1')")
  supervisor = spawn(process.execPath, [join(directory, 'entry.mjs'), 'supervise'], {
    env: {
      ...environment,
      SLUICE_DATA: control.data,
      SLUICE_ROLES: 'edge',
      SLUICE_WORKERS: '2',
      SLUICE_EDGE_LISTEN: `127.0.0.1:${ports[0]}`,
      SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${ports[1]}`,
      SLUICE_HEALTH_LISTEN: `127.0.0.1:${ports[2]}`,
    },
  })
  for (const stream of [supervisor.stdout!, supervisor.stderr!])
    stream.on('data', chunk => {
      output += chunk
    })
  await told(/^sluice ready/, 1)
})

after(async () => {
  if (skip) return
  await stopSupervisor()
  await discard(control)
  await origin.close()
  await rm(directory, { recursive: true, force: true })
})

test('a new process takes over without a failed request, and each request has one record', {
  skip,
}, async () => {
  const traffic = new Traffic()
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  const clients = [
    ...[1, 2].map(() => traffic.repeat(() => ask('/new', false))),
    ...[1, 2].map(() => traffic.repeat(keptAsker())),
    ...[1, 2].map(() => traffic.repeat(http2Asker())),
    traffic.checkHealth(),
  ]
  const slow = ask('/slow', kept)
  await traffic.goesOn()

  await install("console.log('version 2')")
  supervisor!.kill('SIGUSR2')
  await told(takeover, 1)
  assert.equal(lines(/^version 2$/).length, 1)
  await traffic.goesOn()
  slowest.resolve()
  traffic.rays.push(await slow)
  kept.destroy()

  await install("throw new Error('a file of this release is missing')")
  supervisor!.kill('SIGUSR2')
  await told(/the new process did not start, the running process goes on serving/, 1)
  assert.ok(lines(/a file of this release is missing/).length > 0, output)
  await traffic.goesOn()

  traffic.stop()
  await Promise.all(clients)
  assert.deepEqual(traffic.failures, [])
  await eventually(async () => {
    const delivered = await readLogFiles(join(directory, 'lines'))
    assert.deepEqual(delivered.map(line => line['RayID']).sort(), [...traffic.rays].sort())
  })
  // The replaced processes have ended.
  await eventually(() =>
    assert.equal(takeovers().filter(line => isAlive(pidIn(line, 'process (\\d+) finishes'))).length, 0),
  )
})

test('connections wait while a process that has died is replaced', { skip }, async () => {
  await install('')
  process.kill(pidIn(takeovers().at(-1)!, 'process (\\d+) serves'), 'SIGKILL')
  await ask('/after', false)
})

test('the supervisor ends its process, and refuses other roles than the edge', { skip }, async () => {
  assert.equal(await stopSupervisor(), 0)
  const { code, stderr } = await runSluice(['supervise'], { SLUICE_DATA: join(directory, 'data') })
  assert.equal(code, 1)
  assert.match(stderr, /sluice supervise runs the role edge only: run the role control with sluice serve/)
})

/** Requests that clients repeat, each client one after the other. */
class Traffic {
  /** The Ray IDs of all answers. */
  readonly rays: string[] = []
  readonly failures: unknown[] = []
  #stopped = false

  async repeat(send: () => Promise<string>): Promise<void> {
    while (!this.#stopped) {
      try {
        this.rays.push(await send())
      } catch (error) {
        this.failures.push(error)
        return
      }
    }
  }

  /** The process that serves is ready at every moment. */
  async checkHealth(): Promise<void> {
    for (; !this.#stopped; await sleep(20))
      await ask('/readyz', false, ports[2]).catch(error => this.failures.push(error))
  }

  async goesOn(): Promise<void> {
    const before = this.rays.length
    await eventually(() => assert.ok(this.failures.length > 0 || this.rays.length > before + 60))
  }

  stop(): void {
    this.#stopped = true
  }
}

/** @returns the Ray ID of the answer, which must be 200 */
function ask(path: string, agent: Agent | false, port = ports[0]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers: { host }, agent }
    request(options, answer => {
      answer.resume()
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(String(answer.headers['ray-id']))
        else reject(new Error(`${answer.statusCode}`))
      })
    })
      .once('error', error => reject(new Error(`no answer for ${path}`, { cause: error })))
      .end()
  })
}

/** Keeps its connection until the edge ends it. */
function keptAsker(): () => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return () => ask('/kept', agent)
}

/** Keeps its HTTP/2 connection until the edge ends it. */
function http2Asker(): () => Promise<string> {
  let session: ClientHttp2Session | undefined
  const send = async (): Promise<string> => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connectHttp2(`https://${host}`, {
        createConnection: () =>
          connectTls({
            host: '127.0.0.1',
            port: ports[1]!,
            servername: host,
            rejectUnauthorized: false,
            ALPNProtocols: ['h2'],
          }),
      })
      session.on('error', () => {})
    }
    const stream = session.request({ ':path': '/h2', ':authority': host })
    try {
      const [headers] = (await once(stream, 'response')) as [Record<string, string>]
      stream.resume()
      await once(stream, 'close')
      assert.equal(headers[':status'], 200)
      return headers['ray-id']!
    } catch (error) {
      // Sent before GOAWAY arrived, and not processed: clients repeat it (RFC 9113 8.7).
      if (stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM) throw error
      session = undefined
      return send()
    }
  }
  return send
}

const takeover = /^sluice supervise: process \d+ serves/
const takeovers = () => lines(takeover)

function pidIn(line: string, pattern: string): number {
  return Number(new RegExp(pattern).exec(line)![1])
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function stopSupervisor(): Promise<number | null> {
  if (supervisor === undefined || supervisor.exitCode !== null) return supervisor?.exitCode ?? null
  const exit = once(supervisor, 'exit')
  supervisor.kill('SIGTERM')
  const [code] = await exit
  return code
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Sluice refuses settings that it does not know. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('SLUICE_TEST_')),
)

const slowest = Promise.withResolvers<void>()

/** The files of a version, which processes load when they start. */
function install(code: string): Promise<void> {
  const entry = pathToFileURL(productEntry).href
  return writeFile(join(directory, 'entry.mjs'), `${code}\nawait import(${JSON.stringify(entry)})\n`)
}
