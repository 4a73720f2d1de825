import type { Clock } from '../kit/clock.ts'
import { timestampOf } from '../kit/clock.ts'
import { crsLimits } from '../kit/limits.ts'
import type { Api } from './context.ts'
import { success } from './envelope.ts'

interface Look {
  readonly atMs: number
  readonly version: string | null
  readonly error: string | null
}

interface Deps {
  readonly clock: Clock
  /** Asks upstream. @throws Error when it does not answer */
  readonly newestCrsRelease: () => Promise<string>
}

/**
 * Which CRS release is the newest that upstream published; Sluice's own. Upstream is asked when somebody wants to know,
 * and not more often than some hours: GitHub allows 60 questions an hour to one address.
 */
export function crsUpstreamRoutes(app: Api, { clock, newestCrsRelease }: Deps): void {
  let asked: Promise<Look> | undefined
  let last: Look | undefined

  app.get('/waf/crs_releases/upstream', async () => {
    const { atMs, version, error } = await look()
    return success({ crs_version: version, checked_on: timestampOf(atMs), error })
  })

  /** One question at a time, whoever asks. */
  function look(): Promise<Look> {
    const keptMs = last?.version === null ? crsLimits.upstreamRetryMs : crsLimits.upstreamKeptMs
    if (last !== undefined && clock.nowMs() - last.atMs < keptMs) return Promise.resolve(last)
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }

  async function ask(): Promise<Look> {
    const answer = await newestCrsRelease().then(
      version => ({ version, error: null }),
      (error: unknown) => ({ version: null, error: (error as Error).message }),
    )
    last = { atMs: clock.nowMs(), ...answer }
    return last
  }
}
