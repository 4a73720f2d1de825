import type { PeerFigures } from '../peers/index.ts'
import type { Level } from './program.ts'
import { mixedLoad, type RequestShape, requestShapes } from './request-shapes.ts'
import { figure, formatTable } from './table.ts'

/**
 * The peers of one level beside the engine, with their factors.
 * @param off and `warm`: our microseconds for a shape, without the memo and with it
 */
export function peerTable(
  level: Level,
  peers: readonly PeerFigures[],
  off: (shape: RequestShape) => number,
  warm: (shape: RequestShape) => number,
): string {
  const costs = [costsOf(off), costsOf(warm), ...peers.map(peer => withMix(peer.byLevel.get(level)!))]
  const [ofOff, ofWarm, ...ofPeers] = costs as [Costs, Costs, ...Costs[]]
  const row = (name: string): string[] => {
    const ours = [ofOff.get(name)!, ofWarm.get(name)!]
    const theirs = ofPeers.flatMap(costs => {
      const cost = costs.get(name)!
      return [figure(cost), ...ours.map(own => `${figure(cost / own)} ×`)]
    })
    return [name, ...ours.map(figure), ...theirs]
  }
  const head = [`CPU µs a request, PL${level}`, 'memo off', 'warm']
  const marks = peers.map((_, index) => String.fromCharCode(97 + index))
  const table = formatTable(
    [...head, ...marks.flatMap(mark => [`(${mark})`, 'of off', 'of warm'])],
    [...ofOff.keys()].map(row),
  )
  return [table, ...peers.map((peer, index) => `(${marks[index]}) ${peer.name}`)].join('\n')
}

type Costs = ReadonlyMap<string, number>

function costsOf(cost: (shape: RequestShape) => number): Costs {
  return withMix(new Map(requestShapes.map(shape => [shape.name, cost(shape)])))
}

/** The mixed load from its shares: drawn one by one, a slow peer would answer too few. */
function withMix(costs: Costs): Costs {
  const mix = mixedLoad.reduce((sum, [name, percent]) => sum + (percent / 100) * costs.get(name)!, 0)
  return new Map([...costs, ['mixed load', mix]])
}
