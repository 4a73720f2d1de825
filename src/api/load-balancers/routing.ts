import { type Static, type TObject, type TSchema, Type } from '@fastify/type-provider-typebox'
import { type LoadBalancerRouting, type Pool, steeringPolicies } from '../../model/load-balancing.ts'
import { unsupportedInRouting } from '../../model/load-balancing-support.ts'
import type { JsonObject } from '../../model/resource.ts'
import { id, json, optional, record, strict, type Wire } from '../http/schemas.ts'
import { loadBalancingLimits as limits } from './limits.ts'
import { requireSupported, requireValue } from './refusals.ts'
import { given, share, some } from './schemas.ts'
import { sessionMembers, sessionSchema, sessionsFrom, sessionsToWire } from './session-affinity.ts'

export const poolId = Type.String({ maxLength: 32 })
export const poolIds = Type.Array(poolId, { minItems: 1, maxItems: limits.poolsPerLoadBalancerMax })
export const word = Type.String({ maxLength: 50 })
const count = Type.Integer({ minimum: 0, maximum: 10_000_000 })

/** They concern DNS answers. */
const unused = {
  ttl: some(count),
  location_strategy: some(Type.Object({ mode: some(word), prefer_ecs: some(word) }, strict)),
}

/** The members that decide where requests go: of load balancers, and of the overrides of their rules. */
export const routingMembers = {
  default_pools: some(poolIds),
  fallback_pool: some(poolId),
  steering_policy: some(word),
  random_steering: some(
    Type.Object(
      {
        default_weight: some(share),
        pool_weights: some(record(32, share, { maxProperties: limits.poolsPerLoadBalancerMax })),
      },
      strict,
    ),
  ),
  adaptive_routing: some(Type.Object({ failover_across_pools: some(Type.Boolean()) }, strict)),
  ...sessionMembers,
  ...unused,
  country_pools: Type.Optional(json),
  region_pools: Type.Optional(json),
  pop_pools: Type.Optional(json),
}

export const routingSchema = {
  default_pools: Type.Array(id, { description: 'in the order of failover' }),
  fallback_pool: id,
  steering_policy: Type.Enum([...steeringPolicies]),
  random_steering: Type.Object({
    default_weight: share,
    pool_weights: optional(Type.Record(Type.String(), share)),
  }),
  adaptive_routing: Type.Object({ failover_across_pools: Type.Boolean() }),
  ...sessionSchema,
  location_strategy: optional(json),
  ttl: optional(Type.Integer()),
}

export type RoutingWire = Wire<TObject<typeof routingSchema>>

type Members<T extends Readonly<Record<string, TSchema>>> = { readonly [K in keyof T]?: Static<T[K]> }
export type RoutingInput = Members<typeof routingMembers>

/**
 * The members that were sent.
 * @param pointer of their parent
 * @throws ApiError 400
 */
export function routingFrom(
  input: RoutingInput,
  pools: readonly Pool[],
  pointer: string,
): Partial<LoadBalancerRouting> {
  const sent = given(input)
  requireSupported(unsupportedInRouting(sent), pointer)
  requirePools(sent, pools, pointer)
  const { default_weight, pool_weights } = given(sent.random_steering ?? {})
  const unusedSent = given({ ttl: sent.ttl, location_strategy: sent.location_strategy }) as JsonObject
  return {
    ...given({
      defaultPools: sent.default_pools,
      fallbackPool: sent.fallback_pool,
      steeringPolicy: steeringPolicies.find(policy => policy === sent.steering_policy),
      failsOverAcrossPools: sent.adaptive_routing && (sent.adaptive_routing.failover_across_pools ?? false),
      poolWeights: sent.random_steering && {
        byDefault: default_weight ?? 1,
        ...(pool_weights === undefined ? {} : { byPool: pool_weights }),
      },
    }),
    ...sessionsFrom(sent, pointer),
    unused: unusedSent,
  }
}

function requirePools(
  {
    default_pools: inOrder = [],
    fallback_pool: fallback,
  }: Pick<RoutingInput, 'default_pools' | 'fallback_pool'>,
  pools: readonly Pool[],
  pointer: string,
): void {
  const known = new Set(pools.map(pool => pool.id))
  const fault = (wanted: string) => (known.has(wanted) ? undefined : 'the account has no such pool')
  for (const [at, wanted] of (inOrder ?? []).entries()) {
    requireValue(fault(wanted), wanted, `${pointer}/default_pools/${at}`)
    const twice = inOrder!.indexOf(wanted) < at ? 'it stands twice' : undefined
    requireValue(twice, wanted, `${pointer}/default_pools/${at}`)
  }
  if (fallback !== undefined && fallback !== null)
    requireValue(fault(fallback), fallback, `${pointer}/fallback_pool`)
}

export function routingToWire(routing: Partial<LoadBalancerRouting>) {
  const {
    defaultPools,
    fallbackPool,
    steeringPolicy,
    poolWeights,
    failsOverAcrossPools,
    unused: rest,
  } = routing
  return {
    ...(defaultPools && { default_pools: [...defaultPools] }),
    ...(fallbackPool !== undefined && { fallback_pool: fallbackPool }),
    ...(steeringPolicy !== undefined && { steering_policy: steeringPolicy }),
    ...(poolWeights && {
      random_steering: {
        default_weight: poolWeights.byDefault,
        ...(poolWeights.byPool && { pool_weights: poolWeights.byPool }),
      },
    }),
    ...(failsOverAcrossPools !== undefined && {
      adaptive_routing: { failover_across_pools: failsOverAcrossPools },
    }),
    ...sessionsToWire(routing),
    ...rest,
  }
}
