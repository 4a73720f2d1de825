import { Type } from '@fastify/type-provider-typebox'
import { upstreamLooks } from '../../crs/index.ts'
import type { Clock } from '../../kit/clock.ts'
import { timestampOf } from '../../kit/clock.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { describedText, nullable, text, time } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'

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

interface Deps {
  readonly clock: Clock
  /** Asks upstream. @throws Error if upstream does not answer */
  readonly newestCrsRelease: () => Promise<string>
}

/** The newest CRS release of upstream; Sluice's own. */
export function crsUpstreamRoutes(app: Api, { clock, newestCrsRelease }: Deps): void {
  const look = upstreamLooks(clock, newestCrsRelease)

  app.get('/waf/crs_releases/upstream', { config: described }, async () => {
    const { atMs, version, error } = await look()
    return success({ crs_version: version, checked_on: timestampOf(atMs), error })
  })
}
