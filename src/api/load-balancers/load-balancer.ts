import { type Static, Type } from '@fastify/type-provider-typebox'
import { type LoadBalancer, type Pool, steeringPolicies } from '../../model/load-balancing.ts'
import type { JsonObject, Zone } from '../../model/resource.ts'
import { asciiName, isNameOrWildcard, isWithin } from '../dns/content.ts'
import { id, json, optional, record, strict, text, time, type Wire } from '../http/schemas.ts'
import { loadBalancingLimits as limits } from './limits.ts'
import { requireAbsent, requireValue } from './refusals.ts'
import { description, given, ignored, share, some } from './schemas.ts'
import { sessionMembers, sessionSchema, sessionsFrom, sessionsToWire } from './session-affinity.ts'

const poolId = Type.String({ maxLength: 32 })
const word = Type.String({ maxLength: 50 })
const count = Type.Integer({ minimum: 0, maximum: 10_000_000 })

/** They concern DNS answers. */
const unused = {
  ttl: some(count),
  location_strategy: some(Type.Object({ mode: some(word), prefer_ecs: some(word) }, strict)),
  networks: some(Type.Array(word, { maxItems: 20 })),
}

/** Refused unless empty, with the reason. */
const refused = {
  rules: 'use the rulesets of the zone, or several load balancers',
  pool_sets: 'name the pools in default_pools',
  country_pools: 'pools are not chosen by location; name them in default_pools',
  region_pools: 'pools are not chosen by location; name them in default_pools',
  pop_pools: 'pools are not chosen by location; name them in default_pools',
} as const
const refusedBody = { rules: json, pool_sets: json, country_pools: json, region_pools: json, pop_pools: json }

const members = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description,
  enabled: some(Type.Boolean()),
  proxied: some(Type.Boolean()),
  default_pools: Type.Array(poolId, { minItems: 1, maxItems: limits.poolsPerLoadBalancerMax }),
  fallback_pool: poolId,
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
  ...Type.Partial(Type.Object(refusedBody)).properties,
  zone_name: Type.Optional(json),
}

export const loadBalancerBody = Type.Object({ ...members, ...ignored }, strict)
export const loadBalancerPatch = Type.Object(
  { ...Type.Partial(Type.Object(members)).properties, ...ignored },
  strict,
)
export type LoadBalancerInput = Static<typeof loadBalancerBody>

export const loadBalancerSchema = Type.Object({
  id,
  name: text,
  description: text,
  enabled: Type.Boolean(),
  proxied: Type.Boolean({ description: 'it decides about the requests for its name' }),
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
  networks: optional(Type.Array(text)),
  ttl: optional(Type.Integer()),
  zone_name: text,
  created_on: time,
  modified_on: time,
})

/** @throws ApiError 400 */
export function loadBalancerFrom(
  input: LoadBalancerInput,
  owned: Pick<LoadBalancer, 'id' | 'zoneId' | 'createdOn' | 'modifiedOn'>,
  zone: Zone,
  pools: readonly Pool[],
): LoadBalancer {
  const sent = given(input)
  for (const [field, reason] of Object.entries(refused))
    requireAbsent(sent[field as keyof typeof refused], field, reason)
  requirePools(input, pools)
  const { default_weight, pool_weights } = given(sent.random_steering ?? {})
  const unusedSent = Object.keys(unused).map(member => [member, sent[member as keyof typeof unused]] as const)
  return {
    ...owned,
    name: nameFrom(input.name, zone),
    description: sent.description ?? '',
    enabled: sent.enabled ?? true,
    proxied: sent.proxied ?? false,
    defaultPools: input.default_pools,
    fallbackPool: input.fallback_pool,
    steeringPolicy: policyFrom(sent.steering_policy ?? ''),
    poolWeights: {
      byDefault: default_weight ?? 1,
      ...(pool_weights === undefined ? {} : { byPool: pool_weights }),
    },
    failsOverAcrossPools: sent.adaptive_routing?.failover_across_pools ?? false,
    ...sessionsFrom(input),
    unused: given(Object.fromEntries(unusedSent)) as JsonObject,
  }
}

/** Complete, because clients expect the name back as they sent it. */
function nameFrom(typed: string, zone: Zone): string {
  const name = asciiName(typed.replace(/\.$/, ''))
  const fault =
    isWithin(name, zone.name) && isNameOrWildcard(name) ? undefined : `it is not a name of ${zone.name}`
  requireValue(fault, typed, '/name')
  return name
}

function policyFrom(sent: string): LoadBalancer['steeringPolicy'] {
  const known = steeringPolicies.find(policy => policy === sent)
  if (known === undefined) requireAbsent(sent, 'steering_policy', 'it is off or random')
  return known!
}

function requirePools(
  { default_pools: inOrder, fallback_pool: fallback }: LoadBalancerInput,
  pools: readonly Pool[],
): void {
  const known = new Set(pools.map(pool => pool.id))
  const fault = (wanted: string) => (known.has(wanted) ? undefined : 'the account has no such pool')
  for (const [at, wanted] of inOrder.entries()) {
    requireValue(fault(wanted), wanted, `/default_pools/${at}`)
    const twice = inOrder.indexOf(wanted) < at ? 'it stands twice' : undefined
    requireValue(twice, wanted, `/default_pools/${at}`)
  }
  requireValue(fault(fallback), fallback, '/fallback_pool')
}

export function loadBalancerToWire(balancer: LoadBalancer, zone: Zone): Wire<typeof loadBalancerSchema> {
  const { byDefault, byPool } = balancer.poolWeights
  return {
    id: balancer.id,
    name: balancer.name,
    description: balancer.description,
    enabled: balancer.enabled,
    proxied: balancer.proxied,
    default_pools: balancer.defaultPools,
    fallback_pool: balancer.fallbackPool,
    steering_policy: balancer.steeringPolicy,
    random_steering: { default_weight: byDefault, ...(byPool === undefined ? {} : { pool_weights: byPool }) },
    adaptive_routing: { failover_across_pools: balancer.failsOverAcrossPools },
    ...sessionsToWire(balancer),
    ...balancer.unused,
    zone_name: zone.name,
    created_on: balancer.createdOn,
    modified_on: balancer.modifiedOn,
  }
}
