import type { Inspection } from './ledger.ts'
import type { InspectionContext } from './phases/context.ts'
import { reportInternal } from './report.ts'
import type { IncompleteReason, Verdict } from './verdict.ts'

/** One run of a managed ruleset, as a plan and what is skipped of it have it. */
export type PlannedRun = Pick<Inspection, 'rule' | 'execution' | 'acts'>

/** The engine failed. Its transaction is left as it is: what it holds cannot be relied on. */
export function engineFailed(
  context: InspectionContext,
  run: PlannedRun,
  inspection: Inspection | undefined,
  error: unknown,
): Verdict {
  if (inspection !== undefined) inspection.broken = true
  reportInternal(context.core, context.exchange, error)
  return incompleteVerdict(context, run, 'error', inspection)
}

/**
 * What becomes of a request whose rules were not evaluated to the end. A run that only looks on, or only logs, would
 * not have stopped it either.
 */
export function incompleteVerdict(
  { core, exchange: { ledger } }: InspectionContext,
  { rule, execution, acts }: PlannedRun,
  reason: IncompleteReason,
  inspection: Inspection | undefined,
): Verdict {
  ledger.incomplete ??= reason
  if (core.deps.onIncomplete === 'allow' || !acts || execution.action === 'log') return undefined
  ledger.end({
    action: 'block',
    ruleId: execution.lastRuleId,
    description: rule.description,
    source: 'firewallManaged',
    rule,
    inspection,
  })
  return { kind: 'incomplete', reason }
}
