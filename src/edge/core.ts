import type { Background } from './background.ts'
import type { SolvedChallenges } from './challenge/solved-challenges.ts'
import type { Counters, EdgeDeps, EdgeLimits } from './deps.ts'
import type { Origins } from './origins.ts'
import type { Tunnels } from './tunnel.ts'

/** What every request of one edge shares. */
export interface EdgeCore {
  readonly deps: EdgeDeps
  readonly limits: EdgeLimits
  readonly counters: Counters
  readonly origins: Origins
  readonly solved: SolvedChallenges
  readonly tunnels: Tunnels
  readonly background: Background
  /** The edge is closing: connections end with the answer they wait for. */
  draining: boolean
}
