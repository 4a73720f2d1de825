import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measurePeers } from './peers/index.ts'
import type { ColdCompile } from './support/compile-cold.ts'
import { inspectExchange, inspectRequest } from './support/inspect.ts'
import { machineLine, residentMegabytes } from './support/machine.ts'
import { allocatedBytes, measure, median, type Timing } from './support/measure.ts'
import { peerTable } from './support/peer-table.ts'
import { compileFresh, type Level, levels, maskOf, openRelease, releasePath } from './support/program.ts'
import { Random } from './support/random.ts'
import { mixedLoad, mixedShape, type RequestShape, requestShapes } from './support/request-shapes.ts'
import { argumentsOf, type SampleRequest, sentAgain, wireBytes } from './support/sample-request.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of the engine per request, by shape, with the rules of paranoia level 1 and of all four.

  npm run bench:waf                   the CRS of SLUICE_CRS, or ../shared/crs/4.28.0
  npm run bench:waf -- DIR            another release: its directory or .tar.gz archive
  npm run bench:waf -- --peers        beside it nginx + libmodsecurity and Apache + mod_security2

Timed are the phases of the request and of logging; reading HTTP and making strings is not. Without the memo of values,
all requests differ. With it, they are drawn from 64 known requests of their shape, with new strings each time. CPU is
the processor time of the whole process for one request. The peers are Debian's packages, downloaded with apt-get into
node_modules/.cache and run from there without installation; they take about four minutes more.
`

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
if (flags.help) {
  process.stdout.write(help)
  process.exit()
}

const budget = { warmUpMs: 300, measuredMs: 1000 }
const coldCompiles = 3
const poolSize = 64
const allocatingCalls = 512

/** With the memo, or without: then no value may repeat, and none does. */
const memoStates = ['off', 'warm'] as const
type MemoState = (typeof memoStates)[number]

async function main(): Promise<void> {
  const path = releasePath(positionals[0])
  const release = await openRelease(path)
  console.log(machineLine())
  await printCompilation(path, release.crsVersion)
  console.log(`mixed     ${mixedLoad.map(([name, percent]) => `${percent} % ${name}`).join(', ')}\n`)
  const shapes = [...requestShapes, mixedShape]
  const programs = { off: compileFresh(release, 0), warm: compileFresh(release) }
  for (const memo of memoStates) {
    const masks = levels.map(level => maskOf(programs[memo], level))
    const inspect = (index: number) => (input: SampleRequest) =>
      inspectRequest(programs[memo], masks[index]!, input)
    console.log(
      formatTable(
        headOf(memo),
        shapes.map(shape => rowOf(shape, memo, inspect)),
      ),
    )
    console.log()
  }
  console.log(
    `memory    ${residentMegabytes().toFixed(0)} MB resident at the end, two programs in the process`,
  )
  if (!flags.peers) return
  const ours = (memo: MemoState, level: Level) => (shape: RequestShape) => {
    const mask = maskOf(programs[memo], level)
    return measure(drawing(shape, memo), input => inspectExchange(programs[memo], mask, input), budget).cpu
  }
  try {
    const peers = await measurePeers(release, requestShapes)
    for (const level of levels)
      console.log(`\n${peerTable(level, peers, ours('off', level), ours('warm', level))}`)
  } catch (error) {
    console.log(`peers     none: ${(error as Error).message}`)
  }
}

async function printCompilation(path: string, crsVersion: string): Promise<void> {
  const colds: ColdCompile[] = []
  for (let i = 0; i < coldCompiles; i++) {
    const child = fork(join(import.meta.dirname, 'support/compile-cold.ts'), [path], {
      execArgv: ['--expose-gc'],
    })
    colds.push(((await once(child, 'message')) as [ColdCompile])[0])
  }
  const of = (key: keyof ColdCompile) => median(colds.map(cold => cold[key]))
  console.log(
    `rules     OWASP CRS ${crsVersion}, compiled in ${of('milliseconds').toFixed(0)} ms (a new process, median of ${coldCompiles})
memory    ${of('residentBefore').toFixed(0)} MB resident before, ${of('residentAfter').toFixed(0)} MB after compiling; the program has ${of('heapMegabytes').toFixed(1)} MB on the heap, ${of('tableMegabytes').toFixed(1)} MB in tables`,
  )
}

function headOf(memo: MemoState): readonly string[] {
  const ofLevel = (level: Level) => [`PL${level} p50`, 'p99', 'CPU', 'KB', 'score']
  return [`µs a request, memo ${memo}`, 'bytes', 'arguments', ...levels.flatMap(ofLevel)]
}

function rowOf(
  shape: RequestShape,
  memo: MemoState,
  inspect: (index: number) => (input: SampleRequest) => { readonly requestScore: number },
): readonly string[] {
  const make = drawing(shape, memo)
  const sample = make()
  const ofLevel = (index: number): string[] => {
    const run = inspect(index)
    const { p50, p99, cpu }: Timing = measure(make, run, budget)
    const kilobytes = allocatedBytes(make, run, allocatingCalls) / 1000
    return [...[p50, p99, cpu, kilobytes].map(figure), String(run(sample).requestScore)]
  }
  const size = [wireBytes(sample).length, argumentsOf(sample)].map(String)
  return [shape.name, ...size, ...levels.flatMap((_, index) => ofLevel(index))]
}

/** The source of requests: new ones, or the same few repeatedly. */
function drawing(shape: RequestShape, memo: MemoState): () => SampleRequest {
  const random = new Random()
  if (memo === 'off') return () => shape.make(random)
  // A hundred of the mixed load, so that each shape has its share.
  const length = shape === mixedShape ? 100 : poolSize
  const pool = Array.from({ length }, () => shape.make(random))
  return () => sentAgain(pool[random.number(length)]!)
}

await main()
