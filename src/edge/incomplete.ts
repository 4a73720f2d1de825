import { WorkExceededError } from '../expressions/index.ts'
import type { PlanRule } from '../rulesets/plan.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
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

/**
 * What becomes of a request on which a rule of one's own costs too much. A rule that would not have stopped it counts
 * as one that does not match.
 * @throws any other error as it is
 */
export function notEvaluated(
  { deps }: EdgeCore,
  { ledger }: Exchange,
  rule: PlanRule,
  error: unknown,
): Verdict {
  if (!(error instanceof WorkExceededError)) throw error
  ledger.incomplete ??= 'budget'
  const { effect } = rule
  const stops = effect.kind === 'action' && effect.action !== 'log'
  if (deps.onIncomplete === 'allow' || !stops) return undefined
  ledger.end({
    action: 'block',
    ruleId: rule.id,
    description: rule.description,
    source: effect.limit === undefined ? 'firewallCustom' : 'rateLimit',
    rule,
    inspection: undefined,
  })
  return { kind: 'incomplete', reason: 'budget' }
}
