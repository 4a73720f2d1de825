import { Type } from '@fastify/type-provider-typebox'
import type { LogRecord } from '../../model/dataset.ts'
import type { Phase } from '../../model/resource.ts'
import { owaspResponseRulesetId } from '../../rulesets/index.ts'
import { count, describedText, nullable, text, type Wire } from '../http/schemas.ts'
import { matchedRuleSchema, type WireEvent } from './event-schema.ts'
import { textOf } from './wire.ts'

const outcomes = ['ended', 'acted', 'matched', 'passed', 'not_reached', 'unknown'] as const

type Outcome = (typeof outcomes)[number]

/** A rule that acted, or a managed ruleset of which rules matched. */
const rayRule = Type.Object({
  action: nullable(describedText('Action taken; null if none')),
  rule_id: describedText('Empty for managed rulesets that took no action, because records omit it'),
  ref: text,
  description: text,
  ruleset_id: text,
  score: nullable(Type.Integer({ description: 'Of managed rulesets' })),
  threshold: nullable(Type.Integer({ description: 'Of managed rulesets; null if they took no action' })),
  matched: Type.Array(matchedRuleSchema),
  matched_omitted: count,
})

const rayPhase = Type.Object({
  phase: text,
  outcome: Type.Enum([...outcomes], {
    description:
      'ended: a rule answered the request; acted: rules took actions and the request continued; matched: managed rules matched without an action; passed: nothing matched; not_reached: an earlier phase ended the request; unknown: the request record is no longer stored',
  }),
  rules: Type.Array(rayRule),
})

export const rayPhasesSchema = Type.Array(rayPhase, {
  description: 'Phases with security rules, in evaluation order',
})

type RayRule = Wire<typeof rayRule>

/** Phases with security rules, in the order in which a request goes through them. */
const securityPhases = [
  'http_config_settings',
  'http_request_firewall_custom',
  'http_ratelimit',
  'http_request_firewall_managed',
  'http_response_firewall_managed',
] as const satisfies readonly Phase[]

type SecurityPhase = (typeof securityPhases)[number]

/** Actions that answer a request, as records spell them, in lower case. */
const ending: ReadonlySet<string> = new Set([
  'block',
  'challenge',
  'jschallenge',
  'managedchallenge',
  'connectionclose',
])

/**
 * The outcome of each phase for a request, from its events and its record. Events have more detail, so the record adds
 * only managed rules that matched without an action, for which there is no event.
 * @param request `http_requests` record; null if it is no longer stored
 */
export function phasesOfRay(
  events: readonly WireEvent[],
  request: LogRecord | null,
): Wire<typeof rayPhasesSchema> {
  const rules = new Map<SecurityPhase, RayRule[]>(securityPhases.map(phase => [phase, []]))
  for (const event of events)
    rules.get(phaseOf(event.source, event.metadata.ruleset_id))!.push(ruleOfEvent(event))
  if (request !== null) {
    if (events.length === 0) for (const [phase, rule] of actionsOf(request)) rules.get(phase)!.push(rule)
    for (const run of matchedRuns(request)) {
      const own = rules.get(phaseOf('firewallmanaged', run.ruleset_id))!
      if (!own.some(rule => rule.ruleset_id === run.ruleset_id)) own.push(run)
    }
  }
  let ended = false
  return securityPhases.map(phase => {
    const own = rules.get(phase)!
    const outcome = own.length === 0 && ended ? 'not_reached' : outcomeOf(own, request !== null)
    ended ||= outcome === 'ended'
    return { phase, outcome, rules: own }
  })
}

function outcomeOf(rules: readonly RayRule[], recorded: boolean): Outcome {
  if (rules.some(({ action }) => action !== null && ending.has(action))) return 'ended'
  if (rules.some(({ action }) => action !== null)) return 'acted'
  if (rules.length > 0) return 'matched'
  return recorded ? 'passed' : 'unknown'
}

function phaseOf(source: string, rulesetId: string | undefined): SecurityPhase {
  switch (source) {
    case 'bic':
    case 'hot':
    case 'securitylevel':
      return 'http_config_settings'
    case 'ratelimit':
      return 'http_ratelimit'
    case 'firewallmanaged':
      return rulesetId === owaspResponseRulesetId
        ? 'http_response_firewall_managed'
        : 'http_request_firewall_managed'
    default:
      return 'http_request_firewall_custom'
  }
}

function ruleOfEvent({ action, rule_id, ref, description, metadata }: WireEvent): RayRule {
  return {
    action,
    rule_id,
    ref,
    description,
    ruleset_id: metadata.ruleset_id ?? '',
    score: metadata.score ?? null,
    threshold: metadata.threshold ?? null,
    matched: metadata.rules ?? [],
    matched_omitted: metadata.rules_omitted ?? 0,
  }
}

/** The actions in the record. */
function actionsOf(request: LogRecord): readonly (readonly [SecurityPhase, RayRule])[] {
  const [actions, ruleIds, sources] = ['SecurityActions', 'SecurityRuleIDs', 'SecuritySources'].map(name =>
    listOf(request, name),
  )
  return actions!.map((action, at) => {
    const ruleId = String(ruleIds![at] ?? '')
    const description =
      ruleId === textOf(request, 'SecurityRuleID') ? textOf(request, 'SecurityRuleDescription') : ''
    const rule = { ...nothing, action: String(action).toLowerCase(), rule_id: ruleId, description }
    return [phaseOf(String(sources![at] ?? '').toLowerCase(), undefined), rule]
  })
}

const nothing: RayRule = {
  action: null,
  rule_id: '',
  ref: '',
  description: '',
  ruleset_id: '',
  score: null,
  threshold: null,
  matched: [],
  matched_omitted: 0,
}

interface RecordedRun {
  readonly rulesetId?: string
  readonly rules?: readonly {
    readonly id?: string
    readonly metadata?: { readonly ref?: string; readonly score?: string; readonly target?: string }
  }[]
}

/** Managed rulesets with matched rules, with or without an action. */
function matchedRuns(request: LogRecord): readonly RayRule[] {
  return (listOf(request, 'MatchedRules') as readonly RecordedRun[]).map(run => {
    let total = 0
    const matched = (run.rules ?? []).map(({ id = '', metadata = {} }) => {
      const score = Number(metadata.score ?? 0)
      total += score
      return { id, ref: metadata.ref ?? '', score, total, target: metadata.target ?? '' }
    })
    return { ...nothing, ruleset_id: run.rulesetId ?? '', score: total, matched }
  })
}

function listOf(record: LogRecord, name: string): readonly unknown[] {
  const value = record[name]
  return Array.isArray(value) ? value : []
}
