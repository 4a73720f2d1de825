import {
  type Unsupported,
  unsupportedInMonitor,
  unsupportedInOrigin,
  unsupportedInPool,
  unsupportedInRouting,
} from '../model/load-balancing-support.ts'
import type { JsonObject } from '../model/resource.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import { blockIn, blocksIn, isGiven, refused } from './planned-values.ts'

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

/** A `cloudflare_load_balancer_pool`; undefined for one that is not refused. */
export function coverPlannedPool(values: JsonObject): Coverage | undefined {
  return firstOf([unsupportedInPool(values), ...blocksIn(values, 'origins').map(unsupportedInOrigin)])
}

function firstOf(faults: readonly (Unsupported | undefined)[]): Coverage | undefined {
  const fault = faults.find(one => one !== undefined)
  return fault && refused(`${fault.field} is not supported: ${fault.reason}`)
}
