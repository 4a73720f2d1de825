import { passesIncomplete } from '../exchange/core.ts'
import type { Inspection } from '../exchange/decisions.ts'
import { reportInternal } from '../exchange/report.ts'
import type { IncompleteReason, Verdict } from '../exchange/verdict.ts'
import type { InspectionContext } from '../phases/context.ts'

/** One run of a managed ruleset as planned, with its skips. */
export type PlannedRun = Pick<Inspection, 'rule' | 'execution' | 'acts'>

/** Handles a failure of the engine. The state of the transaction is then unreliable and is not used. */
export function engineFailed(
  context: InspectionContext,
  run: PlannedRun,
  inspection: Inspection | undefined,
  error: unknown,
): Verdict {
  if (inspection !== undefined) inspection.broken = true
  reportInternal(context.core, context.facts, error)
  return incompleteVerdict(context, run, 'error', inspection)
}

/**
 * Decides about a request whose rules were not evaluated completely. A run that cannot stop a request, such as one that
 * only logs, lets it continue.
 */
export function incompleteVerdict(
  { core, facts, decisions }: InspectionContext,
  { rule, execution, acts }: PlannedRun,
  reason: IncompleteReason,
  inspection: Inspection | undefined,
): Verdict {
  decisions.incomplete ??= reason
  if (passesIncomplete(core, facts) || !acts || execution.action === 'log') return undefined
  decisions.end({
    action: 'block',
    ruleId: execution.lastRuleId,
    description: rule.description,
    source: 'firewallManaged',
    rule,
    inspection,
  })
  return { kind: 'incomplete', reason }
}
