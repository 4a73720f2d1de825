import { monitorTypes, steeringPolicies } from './load-balancing.ts'
import type { SentMembers, Unsupported } from './unsupported.ts'

/** A monitor. */
export function unsupportedInMonitor({ type }: SentMembers): Unsupported | undefined {
  if (!isSet(type) || (monitorTypes as readonly unknown[]).includes(type)) return undefined
  return { field: 'type', reason: `${type} checks are not available; use http, https or tcp` }
}

/** A pool without its origins. */
export function unsupportedInPool({ monitor_group: group }: SentMembers): Unsupported | undefined {
  return isSet(group) ? { field: 'monitor_group', reason: 'a pool has one monitor' } : undefined
}

/** An origin of a pool. */
export function unsupportedInOrigin({ virtual_network_id: network }: SentMembers): Unsupported | undefined {
  const reason = 'Sluice has no virtual networks; name an address that the edge reaches'
  return isSet(network) ? { field: 'virtual_network_id', reason } : undefined
}

/** A load balancer without its rules, or the overrides of a rule. */
export function unsupportedInRouting(sent: SentMembers): Unsupported | undefined {
  const pools = Object.entries(otherPools).find(([field]) => isSet(sent[field]))
  if (pools !== undefined) return { field: pools[0], reason: pools[1] }
  const { steering_policy: policy } = sent
  if (!isSet(policy) || (steeringPolicies as readonly unknown[]).includes(policy)) return undefined
  const measured = measures[String(policy)] ?? 'pools'
  return {
    field: 'steering_policy',
    reason: `it is off or random; nothing measures the ${measured} for ${policy}`,
  }
}

const byLocation = 'pools are not chosen by location; name them in default_pools'

/** Pools that Cloudflare chooses in other ways, with the reason. */
const otherPools: Readonly<Record<string, string>> = {
  country_pools: byLocation,
  region_pools: byLocation,
  pop_pools: byLocation,
  pool_sets: 'name the pools in default_pools',
}

/** Measurements that other steering policies need. */
const measures: Readonly<Record<string, string>> = {
  geo: 'locations of clients',
  proximity: 'distances to pools',
  dynamic_latency: 'round trips to pools',
  least_outstanding_requests: 'load of pools',
  least_connections: 'load of pools',
}

/** Clients send empty values for members that they do not use. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
