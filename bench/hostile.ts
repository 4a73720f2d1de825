import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connectionsTable } from './hostile/connections.ts'
import { kinds } from './hostile/kinds.ts'
import type { Run } from './hostile/run.ts'
import { stepsTable } from './hostile/steps.ts'
import type { KindResult, Order } from './hostile/worker.ts'
import { machineLine } from './support/machine.ts'
import { type Level, levels, openRelease, releasePath } from './support/program.ts'
import { figure } from './support/table.ts'

const help = `Cost of deliberately expensive requests, by kind: 1 MiB of body, the inspected length, or 60 KB of headers.

  npm run bench:hostile               the CRS of SLUICE_CRS, or ../shared/crs/4.28.0
  npm run bench:hostile -- DIR        another release: its directory or .tar.gz archive
  npm run bench:hostile -- --steps    no requests: the longest stretch without a pause inside one value of 1 MiB, for
                                      each transformation, operator, capture and body parser
  npm run bench:hostile -- --connections [--idle N]
                                      a neighbour's requests while clients flood TLS with handshakes and HTTP/2 with
                                      frames, beside 10,000 idle connections; may need \`ulimit -n 20000\`

Cold is the first request of its kind in a new process with a program that has seen only ordinary requests. Warm is the
median of the following requests, each with new content. Slice is the longest time without yielding the event loop. All
are milliseconds, without time in which others had the processor. Pumps are made from the rules' patterns: all run in one
process, then the worst again in separate processes. Kinds beyond a bound run twice more; the best run counts.
`

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'boolean', default: false },
    connections: { type: 'boolean', default: false },
    idle: { type: 'string', default: '10000' },
    help: { type: 'boolean', default: false },
  },
})
if (flags.help) {
  process.stdout.write(help)
  process.exit()
}

/** Milliseconds. */
const bounds: Readonly<Record<Level, { readonly cold: number; readonly warm: number }>> = {
  1: { cold: 100, warm: 50 },
  4: { cold: 150, warm: 80 },
}
const sliceBound = 5
const attempts = 3
const warmRuns = 7
/** Pumps by whole time and by slice that run again. */
const pumpsAgain = 3

async function main(): Promise<void> {
  const crs = releasePath(positionals[0])
  const { crsVersion } = await openRelease(crs)
  console.log(machineLine())
  console.log(`rules     OWASP CRS ${crsVersion}\n`)
  const results = new Map<Level, readonly KindResult[]>()
  for (const level of levels) {
    const ofLevel: KindResult[] = []
    const run = async (name: string): Promise<void> => {
      const result = await best(crs, level, name)
      ofLevel.push(result)
      console.log(lineOf(result))
    }
    console.log(line(`ms, PL${level}`, ['cold', 'slice', 'warm', 'slice', 'score']))
    for (const { name } of kinds) await run(name)
    const scan = await runIn({ crs, level, kinds: 'pumps', warmRuns: 1 })
    console.log(`${scan.length} pumps of the rules' patterns, by rule; the worst:`)
    for (const name of worstPumps(scan)) await run(name)
    results.set(level, ofLevel)
    console.log()
  }
  for (const level of levels) console.log(verdictOf(level, results.get(level)!))
}

/** Once, or a few times if a bound is exceeded; the best of each figure. */
async function best(crs: string, level: Level, name: string): Promise<KindResult> {
  const order = { crs, level, kinds: [name], warmRuns }
  let result = (await runIn(order))[0]!
  for (let attempt = 1; attempt < attempts && exceeds(level, result); attempt++) {
    result = lesser(result, (await runIn(order))[0]!)
  }
  return result
}

function exceeds(level: Level, { cold, warm }: KindResult): boolean {
  const { cold: coldBound, warm: warmBound } = bounds[level]
  return cold.whole > coldBound || warm.whole > warmBound || Math.max(cold.slice, warm.slice) > sliceBound
}

function lesser(a: KindResult, b: KindResult): KindResult {
  const least = <T extends Pick<Run, 'whole' | 'slice'>>(x: T, y: T): T => ({
    ...x,
    whole: Math.min(x.whole, y.whole),
    slice: Math.min(x.slice, y.slice),
  })
  return { name: a.name, cold: least(a.cold, b.cold), warm: least(a.warm, b.warm) }
}

async function runIn(order: Order): Promise<readonly KindResult[]> {
  const child = fork(join(import.meta.dirname, 'hostile/worker.ts'))
  child.send(order)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the bench ended with ${code}`)
  })
  const [results] = (await Promise.race([once(child, 'message'), ended])) as [readonly KindResult[]]
  ended.catch(() => undefined)
  return results
}

function worstPumps(scan: readonly KindResult[]): readonly string[] {
  const by = (cost: (result: KindResult) => number) =>
    scan.toSorted((a, b) => cost(b) - cost(a)).slice(0, pumpsAgain)
  const worst = [
    ...by(({ cold }) => cold.whole),
    ...by(({ warm }) => warm.whole),
    ...by(({ cold, warm }) => Math.max(cold.slice, warm.slice)),
    scan.at(-1)!,
  ]
  return [...new Set(worst.map(({ name }) => name))]
}

function line(name: string, cells: readonly string[]): string {
  return `${name.padEnd(42)}${cells.map(cell => cell.padStart(9)).join('')}`
}

function lineOf({ name, cold, warm }: KindResult): string {
  const times = [cold.whole, cold.slice, warm.whole, warm.slice].map(figure)
  const outcome = cold.overBudget
    ? '  budget used up'
    : cold.refusedBy === undefined
      ? ''
      : `  refused by ${cold.refusedBy}`
  return line(name, [...times, String(cold.score)]) + outcome
}

function verdictOf(level: Level, results: readonly KindResult[]): string {
  const worst = (what: string, bound: number, cost: (result: KindResult) => number): string => {
    const result = results.reduce((a, b) => (cost(b) > cost(a) ? b : a))
    return `PL${level} worst ${what.padEnd(11)} ${figure(cost(result)).padStart(5)} ms, bound ${String(bound).padStart(3)}: ${result.name}`
  }
  return [
    worst('cold', bounds[level].cold, ({ cold }) => cold.whole),
    worst('warm', bounds[level].warm, ({ warm }) => warm.whole),
    worst('slice cold', sliceBound, ({ cold }) => cold.slice),
    worst('slice warm', sliceBound, ({ warm }) => warm.slice),
  ].join('\n')
}

if (flags.steps) console.log(`${machineLine()}\n\n${stepsTable()}`)
else if (flags.connections) {
  const table = await connectionsTable(releasePath(positionals[0]), Number(flags.idle))
  console.log(`${machineLine()}\n\n${table}`)
} else await main()
