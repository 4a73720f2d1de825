import type { PlanAction } from '../../rulesets/plan.ts'
import { isCleared } from '../challenge/endpoint.ts'
import type { SecurityEntry } from '../ledger.ts'
import { type ActionVerdict, bypassActions } from '../verdict.ts'
import type { InspectionContext } from './context.ts'

/** Takes and records an action: `log` goes on, and so do challenges of clients that hold a clearance. */
export function applyAction(
  { core, exchange }: InspectionContext,
  action: PlanAction,
  entry: SecurityEntry,
): ActionVerdict | undefined {
  const { ledger } = exchange
  if (action === 'log') {
    ledger.add(entry)
    return undefined
  }
  if (action !== 'block' && isCleared(core, exchange)) {
    ledger.add({ ...entry, action: bypassActions[action] })
    return undefined
  }
  ledger.end(entry)
  return { kind: 'action', action }
}
