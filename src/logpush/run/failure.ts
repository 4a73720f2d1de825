import { SinkError } from '../sinks/sink.ts'
import type { DeliveryPace } from '../types.ts'
import { backoffMs } from './pace.ts'

/** The classification of a failed attempt. */
export interface Failure {
  readonly message: string
  /** HTTP status, or the failure in a word; empty where there is neither. */
  readonly status: string
  /** Repeating does not help: the job or the destination must be fixed first. */
  readonly permanent: boolean
  /** The destination requests this delay before the next attempt. */
  readonly retryAfterMs: number
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof SinkError)) return { message, status: '', permanent: false, retryAfterMs: 0 }
  return {
    message,
    status: error.status === undefined ? error.code : String(error.status),
    permanent: error.retry === 'never',
    retryAfterMs: error.retryAfterMs ?? 0,
  }
}

/**
 * Whether the destination refuses the whole batch because of its size or format. Then the same records can be batched
 * differently.
 */
export function refusesCut(error: unknown): boolean {
  return (
    error instanceof SinkError &&
    error.retry === 'never' &&
    error.code !== 'records-refused' &&
    (error.status === 413 || error.code === 'format')
  )
}

/** How long to wait before the next attempt, ms. @param failures in a row, from 1 */
export function waitMs({ permanent, retryAfterMs }: Failure, pace: DeliveryPace, failures: number): number {
  if (permanent) return pace.pausedRetryMs
  return Math.max(backoffMs(pace, failures), retryAfterMs)
}
