import { Type } from '@fastify/type-provider-typebox'
import type { OriginHealth, Pool } from '../../model/load-balancing.ts'
import { describedText, id, text, type Wire } from '../http/schemas.ts'

const originHealthSchema = Type.Object({
  healthy: Type.Boolean(),
  failure_reason: text,
  response_code: Type.Integer({ description: 'HTTP status; 0 without one' }),
  rtt: describedText('of the last check, such as `12.1ms`'),
})

export const poolHealthSchema = Type.Object({
  pool_id: id,
  pop_health: Type.Object({
    healthy: Type.Boolean({ description: 'enough of its origins are healthy' }),
    origins: Type.Array(Type.Record(Type.String(), originHealthSchema), {
      description: 'by address; origins that were not checked yet are left out',
    }),
  }),
})

export const referenceSchema = Type.Object({
  reference_type: Type.Enum(['referral', 'referrer']),
  resource_id: id,
  resource_name: text,
  resource_type: Type.Enum(['monitor', 'pool', 'load_balancer']),
})

/**
 * The health of a pool as all edges see it: an origin is healthy if no machine finds it down.
 * @param reports one of each machine
 */
export function poolHealth(
  { id: poolId, origins, minimumOrigins }: Pool,
  reports: readonly (readonly OriginHealth[])[],
): Wire<typeof poolHealthSchema> {
  const enabled = origins.filter(origin => origin.enabled)
  const found = enabled.map(({ address, port }) => {
    const seen = reports.flat().filter(report => report.address === address && report.port === port)
    return seen.find(({ healthy }) => !healthy) ?? seen[0]
  })
  // An origin that was not checked counts as healthy, as at the edge.
  const healthy = found.filter(report => report?.healthy !== false).length
  return {
    pool_id: poolId,
    pop_health: {
      healthy: healthy >= minimumOrigins,
      origins: found
        .filter(report => report !== undefined)
        .map(report => ({
          [report.address]: {
            healthy: report.healthy,
            failure_reason: report.failureReason === '' ? 'No failures' : report.failureReason,
            response_code: report.responseCode,
            rtt: `${report.rttMs.toFixed(1)}ms`,
          },
        })),
    },
  }
}
