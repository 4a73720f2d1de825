import type { PlanAction } from '../../rulesets/plan/plan.ts'
import { checkClearance, clearanceCookie } from '../challenge/clearance.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { SecurityEntry } from '../exchange/decisions.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { type ActionVerdict, bypassActions, type CheckPage } from '../exchange/verdict.ts'
import { cookiesOf } from '../message/cookies.ts'
import type { InspectionContext } from './context.ts'

/**
 * Takes and records an action. The request continues after `log`, and after a challenge of a client with a clearance.
 * @param page of a block, if it is not the one of rules
 */
export function applyAction(
  { core, facts, decisions }: InspectionContext,
  action: PlanAction,
  entry: SecurityEntry,
  page?: CheckPage,
): ActionVerdict | undefined {
  if (action === 'log') {
    decisions.add(entry)
    return undefined
  }
  if (action !== 'block' && isCleared(core, facts)) {
    decisions.add({ ...entry, action: bypassActions[action] })
    return undefined
  }
  decisions.end(entry)
  return { kind: 'action', action, ...(page && { page }) }
}

/** The client has a valid clearance for this zone. */
function isCleared({ deps }: EdgeCore, facts: RequestFacts): boolean {
  if (facts.cleared) return true
  const { holder, request } = facts
  const nowSec = Math.floor(deps.clock.nowMs() / 1000)
  for (const [name, value] of cookiesOf(request.headers))
    if (name === clearanceCookie && checkClearance(deps.clearanceKey, holder, value, nowSec)) return true
  return false
}
