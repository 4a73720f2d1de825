import { noBackground } from '../src/edge/background.ts'
import type { EdgeCore } from '../src/edge/core.ts'
import { defaultEdgeLimits, noCounts } from '../src/edge/deps.ts'
import type { Exchange } from '../src/edge/exchange.ts'
import type { Inspection } from '../src/edge/ledger.ts'
import { beginSample } from '../src/edge/sample.ts'
import { machineLine } from './support/machine.ts'
import { figure, formatTable } from './support/table.ts'

const help = `What sampling (docs/what-if.md) adds to a request that is not sampled: nanoseconds, the least of several short runs.

  npm run bench:sampling

Beside it is the loop without it. bench:waf tells what an evaluation costs, of which a sampled request has one more.
`

if (process.argv.includes('--help')) {
  process.stdout.write(help)
  process.exit()
}

const runs = 15
const runMs = 25
const callsAtOnce = 1000

function main(): void {
  console.log(`${machineLine()}\n`)
  const none = nanoseconds(() => {})
  const rows = [0, 0.01, 0.5].map(rate => {
    const draw = drawing(rate)
    return [`sample_rate ${rate}`, figure(Math.max(0, nanoseconds(draw) - none))]
  })
  console.log(formatTable(['ns a request', 'added'], rows))
}

/** What a managed ruleset calls when it begins; those that are drawn are sampled from the zone's own run. */
function drawing(sampleRate: number): () => void {
  const inspection = { execution: { everyLevel: { isOwn: true } } } as unknown as Inspection
  const exchange = { plan: { sampleRate }, ledger: { inspections: [inspection] } } as unknown as Exchange
  const core = {
    background: noBackground(),
    counters: noCounts(),
    limits: defaultEdgeLimits,
  } as unknown as EdgeCore
  const excepted = { exceptions: [], lastRule: false }
  return () => beginSample(core, exchange, inspection, excepted)
}

function nanoseconds(call: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    let calls = 0
    const start = performance.now()
    let now = start
    while (now - start < runMs) {
      for (let i = 0; i < callsAtOnce; i++) call()
      calls += callsAtOnce
      now = performance.now()
    }
    best = Math.min(best, ((now - start) * 1e6) / calls)
  }
  return best
}

main()
