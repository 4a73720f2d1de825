import type { JsonObject } from './resource.ts'

/*
 * Load balancers of zones, and the pools and monitors of accounts that they use. `unused` holds members that have no
 * effect here, in their wire form: clients get back what they sent.
 * @source Cloudflare API, load balancers
 */

export const monitorTypes = ['http', 'https', 'tcp'] as const
export type MonitorType = (typeof monitorTypes)[number]

/** How the origins of pools are checked. */
export interface Monitor {
  readonly id: string
  readonly accountId: string
  readonly type: MonitorType
  readonly description: string
  /** `connection_established` for tcp. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Undefined: the port of the origin, else of the scheme. */
  readonly port?: number
  readonly intervalSeconds: number
  readonly timeoutSeconds: number
  /** Further attempts at once after a time-out. */
  readonly retries: number
  /** Checks in a row that change the state; undefined is 1. */
  readonly consecutiveUp?: number
  readonly consecutiveDown?: number
  /** `2xx`, `200`, `200-299`, or several with commas; empty: 200. */
  readonly expectedCodes: string
  /** Part of the body, in any letter case; empty: any body. */
  readonly expectedBody: string
  /** Headers of the request: name → values. */
  readonly header?: Readonly<Record<string, readonly string[]>>
  readonly followRedirects: boolean
  /** The certificate of the origin is not checked. */
  readonly allowInsecure: boolean
  /** Name of the zone whose certificates a check uses; undefined: the only zone of the pool's load balancers. */
  readonly probeZone?: string
  /** ISO 8601, UTC. */
  readonly createdOn: string
  readonly modifiedOn: string
}

/** Any header of a request may hold a credential, except Host. */
export function mayHoldCredential(header: string): boolean {
  return header.toLowerCase() !== 'host'
}

export const originSteerings = ['random', 'hash', 'least_outstanding_requests', 'least_connections'] as const
export type OriginSteering = (typeof originSteerings)[number]

/** Servers that stand in for each other. */
export interface Pool {
  readonly id: string
  readonly accountId: string
  /** Unique in the account. */
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  /** ISO 8601, while it is disabled. */
  readonly disabledAt?: string
  /** The pool gets requests while it has this many healthy origins. */
  readonly minimumOrigins: number
  /** Id of its monitor. */
  readonly monitor?: string
  readonly origins: readonly PoolOrigin[]
  readonly steering: OriginSteering
  readonly unused: JsonObject
  readonly createdOn: string
  readonly modifiedOn: string
}

export interface PoolOrigin {
  readonly name: string
  /** An IP address or a host name, in lower case. */
  readonly address: string
  readonly enabled: boolean
  /** ISO 8601, while it is disabled. */
  readonly disabledAt?: string
  /** 0–1; 0 gets no requests. */
  readonly weight: number
  /** 0: the port of the scheme. */
  readonly port: number
  /** Instead of the host that the client requested. */
  readonly hostHeader?: string
  readonly unused: JsonObject
}

export const steeringPolicies = ['', 'off', 'random'] as const
export type SteeringPolicy = (typeof steeringPolicies)[number]

/** The pools of a host name. */
export interface LoadBalancer extends LoadBalancerRouting {
  readonly id: string
  readonly zoneId: string
  /** Complete, in lower-case ASCII; `*` as its first label stands for all names below. Unique in the zone. */
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  /** Only a proxied one decides about requests. */
  readonly proxied: boolean
  readonly rules?: readonly LoadBalancerRule[]
  readonly createdOn: string
  readonly modifiedOn: string
}

