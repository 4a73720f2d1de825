import { type Static, Type } from '@fastify/type-provider-typebox'
import type { LoadBalancer, LoadBalancerRouting, Pool } from '../../model/load-balancing.ts'
import type { JsonObject, Zone } from '../../model/resource.ts'
import { asciiName, isNameOrWildcard, isWithin } from '../dns/content.ts'
import { id, json, optional, strict, text, time, type Wire } from '../http/schemas.ts'
import { requireValue } from './refusals.ts'
import {
  poolId,
  poolIds,
  type RoutingWire,
  routingFrom,
  routingMembers,
  routingSchema,
  routingToWire,
  word,
} from './routing.ts'
import { ruleMembers, ruleSchema, rulesFrom, rulesToWire } from './rules.ts'
import { description, given, ignored, some } from './schemas.ts'

const members = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description,
  enabled: some(Type.Boolean()),
  proxied: some(Type.Boolean()),
  ...routingMembers,
  default_pools: poolIds,
  fallback_pool: poolId,
  ...ruleMembers,
  networks: some(Type.Array(word, { maxItems: 20 })),
  pool_sets: Type.Optional(json),
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
  ...routingSchema,
  ...ruleSchema,
  networks: optional(Type.Array(text)),
  zone_name: text,
  created_on: time,
  modified_on: time,
})

const defaults: Omit<LoadBalancerRouting, 'defaultPools' | 'fallbackPool'> = {
  steeringPolicy: '',
  poolWeights: { byDefault: 1 },
  failsOverAcrossPools: false,
  unused: {},
}

/** @throws ApiError 400 */
export function loadBalancerFrom(
  input: LoadBalancerInput,
  owned: Pick<LoadBalancer, 'id' | 'zoneId' | 'createdOn' | 'modifiedOn'>,
  zone: Zone,
  pools: readonly Pool[],
): LoadBalancer {
  const sent = given(input)
  const routing = routingFrom(input, pools, '')
  return {
    ...owned,
    name: nameFrom(input.name, zone),
    description: sent.description ?? '',
    enabled: sent.enabled ?? true,
    proxied: sent.proxied ?? false,
    ...defaults,
    ...routing,
    defaultPools: input.default_pools,
    fallbackPool: input.fallback_pool,
    ...rulesFrom(sent.rules, pools),
    unused: { ...routing.unused, ...(given({ networks: sent.networks }) as JsonObject) },
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

export function loadBalancerToWire(balancer: LoadBalancer, zone: Zone): Wire<typeof loadBalancerSchema> {
  const { rules } = balancer
  return {
    id: balancer.id,
    name: balancer.name,
    description: balancer.description,
    enabled: balancer.enabled,
    proxied: balancer.proxied,
    // Only a rule leaves members out.
    ...(routingToWire(balancer) as RoutingWire),
    session_affinity: balancer.sessionAffinity ?? 'none',
    ...(rules && { rules: rulesToWire(rules) }),
    zone_name: zone.name,
    created_on: balancer.createdOn,
    modified_on: balancer.modifiedOn,
  }
}
