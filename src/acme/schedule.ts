import { acmeLimits } from './limits.ts'

/** Both waits vary, so that the names of an installation do not reach the authority at the same moment. */
const retryJitter = 0.25
const renewalJitter = 0.03

/**
 * The moment of the renewal: when a third of the certificate's life is left, or up to 3 % of the life earlier.
 * @param random from 0 to 1
 */
export function renewalMs(notBeforeMs: number, notAfterMs: number, random: number): number {
  const lifeMs = notAfterMs - notBeforeMs
  return Math.floor(notAfterMs - lifeMs / 3 - lifeMs * renewalJitter * random)
}

/**
 * The wait after a failed attempt.
 * @param failures in a row, from 1
 * @param random from 0 to 1
 */
export function retryDelayMs(failures: number, random: number): number {
  const delayMs = Math.min(acmeLimits.firstRetryMs * 2 ** (failures - 1), acmeLimits.retryMsMax)
  return Math.floor(delayMs * (1 + retryJitter * random))
}
