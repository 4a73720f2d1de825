import type { SpoolFull, SpoolSync } from '../model/settings/index.ts'

/** Retention and durability of a log. */
export interface LogPolicy {
  /** Embedded log only: a JetStream server has its own policy. */
  readonly sync: SpoolSync
  /** Quota of all partitions together. When it is used up, the oldest records are deleted, delivered ones first. */
  readonly bytes: number
  /** Whether undelivered records are deleted, or writers report that the log is full (`RecordWriter.full`). */
  readonly full: SpoolFull
  /** How long delivered records are kept. */
  readonly ageMs: number
}

export const defaultPolicy: LogPolicy = {
  sync: 'interval',
  bytes: 1024 ** 3,
  full: 'drop-oldest',
  ageMs: 24 * 3_600_000,
}
