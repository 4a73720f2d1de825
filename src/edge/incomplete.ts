import type { ManagedExecution, PlanRule } from '../rulesets/plan.ts'
import type { InspectionContext } from './inspect-request.ts'
import type { Inspection } from './ledger.ts'
import type { IncompleteReason, Verdict } from './verdict.ts'

/** One run of a managed ruleset, as a plan has it. */
export interface PlannedRun {
  readonly rule: PlanRule
  readonly execution: ManagedExecution
}

/** The engine failed. Its transaction is left as it is: what it holds cannot be relied on. */
export function engineFailed(
  context: InspectionContext,
  run: PlannedRun,
  inspection: Inspection | undefined,
  error: unknown,
): Verdict {
  if (inspection !== undefined) inspection.broken = true
  context.onEngineError(error)
  return incompleteVerdict(context, run, 'error', inspection)
}

/**
 * What becomes of a request whose rules were not evaluated to the end. A run that only looks on, or only logs, would
 * not have stopped it either.
 */
export function incompleteVerdict(
  { ledger, onIncomplete }: InspectionContext,
  { rule, execution }: PlannedRun,
  reason: IncompleteReason,
  inspection: Inspection | undefined,
): Verdict {
  ledger.incomplete ??= reason
  if (onIncomplete === 'allow' || !execution.acts || execution.action === 'log') return undefined
  ledger.end(
    {
      action: 'block',
      ruleId: execution.lastRuleId,
      description: rule.description,
      source: 'firewallManaged',
    },
    inspection,
  )
  return { kind: 'incomplete', reason }
}
