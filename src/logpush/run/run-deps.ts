import type { BatchMemory } from '../batch/batch-memory.ts'
import type { DeliveryDeps, DeliveryPace } from '../types.ts'
import type { Counts } from './counts.ts'
import type { HeldLease } from './held-lease.ts'
import type { Losses } from './losses.ts'

/** Shared by the runs of all jobs and replays of a process. */
export interface RunDeps extends Omit<DeliveryDeps, 'pace' | 'reader' | 'location' | 'batchBytes'> {
  readonly pace: DeliveryPace
  readonly counts: Counts
  readonly losses: Losses
  readonly memory: BatchMemory
  /** The store has refused a write because another process has the lease. */
  readonly onFenced: (held: HeldLease) => void
}
