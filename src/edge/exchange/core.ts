import type { BodyAllowance } from '../message/body-source.ts'
import type { Background } from './background-port.ts'
import type { EdgeDeps, EdgeLimits } from './deps.ts'
import type { Counters } from './stats.ts'

/** Shared by all requests of one edge. Higher folders extend it with the services that only they use. */
export interface EdgeCore {
  readonly deps: EdgeDeps
  readonly limits: EdgeLimits
  readonly counters: Counters
  readonly bodies: BodyAllowance
  readonly background: Background
  /** The edge is closing: each connection ends with its pending response. */
  draining: boolean
}
