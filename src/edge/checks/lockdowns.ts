import { pathReadings } from '../../rulesets/fields/normalized-path.ts'
import { lockedUrl, type PlanLockdown } from '../../rulesets/firewall/lockdown.ts'
import { recordActions, type Verdict } from '../exchange/verdict.ts'
import { applyAction } from '../phases/apply-action.ts'
import type { InspectionContext } from '../phases/context.ts'

/**
 * Applies the first lockdown that covers the URL, and the user agent rules to requests that no lockdown lets in by their
 * address.
 * @source Cloudflare docs, "User Agent Blocking"
 */
export function checkLockdowns(context: InspectionContext): Verdict {
  const { facts, state, decisions } = context
  const { lockdowns } = facts.plan!
  if (lockdowns.length === 0 || decisions.skips.skipsProduct('zoneLockdown')) return checkUserAgent(context)
  const { host, scheme, clientIp } = state
  const deciding = pathReadings(state.path).map(path => {
    const url = lockedUrl({ host, path, scheme })
    return lockdowns.find(({ covers }) => covers(url))
  })
  const refusing = deciding.find(lockdown => lockdown?.allows(clientIp) === false)
  if (refusing !== undefined) return refuse(context, refusing)
  return deciding.includes(undefined) ? checkUserAgent(context) : undefined
}

function refuse(context: InspectionContext, { id: ruleId, description }: PlanLockdown): Verdict {
  return applyAction(
    context,
    'block',
    {
      action: 'block',
      ruleId,
      description,
      source: 'zoneLockdown',
      rule: undefined,
      inspection: undefined,
    },
    'locked-down',
  )
}

function checkUserAgent(context: InspectionContext): Verdict {
  const { facts, decisions } = context
  const { userAgents } = facts.plan!
  if (userAgents.size === 0 || decisions.skips.skipsProduct('uaBlock')) return undefined
  const rule = userAgents.get(facts.request.header('user-agent') ?? '')
  if (rule === undefined) return undefined
  return applyAction(
    context,
    rule.mode,
    {
      action: recordActions[rule.mode],
      ruleId: rule.id,
      description: rule.description ?? '',
      source: 'uaBlock',
      rule: undefined,
      inspection: undefined,
    },
    'browser-block',
  )
}
