import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { without } from '../../src/agents/testing/proxies.ts'
import { Client } from '../peers/client.ts'
import { stopServersAtExit } from '../peers/server.ts'
import { machineLine } from '../support/machine.ts'
import type { Contender, StartOrder } from './contender.ts'
import { contenders } from './contenders.ts'
import { type Entrant, enter } from './entrants.ts'
import {
  attackLoad,
  besideAttacks,
  harmlessShapes,
  type Load,
  mixedLoad,
  probes,
  shapeLoad,
} from './loads.ts'
import {
  type CostTurns,
  costTable,
  histogramTable,
  latencyTable,
  loadTable,
  markdown,
  type Turns,
} from './tables.ts'
import { type Turn, type TurnOrder, takeTurn } from './turn.ts'
import { workersTable } from './workers.ts'

export interface PeerOptions {
  /** Directory or archive of the CRS release. */
  readonly crs: string
  /** Words of names, separated by blanks: only contenders with all words of one entry take part. */
  readonly only: readonly string[]
  /** Words of the name of the shape that is sent instead of the mixed load. */
  readonly shape: string | undefined
  /** Without the tables by shape, of attacks and of workers. */
  readonly isShort: boolean
  /** Length of a turn. */
  readonly seconds: number
  readonly rounds: number
  /** Another checkout of Sluice, which takes part. */
  readonly beside: string | undefined
}

/** Code is compiled meanwhile. */
const warmUpMs = 4000

