import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../src/kit/testing/free-port.ts'
import { discard, type Instance, testCrs } from '../test/support/sluice.ts'
import { kinds } from './hostile/kinds.ts'
import type { LoadOrder, LoadResult } from './support/edge-load.ts'
import { makeZone, protect } from './support/edge-zones.ts'
import { sameOrdinary, variedAttacks } from './support/floods.ts'
import type { HandshakeKind, HandshakeOrder } from './support/handshake-load.ts'
import type { HostileOrder } from './support/hostile-load.ts'
import { machineLine } from './support/machine.ts'
import { startProduct } from './support/product.ts'
import { sendLoad } from './support/send-load.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Duration of ordinary requests while hostile clients flood another zone of the same edge: with short attacks, with
TLS handshakes, or with deliberately expensive requests, most of them with 1 MiB of body. With \`--same-zone\`, the
ordinary requests are for the attacked zone, from another address than all of the hostile ones.

  npm run bench:neighbours [-- --crs PATH] [--workers N] [--clients N] [--level 1|4] [--kind WORDS] [--same-zone]

Sluice runs with its defaults and one worker, unless --workers says otherwise. Origin, neighbours and hostile clients are
separate processes, and on a machine with few cores they take their part of the time. Figures are milliseconds of whole
requests on four connections, by kind of hostile request; \`--kind\` selects kinds by words of their names.
`

const { values: options } = parseArgs({
  options: {
    crs: { type: 'string', default: process.env['SLUICE_CRS'] ?? testCrs },
    workers: { type: 'string', default: '1' },
    clients: { type: 'string', default: '8' },
    level: { type: 'string', default: '4' },
    kind: { type: 'string', default: '' },
    'same-zone': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** The requests named in `bench/hostile`. */
const attacked = 'www.example.com'
const neighbour = options['same-zone'] ? attacked : 'level1.test'
/** Hostile clients are at 127.0.0.1. */
const neighbourAddress = '127.0.0.2'
/** Name of the flood on connections that are kept; the other kinds open one for each request. */
const shortAttacks = 'short attacks'
const handshakeKinds: readonly HandshakeKind[] = ['TLS handshakes', 'TLS openings']
const warmUpMs = 500
const measuredMs = 6000

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(help)
  if (!existsSync(options.crs)) throw new Error(`no CRS at ${options.crs}; name one with --crs`)
  const origin = forked('edge-origin.ts')
  const loads: Loads = {
    load: forked('edge-load.ts'),
    hostile: forked('hostile-load.ts'),
    handshakes: forked('handshake-load.ts'),
    flood: forked('edge-load.ts'),
  }
  const [originPort] = (await once(origin, 'message')) as [number]
  const tlsPort = await freePort()
  const sluice = await startProduct({
    settings: {
      SLUICE_CRS: options.crs,
      SLUICE_WORKERS: options.workers,
      SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${tlsPort}`,
    },
  })
  try {
    const level = Number(options.level)
    await protect(sluice, await makeZone(sluice, attacked, originPort), level, level === 1 ? 5 : 8)
    if (neighbour !== attacked) await protect(sluice, await makeZone(sluice, neighbour, originPort), 1, 5)
    await sleep(1500)
    console.log(machineLine())
    await compare(sluice, tlsPort, loads)
  } finally {
    await discard(sluice)
    for (const child of [origin, ...Object.values(loads)]) child.disconnect()
  }
}

/** Processes of clients. */
type Loads = Readonly<Record<'load' | 'hostile' | 'handshakes' | 'flood', ChildProcess>>

function forked(file: string): ChildProcess {
  return fork(join(import.meta.dirname, 'support', file))
}

async function compare(
  { edgePort: port }: Instance,
  tlsPort: number,
  { load, hostile, handshakes, flood }: Loads,
): Promise<void> {
  const rows: { readonly name: string; readonly result: LoadResult; readonly sent: number }[] = []
  await measured(port, load)
  rows.push({ name: 'none', result: await measured(port, load), sent: 0 })
  if (shortAttacks.includes(options.kind)) {
    const order: LoadOrder = {
      port,
      requests: variedAttacks(attacked),
      status: 403,
      connections: Number(options.clients),
      warmUpMs,
      measuredMs,
    }
    const done = sendLoad(flood, order)
    const result = await measured(port, load)
    rows.push({ name: shortAttacks, result, sent: (await done).answers })
  }
  for (const kind of handshakeKinds.filter(name => name.includes(options.kind))) {
    const order: HandshakeOrder = {
      port: tlsPort,
      host: attacked,
      kind,
      clients: Number(options.clients),
      ms: warmUpMs + measuredMs,
    }
    handshakes.send(order)
    const done = once(handshakes, 'message') as Promise<[number]>
    const result = await measured(port, load)
    rows.push({ name: kind, result, sent: (await done)[0] })
  }
  const wanted = kinds.filter(kind => kind.name.includes(options.kind))
  for (const [index, { name }] of wanted.entries()) {
    console.error(`${index + 1} of ${wanted.length}: ${name}`)
    const order: HostileOrder = {
      port,
      kind: name,
      clients: Number(options.clients),
      ms: warmUpMs + measuredMs,
    }
    hostile.send(order)
    await once(hostile, 'message')
    const done = once(hostile, 'message') as Promise<[number]>
    const result = await measured(port, load)
    rows.push({ name, result, sent: (await done)[0] })
  }
  const cells = rows
    .toSorted((a, b) => b.result.p95Ms - a.result.p95Ms)
    .map(({ name, result: { p50Ms, p95Ms, p99Ms, requestsPerSecond }, sent }) => [
      name,
      ...[p50Ms, p95Ms, p99Ms, requestsPerSecond].map(figure),
      String(sent),
    ])
  console.log(formatTable(['hostile requests', 'p50 ms', 'p95 ms', 'p99 ms', 'a second', 'hostile'], cells))
}

async function measured(port: number, load: ChildProcess): Promise<LoadResult> {
  const order: LoadOrder = {
    port,
    address: neighbourAddress,
    requests: sameOrdinary(neighbour),
    status: 200,
    connections: 4,
    warmUpMs,
    measuredMs,
  }
  const result = await sendLoad(load, order)
  if (result.others > 0) throw new Error(`${result.others} requests of neighbours were not answered with 200`)
  return result
}

await main()
