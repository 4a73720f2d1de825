import {
  unsupportedInMonitor,
  unsupportedInOrigin,
  unsupportedInPool,
  unsupportedInRouting,
} from '../model/load-balancing-support.ts'
import type { JsonObject } from '../model/resource.ts'
import type { Unsupported } from '../model/unsupported.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import { blockIn, blocksIn, isGiven, refusedMember } from './planned-values.ts'

/** A `cloudflare_load_balancer` of a plan or state. */
export function coverPlannedBalancer(values: JsonObject): Coverage {
  const overrides = blocksIn(values, 'rules').map((rule, at) => {
    const unsupported = unsupportedInRouting(blockIn(rule, 'overrides') ?? {})
    return unsupported && { ...unsupported, field: `rule ${at + 1}: ${unsupported.field}` }
  })
  const fault = firstOf([unsupportedInRouting(values), ...overrides])
  if (fault !== undefined) return fault
  if (values['proxied'] !== true)
    return notEnforced('Sluice is not a name server: only proxied load balancers act')
  return isGiven(values['networks']) ? partly('networks have no effect') : enforced
}

/** A `cloudflare_load_balancer_monitor`. */
export function coverPlannedMonitor(values: JsonObject): Coverage {
  return firstOf([unsupportedInMonitor(values)]) ?? enforced
}

/** A `cloudflare_load_balancer_pool`. */
export function coverPlannedPool(values: JsonObject): Coverage {
  const origins = blocksIn(values, 'origins').map(unsupportedInOrigin)
  const fault = firstOf([unsupportedInPool(values), ...origins])
  if (fault !== undefined) return fault
  const idle = idleInPool(values)
  return idle.length === 0 ? enforced : partly(`without effect: ${idle.join(', ')}`)
}

/** `load_shedding` of version 4 has a list around it; states have it with percentages of 0. */
function idleInPool(values: JsonObject): readonly string[] {
  const shed = blockIn(values, 'load_shedding') ?? {}
  const sheds = [shed['default_percent'], shed['session_percent']].some(percent => Number(percent ?? 0) > 0)
  const names = ['check_regions', 'health_sources', 'notification_email']
  return [...names.filter(name => isGiven(values[name])), ...(sheds ? ['load_shedding'] : [])]
}

function firstOf(faults: readonly (Unsupported | undefined)[]): Coverage | undefined {
  return refusedMember(faults.find(one => one !== undefined))
}
