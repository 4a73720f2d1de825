import type {
  RequestTrace,
  TracedCheck,
  TracedInspection,
  TracedMatch,
  TracedPhase,
  TracedRule,
  TracedRuleset,
} from '../../model/request-trace.ts'
import { phases, type Rule } from '../../model/resource.ts'
import type { Wire } from '../http/schemas.ts'
import type { TraceDocuments } from './documents.ts'
import type { TraceItem, traceSchema } from './schemas.ts'

export function traceToWire(trace: RequestTrace, documents: TraceDocuments): Wire<typeof traceSchema> {
  const { zone, rayId, outcome, records } = trace
  return {
    ...(outcome.status > 0 && { status_code: outcome.status }),
    trace: steps(trace, documents),
    zone,
    ray_id: rayId,
    outcome: {
      kind: outcome.kind,
      ...(outcome.action !== '' && { action: outcome.action }),
      ...(outcome.ruleId !== '' && { rule_id: outcome.ruleId }),
      ...(outcome.reason !== '' && { reason: outcome.reason }),
      ...(outcome.location !== '' && { location: outcome.location }),
      ...(outcome.kind === 'forward' && { uri: outcome.uri, host: outcome.host, origin: outcome.origin }),
    },
    records: {
      http_requests: records.httpRequests,
      firewall_events: records.firewallEvents,
      not_known: records.notKnown,
    },
  }
}

/** The phases in order, with the checks between them. */
function steps({ phases: traced, checks }: RequestTrace, documents: TraceDocuments): readonly TraceItem[] {
  const rest = [...checks]
  const items: TraceItem[] = []
  const addChecks = (isNext: (check: TracedCheck) => boolean) => {
    while (rest.length > 0 && isNext(rest[0]!)) items.push(checkItem(rest.shift()!))
  }
  for (const phase of traced) {
    addChecks(({ before }) => phases.indexOf(phase.phase) >= phases.indexOf(before))
    items.push(phaseItem(phase, documents))
  }
  addChecks(() => true)
  return items
}

function checkItem({ source, ruleId, description, did }: TracedCheck): TraceItem {
  const rule: TraceItem = {
    type: 'rule',
    step_name: ruleId,
    description,
    matched: true,
    evaluation: 'matched',
    did,
  }
  return { type: 'phase', step_name: source, matched: true, reached: true, trace: [rule] }
}

function phaseItem({ phase, reached, rulesets }: TracedPhase, documents: TraceDocuments): TraceItem {
  const trace = rulesets.map(ruleset => rulesetItem(ruleset, documents))
  return { type: 'phase', step_name: phase, matched: trace.some(isMatched), reached, trace }
}

function rulesetItem(ruleset: TracedRuleset, documents: TraceDocuments): TraceItem {
  const { id, version, kind, level } = ruleset
  const document = documents.find(ruleset)
  const trace = ruleset.rules.map(rule => {
    const written = document?.rules.find(one => one.id === rule.id)
    return ruleItem(rule, written, documents)
  })
  const { name = '', description = '' } = document ?? {}
  const matched = trace.some(isMatched)
  return { type: 'ruleset', step_name: id, name, description, kind, version, level, matched, trace }
}

function ruleItem(rule: TracedRule, written: Rule | undefined, documents: TraceDocuments): TraceItem {
  const { id, ref, description, evaluation, skippedBy, did, managed, executes } = rule
  const inner =
    managed !== undefined
      ? [managedItem(managed, documents)]
      : executes !== undefined
        ? [rulesetItem(executes, documents)]
        : undefined
  return {
    type: 'rule',
    step_name: id,
    ref,
    description,
    ...(written?.expression !== undefined && { expression: written.expression }),
    ...(written !== undefined && { action: written.action }),
    ...(written?.actionParameters !== undefined && { action_parameters: written.actionParameters }),
    matched: evaluation === 'matched',
    evaluation,
    ...(skippedBy !== undefined && { skipped_by: skippedBy }),
    ...(did !== undefined && { did }),
    ...(inner !== undefined && { trace: inner }),
  }
}

/** The findings of a managed ruleset: the matched rules in order, and the last rule, which compares the score and acts. */
function managedItem(inspection: TracedInspection, documents: TraceDocuments): TraceItem {
  const { rulesetId: id, version, score, threshold, action, lastRuleId, acts, acted } = inspection
  const document = documents.find({ id, version })
  const last = document?.rules.find(rule => rule.id === lastRuleId)
  const lastItem: TraceItem = {
    type: 'rule',
    step_name: lastRuleId,
    ref: last?.ref ?? '',
    description: last?.description ?? '',
    action,
    matched: acts && score >= threshold,
    evaluation: !acts ? 'skipped' : score >= threshold ? 'matched' : 'not_matched',
  }
  return {
    type: 'ruleset',
    step_name: id,
    name: document?.name ?? '',
    description: document?.description ?? '',
    kind: 'managed',
    version,
    matched: inspection.matches.length > 0,
    score,
    score_threshold: threshold,
    action,
    acts,
    acted,
    incomplete: inspection.incomplete,
    rules_on: inspection.rulesOn,
    matches_omitted: inspection.matchesOmitted,
    trace: [...inspection.matches.map(match => matchItem(match, threshold)), lastItem],
  }
}

function matchItem(match: TracedMatch, threshold: number): TraceItem {
  const { id, ref, message, target, value, data, score, total, phase, paranoiaLevel, severity, tags } = match
  return {
    type: 'rule',
    step_name: id,
    ref,
    description: message,
    action: 'score',
    matched: true,
    evaluation: 'matched',
    match: {
      target,
      value,
      data,
      score,
      total,
      score_threshold: threshold,
      phase,
      paranoia_level: paranoiaLevel,
      severity,
      tags,
      conditions: match.conditions,
    },
  }
}

function isMatched({ matched }: TraceItem): boolean {
  return matched
}
