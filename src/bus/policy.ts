import type { SpoolSync } from '../model/settings.ts'

/** What a log keeps, and how safe. */
export interface LogPolicy {
  /** Embedded only: a JetStream server has a policy of its own. */
  readonly sync: SpoolSync
  /** Quota of all partitions together. When it is used up, the oldest records go, delivered ones first. */
  readonly bytes: number
  /** How long delivered records are kept. */
  readonly ageMs: number
}

export const defaultPolicy: LogPolicy = { sync: 'interval', bytes: 1024 ** 3, ageMs: 24 * 3_600_000 }
