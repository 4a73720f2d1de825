import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { bareEnvironment } from '../../src/kit/testing/bare-environment.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { readLogFiles } from '../support/log-files.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { productEntry } from '../support/product.ts'
import { api, discard, type Instance, startSluice } from '../support/sluice.ts'
import { ask, http2Asker, keptAsker, Traffic } from '../support/traffic.ts'

/** `sluice supervise`: a process with every role is replaced under load, with the embedded database and the spool. */
const host = 'shop.test'
const headers = { host }

let directory: string
let origin: Server
/** HTTP, TLS, API, health checks, requests of other proxies. */
let ports: number[]
/** The supervisor and its processes. */
let sluice: Instance
let zoneId: string
/** Of every request of the zone. */
const rays: string[] = []
const lines = (pattern: RegExp) =>
  sluice
    .output()
    .split('\n')
    .filter(line => pattern.test(line))

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-supervise-'))
  origin = await startOrigin()
  ports = await Promise.all([1, 2, 3, 4, 5].map(freePort))
  await install("console.log('version 1')")
  await writeFile(join(directory, 'systemd-notify'), '#!/bin/sh\necho "$@" >> "$NOTIFY_SOCKET"\n', {
    mode: 0o755,
  })
  sluice = await startSluice({
    command: [join(directory, 'entry.mjs'), 'supervise'],
    settings: {
      PATH: `${directory}:${process.env['PATH']}`,
      NOTIFY_SOCKET: join(directory, 'notified'),
      SLUICE_CRS: await miniCrs(),
      SLUICE_WORKERS: '2',
      SLUICE_EDGE_LISTEN: `127.0.0.1:${ports[0]}, unix:${join(directory, 'edge.sock')}`,
      SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${ports[1]}`,
      SLUICE_API_LISTEN: `127.0.0.1:${ports[2]}`,
      SLUICE_ROLES: 'control,delivery,edge,inspect',
      SLUICE_TRUSTED_PROXIES: '127.0.0.1/32',
      SLUICE_INSPECT_HTTP_LISTEN: `127.0.0.1:${ports[4]}`,
      SLUICE_INSPECT_SPOE_LISTEN: 'none',
      SLUICE_INSPECT_GRPC_LISTEN: 'none',
      SLUICE_HEALTH_LISTEN: `127.0.0.1:${ports[3]}`,
    },
  })
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = await api(sluice, 'POST', '/zones', {
    name: host,
    account: { id: account.id },
    origin: { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` },
  })
  zoneId = zone.result.id
  const job = await api(sluice, 'POST', `/zones/${zoneId}/logpush/jobs`, {
    destination_conf: `file://${join(directory, 'lines')}`,
    logpull_options: 'fields=RayID,EdgeResponseStatus',
    enabled: true,
  })
  const limit = await api(sluice, 'PUT', `/zones/${zoneId}/rulesets/phases/http_ratelimit/entrypoint`, {
    rules: [
      {
        action: 'block',
        expression: 'http.request.uri.path eq "/limited"',
        ratelimit: {
          characteristics: ['cf.colo.id', 'ip.src'],
          period: 3600,
          requests_per_period: 1,
          mitigation_timeout: 0,
        },
      },
    ],
  })
  const made = [zone, job, limit]
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200, 200],
    JSON.stringify(made),
  )
  await inForce(sluice)
  rays.push(await ask({ port: ports[0]!, path: '/first', headers }))
})

after(async () => {
  origin.closeAllConnections()
  origin.close()
  await discard(sluice)
  await rm(directory, { recursive: true, force: true })
})

