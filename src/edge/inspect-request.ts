import type { ManagedExecution, PlainEffect, PlanAction, PlanRule, ZonePlan } from '../rulesets/plan.ts'
import type { Interruption, WafRequest } from '../waf/types.ts'
import type { ClientRequest } from './client-request.ts'
import { type Inspection, type Ledger, type SecurityEntry, scoreOf } from './ledger.ts'
import { bypassActions, recordActions, type Verdict } from './verdict.ts'

/** What a request's rules are given besides the request itself. */
export interface InspectionContext {
  readonly request: ClientRequest
  readonly rayId: string
  readonly startedMs: number
  readonly ledger: Ledger
  /** Does the client hold a clearance? Asked at most once a rule with a challenge. */
  readonly isCleared: () => boolean
  /** The part of the body that is inspected; the same every time. */
  readonly body: () => Promise<{ readonly bytes: Uint8Array; readonly complete: boolean }>
}

/**
 * Runs the request phases in order: account before zone, custom rules before managed ones. The first terminating
 * action ends it.
 */
export async function inspectRequest(plan: ZonePlan, context: InspectionContext): Promise<Verdict> {
  for (const rules of [plan.custom, plan.managed]) {
    for (const rule of rules) {
      if (!rule.matches(context.request)) continue
      const verdict =
        rule.effect.kind === 'action'
          ? applyPlain(context, rule, rule.effect)
          : await execute(context, rule, rule.effect)
      if (verdict !== undefined) return verdict
    }
  }
  return undefined
}

function applyPlain(context: InspectionContext, rule: PlanRule, { action, response }: PlainEffect): Verdict {
  const verdict = applyAction(context, action, entryFor(rule, action))
  return verdict === undefined || response === undefined
    ? verdict
    : { kind: 'action', action: 'block', response }
}

async function execute(
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
): Promise<Verdict> {
  const transaction = execution.program.begin(wafRequest(context), execution.mask)
  const inspection: Inspection = { rule, execution, transaction, side: 'request' }
  context.ledger.inspections.push(inspection)
  const early = transaction.requestHeaders()
  if (early !== undefined) return interrupt(context, inspection, early)
  const { bytes, complete } = transaction.wantsRequestBody ? await context.body() : noBody
  if (!complete) context.ledger.partial = true
  const late = transaction.requestBody(bytes, complete)
  if (late !== undefined) return interrupt(context, inspection, late)
  return judge(context, inspection)
}

const noBody = { bytes: new Uint8Array(0), complete: true }

export function wafRequest(context: InspectionContext): WafRequest {
  const { request } = context
  return {
    clientIp: request.clientIp,
    clientPort: request.connection.clientPort,
    serverPort: request.connection.serverPort,
    method: request.method,
    target: request.target,
    protocol: request.version,
    headers: request.headers,
    uniqueId: context.rayId,
    startedMs: context.startedMs,
  }
}

/** What the last rule of a managed ruleset does: at or above the threshold it takes the execution's action. */
export function judge(context: InspectionContext, inspection: Inspection): Verdict {
  const { execution } = inspection
  if (!execution.acts || scoreOf(inspection) < execution.threshold) return undefined
  return applyAction(
    context,
    execution.action,
    lastRuleEntry(inspection, recordActions[execution.action]),
    inspection,
  )
}

/** A rule that stops the request by itself, such as one that cannot read the body. */
export function interrupt(
  context: InspectionContext,
  inspection: Inspection,
  interruption: Interruption,
): Verdict {
  const { execution } = inspection
  if (!execution.acts) return undefined
  const index = execution.program.rules.findIndex(rule => rule.id === interruption.ruleId)
  const ruleId = execution.ruleIds[index] ?? execution.lastRuleId
  const description = execution.program.rules[index]?.message ?? inspection.rule.description
  if (execution.action === 'log') {
    context.ledger.add({ action: 'log', ruleId, description, source: 'firewallManaged' })
    return undefined
  }
  const action = interruption.action === 'drop' ? 'connectionClose' : 'block'
  context.ledger.end({ action, ruleId, description, source: 'firewallManaged' }, inspection)
  return { kind: 'interrupt', interruption }
}

function applyAction(
  { ledger, isCleared }: InspectionContext,
  action: PlanAction,
  entry: SecurityEntry,
  decidedBy?: Inspection,
): Verdict {
  if (action === 'log') {
    ledger.add(entry)
    return undefined
  }
  if (action !== 'block' && isCleared()) {
    ledger.add({ ...entry, action: bypassActions[action] })
    return undefined
  }
  ledger.end(entry, decidedBy)
  return { kind: 'action', action }
}

function entryFor(rule: PlanRule, action: PlanAction): SecurityEntry {
  return {
    action: recordActions[action],
    ruleId: rule.id,
    description: rule.description,
    source: 'firewallCustom',
  }
}

function lastRuleEntry({ execution, rule }: Inspection, action: SecurityEntry['action']): SecurityEntry {
  return { action, ruleId: execution.lastRuleId, description: rule.description, source: 'firewallManaged' }
}
