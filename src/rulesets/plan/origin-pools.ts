import { type LoadBalancer, originKey, type Pool } from '../../model/load-balancing.ts'
import type { OriginPool, OriginPools, OriginServer } from './plan.ts'

/**
 * The pools of a load balancer that can serve: enabled, with an enabled origin whose weight is not 0.
 * @param protocol `https:`
 * @returns undefined when there is none
 */
export function originPools(
  { defaultPools, fallbackPool, steeringPolicy, poolWeights, failsOverAcrossPools }: LoadBalancer,
  pools: readonly Pool[],
  protocol: string,
): OriginPools | undefined {
  const byId = new Map(pools.map(pool => [pool.id, pool]))
  const planned = (id: string): OriginPool[] => {
    const pool = byId.get(id)
    const servers = pool?.enabled === true ? serversOf(pool, protocol) : []
    const weight = poolWeights.byPool?.[id] ?? poolWeights.byDefault
    return servers.length === 0 ? [] : [{ servers, healthyMin: pool!.minimumOrigins, weight }]
  }
  const inOrder = defaultPools.flatMap(planned)
  const fallback = planned(fallbackPool)[0] ?? inOrder.at(-1)
  if (fallback === undefined) return undefined
  const shared = steeringPolicy === 'random' && inOrder.some(({ weight }) => weight > 0)
  return {
    pools: shared ? inOrder.filter(({ weight }) => weight > 0) : inOrder,
    fallback,
    shared,
    failsOver: failsOverAcrossPools,
  }
}

function serversOf(pool: Pool, protocol: string): OriginServer[] {
  return pool.origins
    .filter(({ enabled, weight }) => enabled && weight > 0)
    .map(origin => ({
      url: urlOf(protocol, origin.address, origin.port),
      weight: origin.weight,
      ...(origin.hostHeader === undefined ? {} : { hostHeader: origin.hostHeader }),
      ...(pool.monitor === undefined ? {} : { healthKey: originKey(pool.id, origin) }),
    }))
}

function urlOf(protocol: string, address: string, port: number): string {
  const url = new URL(`${protocol}//${address.includes(':') ? `[${address}]` : address}`)
  if (port !== 0) url.port = String(port)
  return url.origin
}