test('new processes take over without a failed request, and each request counts once', async () => {
  const traffic = new Traffic(rays)
  const http = { port: ports[0]!, headers }
  traffic.add(() => ask({ ...http, path: '/new' }))
  traffic.add(() => ask({ socketPath: join(directory, 'edge.sock'), headers, path: '/unix' }))
  traffic.add(keptAsker({ ...http, path: '/kept' }))
  traffic.add(http2Asker(host, ports[1]!))
  // Of the sample site, which belongs to the process.
  traffic.watch(() => ask({ ...http, headers: { host: 'localhost' }, path: '/' }))
  const authorized = { port: ports[2]!, headers: { authorization: `Bearer ${sluice.token}` } }
  traffic.watch(() => ask({ ...authorized, path: `/client/v4/zones/${zoneId}/security/overview` }))
  traffic.watch(keptAsker({ ...authorized, path: `/client/v4/zones/${zoneId}/security/overview` }))
  const forwarded = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/', 'x-forwarded-host': 'localhost' }
  traffic.watch(keptAsker({ port: ports[4]!, headers: forwarded, path: '/forward-auth' }))
  // The process that serves is ready at every moment.
  traffic.watch(() => ask({ port: ports[3]!, path: '/readyz' }))
  const slow = ask({ ...http, path: '/slow' })
  rays.push(await ask({ ...http, path: '/limited' }))
  const tunnel = await openTunnel()
  rays.push(tunnel.ray)
  await traffic.goesOn()

  await install("console.log('version 2')", 'next.mjs')
  await guided(0)
  const [daily] = await readdir(join(directory, 'backups'))
  assertBackup(join(directory, 'backups', daily!, 'sluice.db'))
  assert.equal(modeOf(join(directory, 'backups', daily!, 'secret-key')), '600')
  await guided(1)
  assertBackup(join(directory, 'backups/before-upgrade/sluice.db'))
  await told(takeover, 1)
  assert.equal(lines(/^version 2$/).length, 1)
  await traffic.goesOn()
  assert.equal(await tunnel.echo('still here'), 'still here')
  slowest.resolve()
  rays.push(await slow)
  tunnel.end()

  await install("throw new Error('a file of this release is missing')")
  process.kill(sluice.pid, 'SIGUSR2')
  await told(/the new process did not start, the running process goes on serving/, 1)
  assert.ok(lines(/a file of this release is missing/).length > 0, sluice.output())
  await traffic.goesOn()

  await install('')
  for (const times of [2, 3]) await replace(times)
  await traffic.goesOn()
  // The replaced processes have ended, so their counts have gone over.
  await eventually(() =>
    assert.equal(takeovers().filter(line => isAlive(pidIn(line, 'process (\\d+) finishes'))).length, 0),
  )
  rays.push(await ask({ ...http, path: '/limited' }, 429))
  await traffic.stop()
  assert.deepEqual(traffic.failures, [])
  await everyRequestCounts()
})

test('connections wait while a process that has died is replaced', async () => {
  process.kill(pidIn(takeovers().at(-1)!, 'process (\\d+) serves'), 'SIGKILL')
  rays.push(await ask({ port: ports[0]!, path: '/after', headers }))
  await everyRequestCounts()
})

test('systemd learns of the start, of each replacement, and of the end', async () => {
  const serves = /^READY=1 STATUS=process \d+ serves/
  const [first, ...others] = (await readFile(join(directory, 'notified'), 'utf8')).trim().split('\n')
  assert.match(first!, serves)
  const reloads = others.filter((_, at) => at % 2 === 1)
  assert.deepEqual(
    others.filter((_, at) => at % 2 === 0),
    reloads.map(() => 'RELOADING=1'),
  )
  // The second is the one that did not start.
  assert.deepEqual(
    reloads.map(line => serves.test(line)),
    [true, false, true, true, true],
  )
  assert.match(reloads[1]!, /^READY=1 STATUS=the new process did not start/)
})

test('the supervisor ends its processes, and every request has been delivered once', async () => {
  assert.equal(await sluice.stop(), 0)
  const delivered = (await readLogFiles(join(directory, 'lines'))).map(line => String(line['RayID']))
  const known = new Set(delivered)
  const missing = rays.filter(ray => !known.has(ray))
  assert.deepEqual({ missing, lines: delivered.length }, { missing: [], lines: rays.length }, sluice.output())
})

