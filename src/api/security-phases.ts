import type { LogRecord } from '../model/dataset.ts'
import type { Phase } from '../model/resource.ts'
import { owaspResponseRulesetId } from '../rulesets/index.ts'
import { textOf, type WireEvent, type WireMatch } from './security-wire.ts'

type Outcome = 'ended' | 'acted' | 'matched' | 'passed' | 'not_reached' | 'unknown'

interface RayPhase {
  readonly phase: Phase
  readonly outcome: Outcome
  readonly rules: readonly RayRule[]
}

/** A rule that acted, or a managed ruleset of which rules matched. */
interface RayRule {
  /** Null when nothing was done. */
  readonly action: string | null
  readonly rule_id: string
  readonly ref: string
  readonly description: string
  readonly ruleset_id: string
  readonly score: number | null
  readonly threshold: number | null
  readonly matched: readonly WireMatch[]
  readonly matched_omitted: number
}

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
 * What each phase did to a request, as far as its events and its record tell. Events say more than the record does, so
 * that the record only adds what no event tells of: managed rules that matched and did nothing.
 * @param request `http_requests` record; null when there is none any more
 */
export function phasesOfRay(events: readonly WireEvent[], request: LogRecord | null): readonly RayPhase[] {
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

/** What was done, as the record lists it. */
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

/** Managed rulesets of which rules matched, whatever came of it. */
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
