import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ends, startEnvoy, startHaproxy, without } from '../../src/agents/testing/proxies.ts'
import { frontSettings } from '../../test/support/fronts.ts'
import { discard, type Instance } from '../../test/support/sluice.ts'
import { makeZone } from '../support/edge-zones.ts'
import { machineLine } from '../support/machine.ts'
import { cpuMs } from '../support/process-cpu.ts'
import { startProduct } from '../support/product.ts'
import { formatTable } from '../support/table.ts'
import { h2load, type Load } from './h2load.ts'
import { idleKinds, openIdle, residentBytes } from './idle.ts'
import { startNginx } from './nginx.ts'

const host = 'bare.test'
const measuredSeconds = 3
const rounds = 3
const idleConnections = 10_000

/** A server that is measured, and the processes whose processor time counts. */
interface Target {
  readonly name: string
  readonly port: number
  readonly tlsPort: number
  readonly pids: readonly number[]
}

interface Kind {
  readonly name: string
  readonly scheme: 'http' | 'https'
  readonly words: readonly string[]
}

const forSomeTime = ['-D', String(measuredSeconds)]
const kinds: readonly Kind[] = [
  { name: 'HTTP/1.1, 16 connections', scheme: 'http', words: ['--h1', '-c', '16', ...forSomeTime] },
  { name: 'TLS 1.3, HTTP/1.1, 16 connections', scheme: 'https', words: ['--h1', '-c', '16', ...forSomeTime] },
  { name: 'TLS 1.3, one request a handshake', scheme: 'https', words: ['--h1', '-c', '500', '-n', '500'] },
  {
    name: 'HTTP/2, 16 connections × 1 stream',
    scheme: 'https',
    words: ['-c', '16', '-m', '1', ...forSomeTime],
  },
  {
    name: 'HTTP/2, 1 connection × 100 streams',
    scheme: 'https',
    words: ['-c', '1', '-m', '100', ...forSomeTime],
  },
]

/**
 * The edge over TLS and HTTP/2, and behind HAProxy and Envoy, beside Debian's nginx on the same machine in the same run.
 * h2load sends the requests. All proxies have the same origin and no rules, and each writes a record of every request.
 */
export async function compareTls(crs: string): Promise<void> {
  const missing = ['h2load', 'nginx'].map(without).find(reason => reason !== false)
  if (missing) throw new Error(`${missing}: install nghttp2-client and nginx`)
  const ends: (() => unknown)[] = []
  const toEnd: Ends = { after: end => void ends.unshift(end as () => unknown) }
  const origin = fork(join(import.meta.dirname, '..', 'support', 'edge-origin.ts'))
  const [originPort] = (await once(origin, 'message')) as [number]
  const settings = await frontSettings()
  const sluice = await startProduct({ settings: { ...settings, SLUICE_CRS: crs } })
  try {
    await makeZone(sluice, host, originPort)
    const tlsPort = portIn(settings.SLUICE_EDGE_TLS_LISTEN)
    const nginx = await startNginx(toEnd, host, originPort)
    const nginxTarget = { name: 'nginx', port: nginx.port, tlsPort: nginx.tlsPort, pids: [nginx.pid] }
    const edge = { name: 'Sluice', port: sluice.edgePort, tlsPort, pids: [sluice.pid] }
    const proxies = await startProxies(toEnd, sluice, settings, originPort)
    await sleep(1500)
    console.log(machineLine())
    await compareIdle([nginxTarget, edge])
    await compareRates([nginxTarget, edge], proxies)
  } finally {
    for (const end of ends) await end()
    await discard(sluice)
    origin.disconnect()
  }
}

/** HAProxy and Envoy that ask Sluice about each request, where they are installed. */
async function startProxies(
  ends: Ends,
  sluice: Instance,
  settings: Awaited<ReturnType<typeof frontSettings>>,
  originPort: number,
): Promise<Target[]> {
  const targets: Target[] = []
  const add = (name: string, { url, pid }: { readonly url: string; readonly pid: number }) =>
    targets.push({ name, port: portIn(url), tlsPort: 0, pids: [pid, sluice.pid] })
  if (without('haproxy') === false) {
    const agentPort = portIn(settings.SLUICE_INSPECT_SPOE_LISTEN)
    add('HAProxy + Sluice', await startHaproxy(ends, { agentPort, originPort }))
  }
  if (without('envoy') === false) {
    const agentPort = portIn(settings.SLUICE_INSPECT_GRPC_LISTEN)
    add('Envoy + Sluice', await startEnvoy(ends, 'ext-proc.yaml', { agentPort, originPort }))
  }
  return targets
}

/** @param proxies for plain HTTP/1.1 only */
async function compareRates(targets: readonly Target[], proxies: readonly Target[]): Promise<void> {
  const rows: string[][] = []
  for (const { name, scheme, words } of kinds) {
    const measured = scheme === 'http' ? [...targets, ...proxies] : targets
    const results: Figures[] = []
    for (const target of measured) {
      const port = scheme === 'http' ? target.port : target.tlsPort
      results.push(await measure({ scheme, host, port, words }, target.pids))
    }
    for (const [at, { requestsPerSecond, cpuMicros, failed }] of results.entries()) {
      rows.push([
        at === 0 ? name : '',
        measured[at]!.name,
        requestsPerSecond.toFixed(0),
        (requestsPerSecond / results[0]!.requestsPerSecond).toFixed(2),
        cpuMicros.toFixed(0),
        (cpuMicros / results[0]!.cpuMicros).toFixed(2),
        String(failed),
      ])
    }
  }
  const head = ['', 'server', 'requests/s', 'of nginx', 'cpu us/request', 'of nginx', 'failed']
  console.log(`\nmedian of ${rounds} runs of h2load, ${measuredSeconds} s each\n${formatTable(head, rows)}`)
}

interface Figures {
  readonly requestsPerSecond: number
  readonly cpuMicros: number
  readonly failed: number
}

/** The median run by requests per second, after one that is not measured. */
async function measure(load: Load, pids: readonly number[]): Promise<Figures> {
  await h2load(load)
  const runs: Figures[] = []
  for (let round = 0; round < rounds; round++) {
    const before = cpuOf(pids)
    const { requestsPerSecond, requests, failed } = await h2load(load)
    runs.push({ requestsPerSecond, failed, cpuMicros: ((cpuOf(pids) - before) * 1000) / requests })
  }
  return runs.sort((a, b) => a.requestsPerSecond - b.requestsPerSecond)[rounds >> 1]!
}

function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMs(pid), 0)
}

/** Memory that a kind has freed is used by the next one, which needs more. So all are compared with the start. */
async function compareIdle(targets: readonly Target[]): Promise<void> {
  const rows: string[][] = []
  const atStart = targets.map(({ pids }) => residentBytes(pids[0]!))
  for (const kind of idleKinds)
    for (const [at, { name, port, tlsPort, pids }] of targets.entries()) {
      const idle = await openIdle(kind, { host, port: kind.tls ? tlsPort : port, count: idleConnections })
      const grownKilobytes = (residentBytes(pids[0]!) - atStart[at]!) / 1024
      rows.push([kind.name, name, String(idle.size), (grownKilobytes / idle.size).toFixed(1)])
      for (const socket of idle) socket.destroy()
      await sleep(2000)
    }
  console.log(`\nidle connections\n${formatTable(['', 'server', 'open', 'KB each'], rows)}`)
}

function portIn(address: string): number {
  return Number(address.split(':').at(-1))
}
