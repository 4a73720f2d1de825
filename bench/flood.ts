import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../src/kit/testing/free-port.ts'
import { discard, testCrs } from '../test/support/sluice.ts'
import type { LoadOrder } from './support/edge-load.ts'
import { deploy, makeZone, protect } from './support/edge-zones.ts'
import { sameAttack, sameOrdinary, variedAttacks, variedOrdinary } from './support/floods.ts'
import { machineLine } from './support/machine.ts'
import { median } from './support/measure.ts'
import { cpuMs, threadsCpuMs, untilIdle } from './support/process-cpu.ts'
import { startProduct } from './support/product.ts'
import { sendLoad } from './support/send-load.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of blocked requests beside passed ones of the same shape: processor time of the whole process per request,
from its first byte to the analytics of its records.

  npm run bench:flood [-- --crs PATH] [--rounds N] [--threads] [--http2]

One edge worker; origin, Sluice and load run as separate processes. All kinds take turns in short rounds, so other
programs on the machine slow all of them alike. Figures are medians, minus the processor time of the idle process. Each
ratio compares two kinds of the same round. With \`--http2\`, the requests go over HTTP/2 and TLS.
`

interface Kind {
  readonly name: string
  readonly host: string
  readonly status: number
  readonly requestsFor: (host: string) => readonly string[]
  /** The passed kind for the comparison, by its index. */
  readonly beside: number
}

const kinds: readonly Kind[] = [
  { name: 'no rules, passed', host: 'bare.test', status: 200, requestsFor: sameOrdinary, beside: 0 },
  { name: 'custom rule, blocked', host: 'custom.test', status: 403, requestsFor: sameAttack, beside: 0 },
  { name: 'PL1, the same, passed', host: 'level1.test', status: 200, requestsFor: sameOrdinary, beside: 2 },
  { name: 'PL1, the same, blocked', host: 'level1.test', status: 403, requestsFor: sameAttack, beside: 2 },
  { name: 'PL1, varied, passed', host: 'level1.test', status: 200, requestsFor: variedOrdinary, beside: 4 },
  { name: 'PL1, varied, blocked', host: 'level1.test', status: 403, requestsFor: variedAttacks, beside: 4 },
  { name: 'PL4, varied, passed', host: 'level4.test', status: 200, requestsFor: variedOrdinary, beside: 6 },
  { name: 'PL4, varied, blocked', host: 'level4.test', status: 403, requestsFor: variedAttacks, beside: 6 },
]

const connections = 16
/** Duration of a turn, and of the first one of each kind, in which code is compiled. */
const turnMs = 1500
const firstTurnMs = 4000
const idleMs = 3000

const { values: options } = parseArgs({
  options: {
    crs: { type: 'string', default: process.env['SLUICE_CRS'] ?? testCrs },
    rounds: { type: 'string', default: '7' },
    threads: { type: 'boolean', default: false },
    http2: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(help)
  if (!existsSync(options.crs)) throw new Error(`no CRS at ${options.crs}; name one with --crs`)
  const originProcess = fork(join(import.meta.dirname, 'support', 'edge-origin.ts'))
  const load = fork(join(import.meta.dirname, 'support', 'edge-load.ts'))
  const [originPort] = (await once(originProcess, 'message')) as [number]
  const tlsPort = await freePort()
  const sluice = await startProduct({
    settings: { SLUICE_CRS: options.crs, SLUICE_EDGE_TLS_LISTEN: `127.0.0.1:${tlsPort}` },
  })
  try {
    await makeZone(sluice, 'bare.test', originPort)
    await protect(sluice, await makeZone(sluice, 'level1.test', originPort), 1, 5)
    await protect(sluice, await makeZone(sluice, 'level4.test', originPort), 4, 8)
    await deploy(sluice, await makeZone(sluice, 'custom.test', originPort), 'http_request_firewall_custom', {
      action: 'block',
      expression: 'lower(http.request.uri.query) contains "union"',
    })
    await sleep(1500)
    console.log(machineLine())
    await compare(load, { pid: sluice.pid, port: options.http2 ? tlsPort : sluice.edgePort })
  } finally {
    await discard(sluice)
    originProcess.disconnect()
    load.disconnect()
  }
}

/** A Sluice, and the port that the load goes to. */
interface Flooded {
  readonly pid: number
  readonly port: number
}

async function compare(load: ChildProcess, sluice: Flooded): Promise<void> {
  const rounds = Number(options.rounds)
  for (const kind of kinds) await run(kind, load, sluice, 0, firstTurnMs)
  const idleShare = await shareWhenIdle(sluice)
  const figures: number[][] = kinds.map(() => [])
  const threads: Map<string, number>[] = kinds.map(() => new Map())
  for (let round = 0; round < rounds; round++) {
    for (const [index, kind] of kinds.entries()) {
      const { cpuMicros, byThread } = await run(kind, load, sluice, idleShare, turnMs)
      figures[index]!.push(cpuMicros)
      for (const [name, micros] of byThread)
        threads[index]!.set(name, (threads[index]!.get(name) ?? 0) + micros / rounds)
    }
  }
  const ratios = kinds.map(({ beside }, index) =>
    median(figures[index]!.map((micros, round) => micros / figures[beside]![round]!)),
  )
  const rows = kinds.map(({ name }, index) => [
    name,
    figure(median(figures[index]!)),
    ratios[index]!.toFixed(2),
  ])
  console.log(formatTable(['CPU µs a request', 'whole process', 'times passed'], rows))
  if (!options.threads) return
  for (const [index, { name }] of kinds.entries()) {
    const parts = [...threads[index]!].filter(([, micros]) => micros >= 1).sort((a, b) => b[1] - a[1])
    console.log(`${name}: ${parts.map(([thread, micros]) => `${thread} ${figure(micros)}`).join(', ')}`)
  }
}

/** Share of processor time that the process uses when idle. */
async function shareWhenIdle({ pid }: Flooded): Promise<number> {
  const before = cpuMs(pid)
  await sleep(idleMs)
  return (cpuMs(pid) - before) / idleMs
}

/**
 * One turn of a kind, until all work for its requests is done.
 * @param idleShare `shareWhenIdle`
 */
async function run(
  { name, host, status, requestsFor }: Kind,
  load: ChildProcess,
  { pid, port }: Flooded,
  idleShare: number,
  measuredMs: number,
): Promise<{ readonly cpuMicros: number; readonly byThread: ReadonlyMap<string, number> }> {
  const startedMs = performance.now()
  const before = threadsCpuMs(pid)
  const cpuBefore = cpuMs(pid)
  const order: LoadOrder = {
    port,
    http2: options.http2,
    requests: requestsFor(host),
    status,
    connections,
    warmUpMs: 0,
    measuredMs,
  }
  const { answers, others } = await sendLoad(load, order)
  if (others > 0) throw new Error(`${name}: ${others} requests were not answered with ${status}`)
  await untilIdle(pid)
  const byThread = new Map<string, number>()
  for (const [thread, ms] of threadsCpuMs(pid))
    byThread.set(thread, ((ms - (before.get(thread) ?? 0)) * 1000) / answers)
  const idleMs = idleShare * (performance.now() - startedMs)
  return { cpuMicros: ((cpuMs(pid) - cpuBefore - idleMs) * 1000) / answers, byThread }
}

await main()