/** Sluice beside other proxies and firewalls: one core for them, and the other one for the clients and the origin. */
export async function comparePeers(options: PeerOptions): Promise<void> {
  stopServersAtExit()
  const directory = await mkdtemp(join(tmpdir(), 'bench-edge-peers-'))
  const originProcess = fork(join(import.meta.dirname, '../support/edge-origin.ts'))
  const generator = fork(join(import.meta.dirname, '../support/edge-load.ts'))
  const entrants: Entrant[] = []
  try {
    const [originPort] = (await once(originProcess, 'message')) as [number]
    const order = { originPort, crs: options.crs, directory }
    const machine = machineLine()
    console.log(`${machine}\n${separateCores([originProcess, generator])}\nrules     ${options.crs}`)
    entrants.push(...(await enterAll(chosen(options), order)))
    await printTables(entrants, generator, options)
    await Promise.all(entrants.splice(0).map(({ running }) => running.stop()))
    if (!options.isShort) console.log(`\n${await workersTable(order, generator, options.seconds * 1000)}`)
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
  const choices = only.map(choice => choice.toLowerCase().split(' '))
  return contenders(beside).filter(
    ({ name }) =>
      choices.length === 0 || choices.some(words => words.every(word => name.toLowerCase().includes(word))),
  )
}

async function enterAll(all: readonly Contender[], order: StartOrder): Promise<Entrant[]> {
  const entrants: Entrant[] = []
  for (const [index, contender] of all.entries()) {
    const entrant = await enter(contender, { ...order, directory: join(order.directory, String(index)) })
    if (entrant !== undefined) entrants.push(entrant)
  }
  return entrants
}

async function printTables(
  entrants: readonly Entrant[],
  generator: ChildProcess,
  options: PeerOptions,
): Promise<void> {
  const load = loadOf(options)
  const all = await takeRounds(entrants, generator, options)
  if (all.length === 0) return
  console.log(`\n${loadTable(load.name, all)}`)
  if (load.requests.length > 1) console.log(`\n${latencyTable(all)}\n\n${histogramTable(all)}`)
  if (!options.isShort) {
    const cost = async (title: string, loads: readonly Load[]) => {
      console.log(`\n${costTable(title, names(loads), await takeTurns(entrants, generator, loads, options))}`)
    }
    await cost('fixed, CPU µs', harmlessShapes.map(shapeLoad))
    await cost('CPU µs', [attackLoad(), besideAttacks()])
  }
  console.log(`\n${await probeTable(entrants.filter(({ hasFailed }) => !hasFailed))}`)
}

function names(loads: readonly Load[]): string[] {
  return loads.map(({ name }) => name)
}

function loadOf({ shape }: PeerOptions): Load {
  if (shape === undefined) return mixedLoad()
  const name = harmlessShapes.find(other => other.toLowerCase().includes(shape.toLowerCase()))
  if (name === undefined) throw new Error(`no shape has '${shape}' in its name: ${harmlessShapes.join('; ')}`)
  return shapeLoad(name)
}

/** Everyone takes turns in each round, after a turn that is not measured. @returns the contenders that have not failed */
async function takeRounds(
  entrants: readonly Entrant[],
  generator: ChildProcess,
  options: PeerOptions,
): Promise<readonly Turns[]> {
  const load = loadOf(options)
  const measuredMs = options.seconds * 1000
  const all = entrants.map(entrant => ({ entrant, fixed: [] as Turn[], varied: [] as Turn[] }))
  const warmUp = { load, varied: true, measuredMs: Math.max(measuredMs, warmUpMs) }
  for (const entrant of entrants) await tryTurn(entrant, generator, warmUp)
  for (let round = 0; round < options.rounds; round++)
    for (const variant of ['fixed', 'varied'] as const)
      for (const turns of all) {
        const order = { load, varied: variant === 'varied', measuredMs }
        const turn = await tryTurn(turns.entrant, generator, order)
        if (turn !== undefined) turns[variant].push(turn)
      }
  return all.filter(({ entrant }) => !entrant.hasFailed)
}

/** For each load, everyone takes turns in each round. @returns the contenders that have not failed */
async function takeTurns(
  entrants: readonly Entrant[],
  generator: ChildProcess,
  loads: readonly Load[],
  { rounds, seconds }: PeerOptions,
): Promise<readonly CostTurns[]> {
  const all = entrants.map(entrant => ({ entrant, turnsByLoad: loads.map((): Turn[] => []) }))
  for (const [index, load] of loads.entries())
    for (let round = 0; round < rounds; round++)
      for (const { entrant, turnsByLoad } of all) {
        // Without rules, attacks pass.
        const status = entrant.contender.level === undefined ? 200 : load.status
        const order = { load: { ...load, status }, varied: false, measuredMs: seconds * 1000 }
        const turn = await tryTurn(entrant, generator, order)
        if (turn !== undefined) turnsByLoad[index]!.push(turn)
      }
  return all.filter(({ entrant }) => !entrant.hasFailed)
}

/** @returns undefined from its first failure on, which is printed and fails the run; the others continue */
async function tryTurn(
  entrant: Entrant,
  generator: ChildProcess,
  order: TurnOrder,
): Promise<Turn | undefined> {
  if (entrant.hasFailed) return undefined
  try {
    return await takeTurn(entrant.running, generator, order)
  } catch (error) {
    entrant.hasFailed = true
    process.exitCode = 1
    console.log(`failed    ${entrant.contender.name}, ${order.load.name}: ${(error as Error).message}`)
    return undefined
  }
}

/** The statuses of six attacks and nine ordinary requests: no contender may be fast because it does not inspect. */
async function probeTable(entrants: readonly Entrant[]): Promise<string> {
  const { attacks, harmless } = probes()
  const rows: string[][] = []
  for (const { contender, running } of entrants) {
    const statuses = async (requests: readonly Buffer[]) => {
      const answers: number[] = []
      for (const request of requests) answers.push(await ask(running.port, request))
      return answers.join(' ')
    }
    rows.push([contender.name, await statuses(attacks), await statuses(harmless)])
  }
  return markdown(['statuses, default threshold', 'six attacks', 'nine ordinary requests'], rows)
}

async function ask(port: number, request: Buffer): Promise<number> {
  const client = await Client.connect(port)
  try {
    return await client.send(request)
  } finally {
    client.close()
  }
}
