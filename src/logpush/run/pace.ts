import { logpushLimits } from '../limits.ts'
import type { DeliveryPace } from '../types.ts'

export const usualPace: DeliveryPace = {
  tickMs: 250,
  settleMs: 1_000,
  orderMs: 250,
  retryFirstMs: 1_000,
  retryLongestMs: 60_000,
  uploadMs: logpushLimits.uploadMs,
  pausedRetryMs: 900_000,
  upkeepMs: 10_000,
  leaseMs: 10_000,
}

/**
 * Doubles from the first to the longest delay, with a tenth of jitter either way, so that jobs do not retry in step.
 */
export function backoffMs({ retryFirstMs, retryLongestMs }: DeliveryPace, failures: number): number {
  const ms = Math.min(retryLongestMs, retryFirstMs * 2 ** Math.min(failures - 1, 20))
  return ms * (0.9 + Math.random() * 0.2)
}
