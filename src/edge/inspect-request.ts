import type { ManagedExecution, PlainEffect, PlanAction, PlanRule, ZonePlan } from '../rulesets/plan.ts'
import type { Interruption, Transaction, WafRequest } from '../waf/types.ts'
import { type BodyParts, ClientBodyError } from './body-source.ts'
import type { ClientRequest } from './client-request.ts'
import type { EdgeDeps } from './deps.ts'
import { engineFailed, incompleteVerdict } from './incomplete.ts'
import { type Inspection, type Ledger, type SecurityEntry, scoreOf } from './ledger.ts'
import { inSlices } from './slices.ts'
import { bypassActions, recordActions, type Verdict } from './verdict.ts'

/** What a request's rules are given besides the request itself. */
export interface InspectionContext {
  readonly request: ClientRequest
  readonly rayId: string
  readonly startedMs: number
  readonly ledger: Ledger
  /** Does the client hold a clearance? Asked at most once a rule with a challenge. */
  readonly isCleared: () => boolean
  /** Undefined when the request can have none. */
  readonly body: BodyParts | undefined
  /** The part of a body that is inspected at most. */
  readonly bodyBytesMax: number
  readonly onIncomplete: EdgeDeps['onIncomplete']
  readonly onEngineError: (error: unknown) => void
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
  let inspection: Inspection | undefined
  let asked: Interruption | undefined
  try {
    inspection = beginInspection(context, rule, execution, 'request')
    asked = await requestPhases(context, inspection.transaction)
  } catch (error) {
    if (error instanceof ClientBodyError) throw error
    return engineFailed(context, { rule, execution }, inspection, error)
  }
  return conclude(context, inspection, asked)
}

export function beginInspection(
  context: InspectionContext,
  rule: PlanRule,
  execution: ManagedExecution,
  side: Inspection['side'],
): Inspection {
  const transaction = execution.program.begin(wafRequest(context), execution.mask)
  const inspection: Inspection = { rule, execution, transaction, side, broken: false }
  context.ledger.inspections.push(inspection)
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
    if (!complete) context.ledger.partial = true
  }
  return inSlices(transaction.requestBody(complete))
}

/** How the parts of a body go to a transaction. */
export function bodyTaker(
  { bodyBytesMax }: InspectionContext,
  transaction: Transaction,
): { readonly bytesMax: number; readonly take: (part: Uint8Array) => void } {
  return {
    bytesMax: Math.min(bodyBytesMax, transaction.requestBodyBytesMax),
    take: part => transaction.addRequestBody(part),
  }
}

function wafRequest(context: InspectionContext): WafRequest {
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
    context.ledger.incomplete ??= 'budget'
    return verdict
  }
  return incompleteVerdict(context, inspection, 'budget', inspection)
}

/** What the last rule of a managed ruleset does: at or above the threshold it takes the execution's action. */
function judge(context: InspectionContext, inspection: Inspection): Verdict {
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
function interrupt(context: InspectionContext, inspection: Inspection, interruption: Interruption): Verdict {
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
