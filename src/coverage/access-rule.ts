import { type AccessRule, accessTargets } from '../model/access-rule.ts'
import type { JsonObject } from '../model/resource.ts'
import { accessRuleKey, type DataSources } from '../rulesets/index.ts'
import { type Coverage, enforced, notEnforced } from './enforcement.ts'
import { blockIn, refused } from './planned-values.ts'

/** The key of the rule for exit nodes of Tor. */
export const torKey = 'country T1'

/** The reason why no client has the target of the rule; undefined for a rule that acts. */
export function neverMatches(
  { target, key }: Pick<AccessRule, 'target' | 'key'>,
  { hasGeoDatabases }: DataSources,
): string | undefined {
  if (target === 'asn' && !hasGeoDatabases)
    return 'no database in SLUICE_GEO_DATABASES gives the AS numbers of clients'
  return key === torKey ? 'exit nodes of Tor are not known' : undefined
}

/** A `cloudflare_access_rule` of a plan or state; undefined while its target is unknown. */
export function coverPlannedAccessRule(values: JsonObject, sources: DataSources): Coverage | undefined {
  const { target, value } = blockIn(values, 'configuration') ?? {}
  if (typeof target !== 'string' || typeof value !== 'string') return undefined
  const known = accessTargets.find(one => one === target)
  const key = known && accessRuleKey(known, value)
  if (known === undefined || key === undefined)
    return refused(`'${value}' is no value of the target ${target}`)
  const reason = neverMatches({ target: known, key }, sources)
  return reason === undefined ? enforced : notEnforced(reason)
}