test('the way back restores the backup, for its owner alone', async () => {
  await guided(2)
  assertBackup(join(sluice.data, 'sluice.db'))
  await rm(`${sluice.data}.newer`, { recursive: true })
})

async function everyRequestCounts(): Promise<void> {
  await eventually(async () => {
    const { result } = await api(sluice, 'GET', `/zones/${zoneId}/security/overview`)
    assert.equal(result.requests, rays.length)
  })
}

const takeover = /^sluice supervise: process \d+ serves/
const takeovers = () => lines(takeover)

async function replace(times: number): Promise<void> {
  process.kill(sluice.pid, 'SIGUSR2')
  await told(takeover, times)
}

/** The commands of the guide: a backup, the upgrade to version 2, the way back. */
async function guided(block: 0 | 1 | 2): Promise<void> {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/upgrade-and-back-up.md'), 'utf8')
  const blocks = [...guide.matchAll(/supervise\.test\.ts runs it.*?```sh\n(.*?)```/gs)]
  assert.equal(blocks.length, 3)
  // The guide names `/opt/sluice` and the user `sluice`; the test has its own directory and user.
  const stand = `set -eu
umask 022
npm() { case "$*" in 'install sluice@latest') mv next.mjs entry.mjs;; *) test "$*" = 'install sluice@0.1.0';; esac; }
runuser() { shift 3; "$@"; }
npx() { shift; "${process.execPath}" "${productEntry}" "$@"; }
systemctl() { test "$2" = sluice; test "$1" != reload || kill -USR2 ${sluice.pid}; }
`
  const printed = blocks[block]![1]!.replaceAll('/opt/sluice', directory)
    .replaceAll('/var/backups/sluice', join(directory, 'backups'))
    .replaceAll('/var/lib/sluice', sluice.data)
    .replaceAll(' -o sluice -g sluice', '')
  const { status, stderr } = spawnSync('sh', ['-c', stand + printed], {
    encoding: 'utf8',
    env: bareEnvironment,
  })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, printed)
}

/** Its zone is there, and other users cannot read it. */
function assertBackup(file: string): void {
  assert.equal(modeOf(file), '600')
  const backup = new DatabaseSync(file, { readOnly: true })
  assert.equal(backup.prepare('select count(*) as zones from zones where name = ?').get(host)!['zones'], 1)
  backup.close()
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

/** A process compiles its code and plans while others serve, which takes long on a busy machine. */
async function told(pattern: RegExp, times: number): Promise<void> {
  for (let waits = 0; lines(pattern).length < times; waits++) {
    assert.ok(waits < 2400 && isAlive(sluice.pid), sluice.output())
    await sleep(50)
  }
}

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

const slowest = Promise.withResolvers<void>()

/** Answers `/slow` late, and echoes what comes through tunnels. */
async function startOrigin(): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url === '/slow') await slowest.promise
    response.end('ok')
  })
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    socket.pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

interface Tunnel {
  readonly ray: string
  echo(text: string): Promise<string>
  end(): void
}

async function openTunnel(): Promise<Tunnel> {
  const socket = connect(ports[0]!, '127.0.0.1')
  const answer = async () => String((await once(socket, 'data'))[0])
  socket.write(`GET /tunnel HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  const head = await answer()
  assert.match(head, /^HTTP\/1\.1 101 /)
  return {
    ray: /^ray-id: (.*)$/im.exec(head)![1]!.trim(),
    echo(text) {
      socket.write(text)
      return answer()
    },
    end: () => endQuietly(socket),
  }
}

function endQuietly(socket: Socket): void {
  socket.on('error', () => {})
  socket.destroy()
}

/** The files of a version, which processes load when they start. */
function install(code: string, file = 'entry.mjs'): Promise<void> {
  const entry = pathToFileURL(productEntry).href
  return writeFile(join(directory, file), `${code}\nawait import(${JSON.stringify(entry)})\n`)
}
