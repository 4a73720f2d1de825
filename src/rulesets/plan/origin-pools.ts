import { type LoadBalancer, originKey, type Pool } from '../../model/load-balancing.ts'
import type { OriginPool, OriginPools, OriginServer } from './plan.ts'

/** A pool as all load balancers of a zone use it. */
export type UsablePool = Omit<OriginPool, 'weight'>

/**
 * The pools that can serve, by id: enabled, with an enabled origin whose weight is not 0.
 * @param protocol `https:`
 */
export function usablePools(pools: readonly Pool[], protocol: string): ReadonlyMap<string, UsablePool> {
  const usable = new Map<string, UsablePool>()
  for (const pool of pools) {
    const servers = pool.enabled ? serversOf(pool, protocol) : []
    const leastBusy = pool.steering !== 'random'
    if (servers.length > 0)
      usable.set(pool.id, { servers, healthyMin: pool.minimumOrigins, ...(leastBusy && { leastBusy }) })
  }
  return usable
}

/** @returns undefined when none of the load balancer's pools can serve */
export function originPools(
  { defaultPools, fallbackPool, steeringPolicy, poolWeights, failsOverAcrossPools }: LoadBalancer,
  usable: ReadonlyMap<string, UsablePool>,
): OriginPools | undefined {
  const inOrder = defaultPools.flatMap(id => {
    const pool = usable.get(id)
    const weight = poolWeights.byPool?.[id] ?? poolWeights.byDefault
    return pool === undefined ? [] : [{ ...pool, weight }]
  })
  const fallback = usable.get(fallbackPool) ?? inOrder.at(-1)
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
