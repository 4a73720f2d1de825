import { type LoadBalancer, originKey, type Pool, type PoolOrigin } from '../../model/load-balancing.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { HostOrigins, OriginGroup, OriginPool, OriginServer } from './plan.ts'
import { sessionAffinity } from './session-affinity.ts'

/** The pools that the load balancers of a zone name. */
export class ZonePools {
  readonly #pools: ReadonlyMap<string, Pool>
  /** With an enabled origin whose weight is not 0, and enabled. */
  readonly #usable = new Map<string, OriginPool>()
  readonly #protocol: string
  readonly #settings: Pick<ZoneSettings, 'alwaysUseHttps'>

  /** @param protocol `https:` */
  constructor(pools: readonly Pool[], protocol: string, settings: Pick<ZoneSettings, 'alwaysUseHttps'>) {
    this.#pools = new Map(pools.map(pool => [pool.id, pool]))
    this.#protocol = protocol
    this.#settings = settings
    for (const pool of pools) {
      const usable = pool.enabled ? pool.origins.filter(({ enabled, weight }) => enabled && weight > 0) : []
      if (usable.length === 0) continue
      const steering = steerings[pool.steering]
      this.#usable.set(pool.id, {
        id: pool.id,
        servers: usable.map(origin => this.#serverOf(pool, origin)),
        healthyMin: pool.minimumOrigins,
        ...(steering === undefined ? {} : { steering }),
      })
    }
  }

  /** @param zoneGroup serves when none of the load balancer's pools can */
  of(balancer: LoadBalancer, zoneGroup: OriginGroup): HostOrigins {
    const { defaultPools, fallbackPool, steeringPolicy, poolWeights, failsOverAcrossPools } = balancer
    const inOrder = defaultPools.flatMap(id => {
      const pool = this.#usable.get(id)
      const weight = poolWeights.byPool?.[id] ?? poolWeights.byDefault
      return pool === undefined ? [] : [{ ...pool, weight }]
    })
    const fallback = this.#usable.get(fallbackPool) ?? inOrder.at(-1)
    const shared = steeringPolicy === 'random' && inOrder.some(({ weight }) => weight > 0)
    const named = [...new Set([...defaultPools, fallbackPool])].flatMap(id => this.#pools.get(id) ?? [])
    const sessions = sessionAffinity(
      balancer,
      named,
      (pool, origin) => this.#serverOf(pool, origin),
      this.#settings,
    )
    if (fallback === undefined) {
      if (sessions === undefined || sessions.draining.length === 0) return zoneGroup
      const zonePool = { ...zoneGroup, id: '', healthyMin: 1 }
      return { pools: [], fallback: zonePool, shared: false, failsOver: false, sessions }
    }
    return {
      pools: shared ? inOrder.filter(({ weight }) => weight > 0) : inOrder,
      fallback,
      shared,
      failsOver: failsOverAcrossPools,
      ...(sessions === undefined ? {} : { sessions }),
    }
  }

  #serverOf(pool: Pool, origin: PoolOrigin): OriginServer {
    return {
      url: urlOf(this.#protocol, origin.address, origin.port),
      weight: origin.weight,
      ...(origin.hostHeader === undefined ? {} : { hostHeader: origin.hostHeader }),
      ...(pool.monitor === undefined ? {} : { healthKey: originKey(pool.id, origin) }),
    }
  }
}

const steerings: { readonly [steering in Pool['steering']]: OriginGroup['steering'] } = {
  random: undefined,
  hash: 'client',
  least_outstanding_requests: 'least-busy',
  least_connections: 'least-busy',
}

function urlOf(protocol: string, address: string, port: number): string {
  const url = new URL(`${protocol}//${address.includes(':') ? `[${address}]` : address}`)
  if (port !== 0) url.port = String(port)
  return url.origin
}
