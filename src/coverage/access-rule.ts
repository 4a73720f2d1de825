import { accessTargets } from '../model/access-rule.ts'
import type { JsonObject } from '../model/resource.ts'
import { accessRuleKey } from '../rulesets/index.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import { blockIn, refused } from './planned-values.ts'

/** A `cloudflare_access_rule` of a plan or state; undefined while its target is unknown. */
export function coverPlannedAccessRule(values: JsonObject): Coverage | undefined {
  const { target, value } = blockIn(values, 'configuration') ?? {}
  if (typeof target !== 'string' || typeof value !== 'string') return undefined
  const known = accessTargets.find(one => one === target)
  const key = known && accessRuleKey(known, value)
  if (key === undefined) return refused(`'${value}' is no value of the target ${target}`)
  if (key === 'country T1') return notEnforced('exit nodes of Tor are not known')
  return known === 'asn' ? partly('AS numbers need a database in SLUICE_GEO_DATABASES') : enforced
}
