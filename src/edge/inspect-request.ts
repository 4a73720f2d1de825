import type { ManagedExecution, PlanRule } from '../rulesets/plan.ts'
import type { Interruption, Transaction } from '../waf/types.ts'
import { ClientBodyError } from './body-source.ts'
import { engineFailed, incompleteVerdict } from './incomplete.ts'
import { type Inspection, type SecurityEntry, scoreOf } from './ledger.ts'
import { applyAction } from './phases/apply-action.ts'
import type { InspectionContext } from './phases/context.ts'
import type { Excepted } from './phases/skips.ts'
import { beginSample } from './sample.ts'
import { inSlices } from './slices.ts'
import { recordActions, type Verdict } from './verdict.ts'
import { wafRequest } from './waf-request.ts'

/** Runs a managed ruleset over a request, and takes its action when its score reaches the threshold. */
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
    beginSample(context.core, context.exchange, inspection, excepted)
    asked = await requestPhases(context, inspection.transaction)
    if (asked !== undefined) inspection.stoppedBy = asked.ruleId
  } catch (error) {
    if (error instanceof ClientBodyError) throw error
    return engineFailed(context, run, inspection, error)
  }
  return conclude(context, inspection, asked)
}

export function beginInspection(
  { exchange }: InspectionContext,
  run: Pick<Inspection, 'rule' | 'execution' | 'acts'>,
  { exceptions }: Excepted,
  side: Inspection['side'],
): Inspection {
  const { program, mask } = run.execution
  const transaction = program.begin(wafRequest(exchange), mask, exceptions)
  const inspection: Inspection = { ...run, transaction, side, broken: false }
  exchange.ledger.inspections.push(inspection)
  return inspection
}

async function requestPhases(
  context: InspectionContext,
  transaction: Transaction,
): Promise<Interruption | undefined> {
  const early = inSlices(transaction.requestHeaders())
  const asked = early instanceof Promise ? await early : early
  if (asked !== undefined) return asked
  let complete = true
  if (transaction.wantsRequestBody && context.body !== undefined) {
    const { bytesMax, take } = bodyTaker(context, transaction)
    complete = await context.body.read(bytesMax, take)
    if (!complete) context.exchange.ledger.partial = true
  }
  return inSlices(transaction.requestBody(complete))
}

/** How the parts of a body go to a transaction. */
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
 * What a run comes to after its last phase, or where rules asked to stop. One that the work budget ended is complete
 * when its score has reached the threshold: it would only have grown.
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
    context.exchange.ledger.incomplete ??= 'budget'
    return verdict
  }
  return incompleteVerdict(context, inspection, 'budget', inspection)
}

/** What the last rule of a managed ruleset does: at or above the threshold it takes the execution's action. */
function judge(context: InspectionContext, inspection: Inspection): Verdict {
  const { execution, acts } = inspection
  if (!acts || scoreOf(inspection) < execution.threshold) return undefined
  return applyAction(context, execution.action, lastRuleEntry(inspection, recordActions[execution.action]))
}

/** A rule that stops the request by itself, such as one that cannot read the body. */
function interrupt(
  { exchange: { ledger } }: InspectionContext,
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
    ledger.add({ ...entry, action: 'log' })
    return undefined
  }
  ledger.end({ ...entry, action: interruption.action === 'drop' ? 'connectionClose' : 'block' })
  return { kind: 'interrupt', interruption }
}

function lastRuleEntry(inspection: Inspection, action: SecurityEntry['action']): SecurityEntry {
  const { execution, rule } = inspection
  const { lastRuleId: ruleId } = execution
  return { action, ruleId, description: rule.description, source: 'firewallManaged', rule, inspection }
}