/** Where the requests of a load balancer go. */
export interface LoadBalancerRouting {
  /** Ids, in the order of failover. */
  readonly defaultPools: readonly string[]
  /** Used when no default pool is healthy, even if it is unhealthy too. */
  readonly fallbackPool: string
  /** `random`: each request goes to one of the healthy default pools, by weight; otherwise to the first healthy one. */
  readonly steeringPolicy: SteeringPolicy
  readonly poolWeights: PoolWeights
  /** A request that a pool's servers do not answer goes on to the next pool. */
  readonly failsOverAcrossPools: boolean
  /** Undefined and empty: `none`. */
  readonly sessionAffinity?: SessionAffinity
  /** Undefined: 23 hours. Sessions by header end only with their server. */
  readonly sessionTtlSeconds?: number
  readonly sessionAttributes?: SessionAttributes
  readonly unused: JsonObject
}

/** Changes the routing of the requests that match, or answers them. Members are as far as they were sent. */
export interface LoadBalancerRule {
  readonly name?: string
  /** An expression; empty or absent: every request. */
  readonly condition?: string
  readonly disabled?: boolean
  /** Lower ones go first; its index in the list if absent. */
  readonly priority?: number
  /** Later rules do not apply to a request that matches. */
  readonly terminates?: boolean
  readonly overrides?: Partial<LoadBalancerRouting>
  /** In place of an origin's response. */
  readonly fixedResponse?: {
    readonly statusCode?: number
    readonly contentType?: string
    readonly location?: string
    readonly messageBody?: string
  }
}

/** Ids of all pools that a load balancer or its rules name. */
export function poolsOf({ rules = [], ...balancer }: LoadBalancer): ReadonlySet<string> {
  const routings: readonly Partial<LoadBalancerRouting>[] = [
    balancer,
    ...rules.map(({ overrides = {} }) => overrides),
  ]
  return new Set(
    routings.flatMap(({ defaultPools = [], fallbackPool }) => [
      ...defaultPools,
      ...(fallbackPool === undefined ? [] : [fallbackPool]),
    ]),
  )
}

export const sessionAffinities = ['', 'none', 'cookie', 'ip_cookie', 'header'] as const
export type SessionAffinity = (typeof sessionAffinities)[number]

/** As far as they were sent. */
export interface SessionAttributes {
  readonly sameSite?: 'Auto' | 'Lax' | 'None' | 'Strict'
  readonly secure?: 'Auto' | 'Always' | 'Never'
  /** A disabled origin keeps its sessions for this long. */
  readonly drainSeconds?: number
  readonly failover?: 'none' | 'temporary' | 'sticky'
  /** Names of headers, and `cookie:` with names of cookies and commas between them. */
  readonly headers?: readonly string[]
  readonly requiresAllHeaders?: boolean
}

/** For `random`. */
export interface PoolWeights {
  /** 0–1 */
  readonly byDefault: number
  /** By pool id. */
  readonly byPool?: Readonly<Record<string, number>>
}

/** All of one account, each kind in the order of its creation. */
export interface LoadBalancing {
  readonly monitors: readonly Monitor[]
  readonly pools: readonly Pool[]
  readonly loadBalancers: readonly LoadBalancer[]
}

/** The findings of one machine about an origin. */
export interface OriginHealth {
  readonly address: string
  readonly port: number
  readonly healthy: boolean
  /** Of the last check, in words; empty when it passed. */
  readonly failureReason: string
  /** HTTP status of the last check; 0 without one. */
  readonly responseCode: number
  /** Of the last check. */
  readonly rttMs: number
}

/** Sessions may stay until then at a disabled origin, or at one of a disabled pool; undefined while it is enabled. */
export function drainedAtMs(
  pool: Pick<Pool, 'disabledAt'>,
  origin: Pick<PoolOrigin, 'disabledAt'>,
  drainSeconds: number,
): number | undefined {
  const disabledAt = origin.disabledAt ?? pool.disabledAt
  return disabledAt === undefined ? undefined : Date.parse(disabledAt) + drainSeconds * 1000
}

/** Identifies an origin for its checks. One with another address or port has to be checked again. */
export function originKey(poolId: string, { address, port }: Pick<PoolOrigin, 'address' | 'port'>): string {
  return `${poolId} ${address} ${port}`
}
