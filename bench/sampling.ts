import { beginSample } from '../src/edge/background/sample.ts'
import { newBackgroundState } from '../src/edge/background/state.ts'
import type { Inspection } from '../src/edge/exchange/decisions.ts'
import { defaultEdgeLimits, type EdgeDeps } from '../src/edge/exchange/deps.ts'
import type { RequestParts } from '../src/edge/exchange/exchange.ts'
import { noCounts } from '../src/edge/exchange/stats.ts'
import { machineLine } from './support/machine.ts'
import { figure, formatTable } from './support/table.ts'

const help = `Cost of sampling (docs/reference/test-rules.md) for a request that is not sampled: nanoseconds, the minimum of several runs.

  npm run bench:sampling

Beside it is the loop without sampling. A sampled request has one more evaluation; bench:waf measures its cost.
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

/** The function that a managed ruleset calls at its beginning; drawn requests are sampled from the zone's run. */
function drawing(sampleRate: number): () => void {
  const inspection = { execution: { everyLevel: { isOwn: true } } } as unknown as Inspection
  const request = {
    facts: { plan: { sampleRate } },
    decisions: { inspections: [inspection] },
  } as unknown as RequestParts
  const deps = {} as EdgeDeps
  const state = newBackgroundState(deps, defaultEdgeLimits, noCounts())
  const excepted = { exceptions: [], lastRule: false }
  return () => beginSample(state, request, inspection, excepted)
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
