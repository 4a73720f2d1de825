import { Type } from '@fastify/type-provider-typebox'
import type { Clock } from '../../kit/clock.ts'
import { timestampOf } from '../../kit/clock.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { describedText, nullable, text, time } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { crsUpstreamLimits } from './limits.ts'

export const crsUpstreamSchema = Type.Object({
  crs_version: nullable(describedText('null if upstream did not answer')),
  checked_on: time,
  error: nullable(text),
})

const described = operationsOf('Rulesets')(
  'getNewestCrsRelease',
  'Get the newest upstream CRS release',
  ['accountWaf', 'read'],
  { result: crsUpstreamSchema },
)

interface Look {
  readonly atMs: number
  readonly version: string | null
  readonly error: string | null
}

interface Deps {
  readonly clock: Clock
  /** Asks upstream. @throws Error if upstream does not answer */
  readonly newestCrsRelease: () => Promise<string>
}

/**
 * The newest CRS release of upstream; Sluice's own. Upstream is asked on demand, at most every few hours: GitHub allows
 * 60 requests an hour from one address.
 */
export function crsUpstreamRoutes(app: Api, { clock, newestCrsRelease }: Deps): void {
  let asked: Promise<Look> | undefined
  let last: Look | undefined

  app.get('/waf/crs_releases/upstream', { config: described }, async () => {
    const { atMs, version, error } = await look()
    return success({ crs_version: version, checked_on: timestampOf(atMs), error })
  })

  /** Concurrent callers share one request. */
  function look(): Promise<Look> {
    const keptMs =
      last?.version === null ? crsUpstreamLimits.upstreamRetryMs : crsUpstreamLimits.upstreamKeptMs
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
