import type { PlanAction } from '../../rulesets/plan/plan.ts'
import { checkClearance, clearanceCookie } from '../challenge/clearance.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { SecurityEntry } from '../exchange/decisions.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { type ActionVerdict, bypassActions } from '../exchange/verdict.ts'
import type { InspectionContext } from './context.ts'

/** Takes and records an action. The request continues after `log`, and after a challenge of a client with a clearance. */
export function applyAction(
  { core, facts, decisions }: InspectionContext,
  action: PlanAction,
  entry: SecurityEntry,
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
  return { kind: 'action', action }
}

/** The client has a valid clearance for this zone. */
function isCleared({ deps }: EdgeCore, facts: RequestFacts): boolean {
  if (facts.cleared) return true
  const { holder, request } = facts
  const nowSec = Math.floor(deps.clock.nowMs() / 1000)
  for (const [name, value] of request.headers) {
    if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue
    for (const pair of value.split(';')) {
      const equals = pair.indexOf('=')
      if (equals < 0 || pair.slice(0, equals).trim() !== clearanceCookie) continue
      if (checkClearance(deps.clearanceKey, holder, pair.slice(equals + 1).trim(), nowSec)) return true
    }
  }
  return false
}
