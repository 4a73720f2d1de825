import { drainedAtMs, type LoadBalancer, type Pool, type PoolOrigin } from '../../model/load-balancing.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { DrainingServer, OriginServer, SessionAffinity } from './plan.ts'

/** Cloudflare's default. */
const cookieSeconds = 23 * 60 * 60

/**
 * @param pools those of the load balancer
 * @returns undefined without session affinity
 */
export function sessionAffinity(
  { id, sessionAffinity: by = 'none', sessionTtlSeconds, sessionAttributes = {} }: LoadBalancer,
  pools: readonly Pool[],
  serverOf: (pool: Pool, origin: PoolOrigin) => OriginServer,
  { alwaysUseHttps }: Pick<ZoneSettings, 'alwaysUseHttps'>,
): SessionAffinity | undefined {
  if (by === 'none' || by === '') return undefined
  const { sameSite: site = 'Auto', secure = 'Auto', headers = [], drainSeconds = 0 } = sessionAttributes
  // Browsers drop a cookie for other sites that is not secure.
  const forOtherSites = alwaysUseHttps && secure !== 'Never'
  const sameSite = site === 'Auto' ? (forOtherSites ? 'None' : 'Lax') : site
  const names = headers.map(name => name.toLowerCase())
  const cookies = headers.filter(isCookies).flatMap(name => name.slice(cookiesPrefix.length).split(','))
  return {
    balancerId: id,
    by,
    seconds: sessionTtlSeconds ?? cookieSeconds,
    failover: sessionAttributes.failover ?? 'none',
    sameSite,
    secure: secure === 'Auto' ? alwaysUseHttps || sameSite === 'None' : secure === 'Always',
    headers: names.filter(name => !isCookies(name)),
    ...(cookies.length === 0 ? {} : { cookies }),
    needsAll: sessionAttributes.requiresAllHeaders ?? false,
    draining: drainSeconds === 0 ? [] : pools.flatMap(pool => drainingServers(pool, drainSeconds, serverOf)),
  }
}

const cookiesPrefix = 'cookie:'

function isCookies(name: string): boolean {
  return name.toLowerCase().startsWith(cookiesPrefix)
}

/** The disabled origins of a pool, or all of a disabled pool. */
function drainingServers(
  pool: Pool,
  drainSeconds: number,
  serverOf: (pool: Pool, origin: PoolOrigin) => OriginServer,
): DrainingServer[] {
  return pool.origins.flatMap(origin => {
    const untilMs = drainedAtMs(pool, origin, drainSeconds)
    return untilMs === undefined ? [] : [{ poolId: pool.id, server: serverOf(pool, origin), untilMs }]
  })
}
