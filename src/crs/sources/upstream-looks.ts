import type { Clock } from '../../kit/clock.ts'
import { crsLimits } from '../limits.ts'

/** The newest release of upstream, as it was seen last. */
export interface UpstreamLook {
  readonly atMs: number
  /** Null if upstream did not answer. */
  readonly version: string | null
  readonly error: string | null
}

/**
 * Keeps the answers of upstream, which is asked on demand, at most every few hours: GitHub allows 60 requests an hour from
 * one address. Concurrent callers share one request.
 * @param newest asks upstream. @throws Error if it does not answer
 */
export function upstreamLooks(clock: Clock, newest: () => Promise<string>): () => Promise<UpstreamLook> {
  let asked: Promise<UpstreamLook> | undefined
  let last: UpstreamLook | undefined

  async function ask(): Promise<UpstreamLook> {
    const answer = await newest().then(
      version => ({ version, error: null }),
      (error: unknown) => ({ version: null, error: (error as Error).message }),
    )
    last = { atMs: clock.nowMs(), ...answer }
    return last
  }

  return () => {
    const keptMs = last?.version === null ? crsLimits.upstreamRetryMs : crsLimits.upstreamKeptMs
    if (last !== undefined && clock.nowMs() - last.atMs < keptMs) return Promise.resolve(last)
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
}
