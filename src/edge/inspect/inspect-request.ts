import type { ManagedExecution, PlanRule } from '../../rulesets/plan/plan.ts'
import type { Interruption, Transaction } from '../../waf/types.ts'
import { type Inspection, type SecurityEntry, scoreOf } from '../exchange/decisions.ts'
import type { Excepted } from '../exchange/skips.ts'
import { inSlices } from '../exchange/slices.ts'
import { recordActions, type UninspectedReason, type Verdict } from '../exchange/verdict.ts'
import { wafRequest } from '../exchange/waf-request.ts'
import { ClientBodyError } from '../message/body-source.ts'
import { DecodedBody } from '../message/content-coding.ts'
import { applyAction } from '../phases/apply-action.ts'
import type { InspectionContext } from '../phases/context.ts'
import { engineFailed, incompleteVerdict, type PlannedRun } from './incomplete.ts'

/** Runs a managed ruleset over a request. At the threshold score, the ruleset takes its action. */
export async function inspect(
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
  excepted: Excepted,
): Promise<Verdict> {
  const run = { rule, execution, acts: execution.acts && !excepted.lastRule }
  let inspection: Inspection | undefined
  let asked: Interruption | undefined
  try {
    inspection = beginInspection(context, run, excepted, 'request')
    context.core.background.inspectionBegun(context, inspection, excepted)
    const result = await requestPhases(context, inspection)
    if (typeof result === 'string') return uninspected(context, inspection, result)
    asked = result
    if (asked !== undefined) inspection.stoppedBy = asked.ruleId
  } catch (error) {
    if (error instanceof ClientBodyError) throw error
    return engineFailed(context, run, inspection, error)
  }
  return conclude(context, inspection, asked)
}

export function beginInspection(
  context: InspectionContext,
  run: Pick<Inspection, 'rule' | 'execution' | 'acts'>,
  { exceptions }: Excepted,
  side: Inspection['side'],
): Inspection {
  const { program, mask } = run.execution
  const transaction = program.begin(wafRequest(context), mask, exceptions)
  const inspection: Inspection = { ...run, transaction, side, broken: false }
  context.decisions.inspections.push(inspection)
  return inspection
}

/** @returns the interruption of a rule, or the reason to refuse a request whose body is not inspected completely */
async function requestPhases(
  context: InspectionContext,
  inspection: Inspection,
): Promise<Interruption | UninspectedReason | undefined> {
  const { transaction } = inspection
  const phase1 = inSlices(transaction.requestHeaders(), context.facts, context.decisions)
  const early = phase1 instanceof Promise ? await phase1 : phase1
  if (early !== undefined) return early
  let complete = true
  const { body, facts, decisions } = context
  const refuses = stops(inspection) && facts.plan?.settings.wafBodyLimitAction === 'reject'
  if (transaction.wantsRequestBody && body !== undefined) {
    const { bytesMax, take } = bodyTaker(context, transaction)
    if (refuses && (body.announcedBytes ?? 0) > bytesMax) return 'too-long'
    complete = await body.read(bytesMax, take)
    const fault = body instanceof DecodedBody ? body.fault : undefined
    if (fault !== undefined) decisions.partial = true
    if (fault === 'malformed' && stops(inspection)) return fault
    if (refuses && fault !== undefined) return fault
    if (refuses && !complete) return 'too-long'
  }
  const asked = await inSlices(transaction.requestBody(complete), facts, decisions)
  if (!transaction.requestBodyCut) return asked
  decisions.partial = true
  return refuses ? (asked ?? 'too-long') : asked
}

/** @returns whether the run can stop a request */
function stops({ acts, execution }: PlannedRun): boolean {
  return acts && execution.action !== 'log'
}

/** Refuses a body that was not inspected completely, when the zone's settings ask for that. */
function uninspected(
  { decisions }: InspectionContext,
  inspection: Inspection,
  reason: UninspectedReason,
): Verdict {
  decisions.partial = true
  decisions.end(lastRuleEntry(inspection, 'block'))
  return { kind: 'uninspected', reason }
}

/** Passes the parts of a body to a transaction. */
export function bodyTaker(
  { core }: InspectionContext,
  transaction: Transaction,
): { readonly bytesMax: number; readonly take: (part: Uint8Array) => void } {
  return {
    bytesMax: Math.min(core.limits.inspectedBodyBytesMax, transaction.requestBodyBytesMax),
    take: part => transaction.addRequestBody(part),
  }
}

/**
 * The verdict of a run after its last phase, or after an interruption. A run whose work budget is used up still counts as
 * complete when its score has reached the threshold, because scores only grow.
 */
export function conclude(
  context: InspectionContext,
  inspection: Inspection,
  asked: Interruption | undefined,
): Verdict {
  const verdict = asked === undefined ? judge(context, inspection) : interrupt(context, inspection, asked)
  const { execution, transaction } = inspection
  if (!transaction.overBudget) return verdict
  if (verdict !== undefined || scoreOf(inspection) >= execution.threshold) {
    context.decisions.incomplete ??= 'budget'
    return verdict
  }
  return incompleteVerdict(context, inspection, 'budget', inspection)
}

/** Evaluates the last rule of a managed ruleset: at or above the threshold, it takes the execution's action. */
function judge(context: InspectionContext, inspection: Inspection): Verdict {
  const { execution, acts } = inspection
  if (!acts || scoreOf(inspection) < execution.threshold) return undefined
  return applyAction(context, execution.action, lastRuleEntry(inspection, recordActions[execution.action]))
}

/** Handles a rule that stops the request directly, such as a rule for an unreadable body. */
function interrupt(
  { decisions }: InspectionContext,
  inspection: Inspection,
  interruption: Interruption,
): Verdict {
  const { rule, execution, acts } = inspection
  if (!acts) return undefined
  const index = execution.program.rules.findIndex(({ id }) => id === interruption.ruleId)
  const ruleId = execution.ruleIds[index] ?? execution.lastRuleId
  const description = execution.program.rules[index]?.message ?? rule.description
  const entry = { ruleId, description, source: 'firewallManaged', rule, inspection } as const
  if (execution.action === 'log') {
    decisions.add({ ...entry, action: 'log' })
    return undefined
  }
  decisions.end({ ...entry, action: interruption.action === 'drop' ? 'connectionClose' : 'block' })
  return { kind: 'interrupt', interruption }
}

function lastRuleEntry(inspection: Inspection, action: SecurityEntry['action']): SecurityEntry {
  const { execution, rule } = inspection
  const { lastRuleId: ruleId } = execution
  return { action, ruleId, description: rule.description, source: 'firewallManaged', rule, inspection }
}
