import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { without } from '../../src/agents/testing/proxies.ts'
import { Client } from '../peers/client.ts'
import { stopServersAtExit } from '../peers/server.ts'
import { machineLine } from '../support/machine.ts'
import { treeResidentMebibytes, untilIdle } from '../support/process-cpu.ts'
import { type Contender, contenders, type Running, type StartOrder } from './contenders.ts'
import { harmlessShapes, type Load, mixedLoad, probes, shapeLoad } from './loads.ts'
import { latencyTable, loadTable, markdown, type Turns } from './tables.ts'
import { takeTurn } from './turn.ts'

export interface PeerOptions {
  /** Directory or archive of the CRS release. */
  readonly crs: string
  /** Words of names: only contenders with one of them take part. */
  readonly only: readonly string[]
  /** Words of the name of the shape that is sent instead of the mixed load. */
  readonly shape: string | undefined
  /** Length of a turn. */
  readonly seconds: number
  readonly rounds: number
  /** Another checkout of Sluice, which takes part. */
  readonly beside: string | undefined
}

/** A contender that has been started. */
export interface Entrant {
  readonly contender: Contender
  readonly running: Running
  readonly readyMs: number
  readonly idleMebibytes: number
}

const settleMs = 1000

/** Sluice beside other proxies and firewalls: one core for them, and the other one for the clients and the origin. */
export async function comparePeers(options: PeerOptions): Promise<void> {
  stopServersAtExit()
  const directory = await mkdtemp(join(tmpdir(), 'bench-edge-peers-'))
  const originProcess = fork(join(import.meta.dirname, '../support/edge-origin.ts'))
  const generator = fork(join(import.meta.dirname, '../support/edge-load.ts'))
  const [originPort] = (await once(originProcess, 'message')) as [number]
  const machine = machineLine()
  const cores = separateCores([originProcess, generator])
  const entrants: Entrant[] = []
  try {
    console.log(`${machine}\n${cores}\nrules     ${options.crs}\n`)
    for (const contender of chosen(options)) {
      const own = join(directory, String(entrants.length))
      const entrant = await enter(contender, { originPort, crs: options.crs, directory: own })
      if (entrant !== undefined) entrants.push(entrant)
    }
    const all = await rounds(entrants, generator, options)
    const load = loadOf(options)
    console.log(`\n${loadTable(load.name, all)}`)
    if (load.requests.length > 1) console.log(`\n${latencyTable(all)}`)
    console.log(`\n${await probeTable(entrants)}`)
  } finally {
    for (const { running } of entrants) await running.stop()
    originProcess.disconnect()
    generator.disconnect()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Servers get the core of this process, which starts them. @returns a line about it */
function separateCores(clients: readonly ChildProcess[]): string {
  if (without('taskset') !== false || availableParallelism() < 2)
    return 'cores     not separated: needs taskset and two cores'
  const pin = (pid: number, core: number) => execFileSync('taskset', ['-apc', String(core), String(pid)])
  pin(process.pid, 0)
  for (const { pid } of clients) pin(pid!, 1)
  return 'cores     one for the contenders, one for the clients and the origin'
}

function chosen({ only, beside }: PeerOptions): readonly Contender[] {
  const words = only.map(word => word.toLowerCase())
  return contenders(beside).filter(
    ({ name }) => words.length === 0 || words.some(word => name.toLowerCase().includes(word)),
  )
}

function loadOf({ shape }: PeerOptions): Load {
  if (shape === undefined) return mixedLoad()
  const name = harmlessShapes.find(other => other.toLowerCase().includes(shape.toLowerCase()))
  if (name === undefined) throw new Error(`no shape has '${shape}' in its name: ${harmlessShapes.join('; ')}`)
  return shapeLoad(name)
}

/** A contender that is missing is named and left out. */
async function enter(contender: Contender, order: StartOrder): Promise<Entrant | undefined> {
  const beganMs = performance.now()
  try {
    const running = await contender.start(order)
    const readyMs = performance.now() - beganMs
    await sleep(settleMs)
    await untilIdle(running.pid)
    return { contender, running, readyMs, idleMebibytes: treeResidentMebibytes(running.pid) }
  } catch (error) {
    console.log(`skipped   ${contender.name}: ${(error as Error).message}`)
    return undefined
  }
}

/** All take turns in each round, after one that is not measured. */
async function rounds(
  entrants: readonly Entrant[],
  generator: ChildProcess,
  options: PeerOptions,
): Promise<readonly Turns[]> {
  const load = loadOf(options)
  const measuredMs = options.seconds * 1000
  const all = entrants.map(entrant => ({ entrant, fixed: [], varied: [] }) as { entrant: Entrant } & Mutable)
  for (const { running } of entrants) await takeTurn(running, generator, { load, varied: true, measuredMs })
  for (let round = 0; round < options.rounds; round++)
    for (const variant of ['fixed', 'varied'] as const)
      for (const turns of all) {
        const order = { load, varied: variant === 'varied', measuredMs }
        turns[variant].push(await takeTurn(turns.entrant.running, generator, order))
      }
  return all
}

type Mutable = { [variant in 'fixed' | 'varied']: Awaited<ReturnType<typeof takeTurn>>[] }

/** What each contender refuses of six attacks and nine ordinary requests, so that none is fast by not inspecting. */
async function probeTable(entrants: readonly Entrant[]): Promise<string> {
  const { attacks, harmless } = probes()
  const rows = []
  for (const { contender, running } of entrants) {
    const statuses = async (requests: readonly Buffer[]) => {
      const answers = []
      for (const request of requests) answers.push(await ask(running.port, request))
      return answers.join(' ')
    }
    rows.push([contender.name, await statuses(attacks), await statuses(harmless)])
  }
  return markdown(['statuses, default threshold', 'six attacks', 'nine harmless requests'], rows)
}

async function ask(port: number, request: Buffer): Promise<number> {
  const client = await Client.connect(port)
  try {
    return await client.send(request)
  } finally {
    client.close()
  }
}
