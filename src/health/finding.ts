import type { Monitor, PoolOrigin } from '../model/load-balancing.ts'
import type { OriginTls } from '../model/origin-tls.ts'

/** The outcome of one check. */
export interface Finding {
  readonly healthy: boolean
  /** In words; empty when the check passed. */
  readonly reason: string
  /** HTTP status; 0 without one. */
  readonly status: number
  /** It failed for its time-out, so that another attempt may pass. */
  readonly timedOut: boolean
}

/** An origin and how it is checked. */
export interface CheckTarget {
  readonly monitor: Monitor
  readonly origin: PoolOrigin
  readonly tls?: OriginTls
}

export function passed(status: number): Finding {
  return { healthy: true, reason: '', status, timedOut: false }
}

export function failed(reason: string, status = 0): Finding {
  return { healthy: false, reason, status, timedOut: false }
}

export function timedOut({ monitor }: CheckTarget): Finding {
  const reason = `it did not answer within ${monitor.timeoutSeconds} s`
  return { healthy: false, reason, status: 0, timedOut: true }
}
