import type { EdgeMeasures } from '../measures/measures.ts'
import type { BodyAllowance } from '../message/body-source.ts'
import type { Background } from './background-port.ts'
import type { EdgeDeps, EdgeLimits } from './deps.ts'
import type { RequestFacts } from './facts.ts'
import type { Counters } from './stats.ts'

/** Requests whose rules could not be evaluated completely pass: the zone decides, else the installation. */
export function passesIncomplete({ deps }: EdgeCore, { plan }: RequestFacts): boolean {
  return (plan?.settings.onError ?? deps.onIncomplete) === 'allow'
}

/** Shared by all requests of one edge. Higher folders extend it with the services that only they use. */
export interface EdgeCore {
  readonly deps: EdgeDeps
  readonly limits: EdgeLimits
  readonly counters: Counters
  readonly measures: EdgeMeasures
  readonly bodies: BodyAllowance
  readonly background: Background
  /** The edge is closing: each connection ends with its pending response. */
  draining: boolean
}
