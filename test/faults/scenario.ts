import type { JobPlan } from './jobs.ts'
import type { LogOptions } from './messages.ts'
import type { Random } from './random.ts'
import type { RecordShape } from './records.ts'
import type { Theme } from './themes.ts'

/** Everything that a seed decides. It does not decide how the system schedules the processes. */
export interface Scenario {
  readonly theme: Theme
  /** The quota is too small for the records. */
  readonly quota: boolean
  readonly shape: RecordShape
  readonly nats: boolean
  /** Instead of SQLite. */
  readonly postgres: boolean
  readonly policy: LogOptions['policy']
  /** An hour of the processes' clock ends so long after the start, ms. */
  readonly hourEndsMs: number | undefined
  /** Whether the bucket knows `If-None-Match`. */
  readonly conditions: boolean
  /** Objects of more bytes go to the bucket in parts. */
  readonly partsFromBytes: number | undefined
  /** A longer upload is aborted. */
  readonly uploadMs: number
  /** Partitions of each writing process. */
  readonly writers: readonly (readonly string[])[]
  /** The jobs come before the writers: they begin in an empty log. */
  readonly jobsFirst: boolean
  readonly recordsMax: number
  readonly groupMax: number
  readonly pauseMs: number
  readonly jobs: readonly JobPlan[]
  /** A step waits until the trouble of the one before has struck, or for long. */
  readonly patient: boolean
  readonly steps: readonly Step[]
}

export interface Step {
  readonly waitMs: number
  /** Name of a kind of fault. */
  readonly kind: string
  readonly random: Random
  /** The next one does not wait for its end. */
  readonly aside: boolean
}
