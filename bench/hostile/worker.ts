import { inspectRequest } from '../support/inspect.ts'
import { median } from '../support/measure.ts'
import { compileFresh, type Level, maskOf, openRelease, type Release, sourcesOf } from '../support/program.ts'
import { Random } from '../support/random.ts'
import { requestShapes } from '../support/request-shapes.ts'
import { kinds } from './kinds.ts'
import { pumpsOf } from './pumps.ts'
import { type Run, runOnce } from './run.ts'

/**
 * A separate process, with a program that has seen only ordinary requests. It runs the kinds of its order, one after
 * the other, and sends the result of each. Ends with its order.
 */
export interface Order {
  readonly crs: string
  readonly level: Level
  /** `pumps`: all of them. */
  readonly kinds: readonly string[] | 'pumps'
  /** Requests of a kind after the first. */
  readonly warmRuns: number
}

export interface KindResult {
  readonly name: string
  /** The first request of the kind. */
  readonly cold: Run
  /** Median of the following requests. */
  readonly warm: { readonly whole: number; readonly slice: number }
}

/** Requests of each shape, to warm the engine up with ordinary ones. */
const warmUpRounds = 20

process.once('message', async (order: Order) => {
  const release = await openRelease(order.crs)
  const results = run(order, release)
  process.send!(results, () => process.disconnect!())
})

function run({ level, kinds: names, warmRuns }: Order, release: Release): readonly KindResult[] {
  const pumps = pumpsOf(sourcesOf(release))
  const chosen = names === 'pumps' ? pumps : [...kinds, ...pumps].filter(kind => names.includes(kind.name))
  const program = compileFresh(release)
  const mask = maskOf(program, level)
  const ordinary = new Random()
  for (let round = 0; round < warmUpRounds; round++) {
    for (const { make } of requestShapes) inspectRequest(program, mask, make(ordinary))
  }
  return chosen.map(({ name, make }) => {
    const random = new Random()
    const cold = runOnce(program, mask, make(random))
    const warm = Array.from({ length: warmRuns }, () => runOnce(program, mask, make(random)))
    const middle = (key: 'whole' | 'slice') => median(warm.map(one => one[key]))
    return { name, cold, warm: { whole: middle('whole'), slice: middle('slice') } }
  })
}
