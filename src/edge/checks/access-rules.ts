import type { AccessTarget } from '../../model/access-rule.ts'
import type { SecuritySource } from '../exchange/decisions.ts'
import { type CheckPage, recordActions, type Verdict } from '../exchange/verdict.ts'
import { applyAction } from '../phases/apply-action.ts'
import type { InspectionContext } from '../phases/context.ts'

/** Applies the IP access rule for the client. A rule that allows is not recorded, as at Cloudflare. */
export function checkAccessRules(context: InspectionContext): Verdict {
  const { facts, state, decisions } = context
  const { accessRules, zone } = facts.plan!
  const rule = accessRules?.find(zone, state)
  if (rule === undefined) return undefined
  const { id: ruleId, mode, target, notes: description } = rule
  if (mode === 'whitelist') {
    decisions.skips.allow(rule)
    return undefined
  }
  return applyAction(
    context,
    mode,
    {
      action: recordActions[mode],
      ruleId,
      description,
      source: accessSources[target],
      rule: undefined,
      inspection: undefined,
    },
    accessPages[target],
  )
}

const accessPages: { readonly [T in AccessTarget]: CheckPage } = {
  ip: 'ip-block',
  ip6: 'ip-block',
  ip_range: 'ip-block',
  asn: 'network-block',
  country: 'country-block',
}

/** Names of access rules in records, by their target. */
export const accessSources: { readonly [T in AccessTarget]: SecuritySource } = {
  ip: 'ip',
  ip6: 'ip',
  ip_range: 'ipRange',
  asn: 'asn',
  country: 'country',
}
