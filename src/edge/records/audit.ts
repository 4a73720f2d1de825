import { type PlanRedaction, redactionOf } from '../../rulesets/plan/redaction.ts'
import type { RuleMatch } from '../../waf/types.ts'
import type { ShadowFinding } from '../exchange/background-port.ts'
import { type Inspection, matchesOf, type SecurityEntry, scoreOf } from '../exchange/decisions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { recordLimits } from '../limits.ts'
import { recordedStatus } from './http-request.ts'
import { recordedTarget } from './match-texts.ts'
import { redactMatch } from './redaction/match-data.ts'
import { redactAnyHeader, redactUri } from './redaction/redact.ts'
import { asText, cutAsText } from './text.ts'

export interface AuditMatch {
  readonly id: number
  readonly rule_id: string
  readonly phase: number
  readonly score: number
  readonly message: string
  readonly tags: readonly string[]
  readonly target: string
  readonly data?: string
}

/** The entry of the audit log for one request. */
export interface AuditRecord {
  readonly time: string
  readonly ray_id: string
  readonly zone: string
  readonly client_ip: string
  readonly request: {
    readonly method: string
    readonly uri: string
    readonly protocol: string
    readonly headers: readonly (readonly [name: string, value: string])[]
  }
  readonly status: number
  readonly action: string
  readonly score: number
  readonly threshold: number
  readonly partial?: true
  readonly incomplete?: string
  readonly encrypted_matched_data?: string
  readonly shadow?: object
  readonly matched: readonly AuditMatch[]
}

/**
 * Secrets are redacted by the zone's settings; for a request that belongs to no zone, all kinds of secrets.
 * @param payload includes the expanded messages and data of matches, which can contain input of the client
 */
export function auditRecord(
  exchange: Exchange,
  endedMs: number,
  payload: boolean,
  shadow: ShadowFinding | undefined,
): AuditRecord {
  const { facts, decisions, answer } = exchange
  const { request, plan } = facts
  const redaction = plan?.redaction ?? redactionOf(undefined)
  const shown = decisions.shownInspection()
  const encrypted = decisions.inspections.find(run => run.matchedData !== undefined)?.matchedData
  return {
    time: new Date(endedMs).toISOString(),
    ray_id: facts.rayId,
    zone: plan?.zone.name ?? '',
    client_ip: request.clientIp,
    request: {
      method: asText(request.method),
      uri: redactUri(redaction, asText(request.target)),
      protocol: asText(request.version),
      headers: request.headers.map(([name, value]) => [
        asText(name),
        redactAnyHeader(redaction, name.toLowerCase(), asText(value)),
      ]),
    },
    status: recordedStatus(answer, decisions),
    action: (decisions.terminal ?? decisions.entries.at(-1))?.action ?? '',
    score: shown === undefined ? 0 : scoreOf(shown),
    threshold: shown === undefined ? 0 : shown.execution.threshold,
    ...(decisions.partial && { partial: true }),
    ...(decisions.incomplete !== undefined && { incomplete: decisions.incomplete }),
    ...(encrypted !== undefined && { encrypted_matched_data: encrypted }),
    ...(shadow !== undefined && { shadow: shadow.outcome }),
    matched: [
      ...decisions.entries.filter(isCustom).map(customMatch),
      ...managedMatches(decisions.inspections, redaction, payload),
    ],
  }
}

/** The entry comes from a custom rule and not from a managed ruleset. */
function isCustom({ rule, inspection }: SecurityEntry): boolean {
  return rule !== undefined && inspection === undefined
}

/** Custom rules have no number; the entry has 0 instead. */
function customMatch({ ruleId, description }: SecurityEntry): AuditMatch {
  return { id: 0, rule_id: ruleId, phase: 1, score: 0, message: description, tags: [], target: '' }
}

/** Lists each rule once, although response rules run the request phases again. */
function managedMatches(
  inspections: readonly Inspection[],
  redaction: PlanRedaction,
  payload: boolean,
): AuditMatch[] {
  const seen = new Set<number>()
  const matches: AuditMatch[] = []
  for (const inspection of inspections) {
    for (const match of matchesOf(inspection)) {
      const { rule } = match
      if (seen.has(rule.id)) continue
      seen.add(rule.id)
      matches.push({
        id: rule.id,
        rule_id: inspection.execution.ruleIds[rule.index] ?? '',
        phase: rule.phase,
        score: rule.score,
        ...textsOf(match, redaction, payload),
      })
    }
  }
  return matches
}

/** The rule's own `message`, or with `payload` the expanded message and its `data`. */
function textsOf(
  match: RuleMatch,
  redaction: PlanRedaction,
  payload: boolean,
): Pick<AuditMatch, 'message' | 'tags' | 'target' | 'data'> {
  const { rule, target } = match
  const { recordedDataBytesMax: bytesMax } = recordLimits
  return {
    message: payload
      ? redactMatch(redaction, match.message, target, bytesMax)
      : cutAsText(rule.message, bytesMax),
    tags: rule.tags,
    target: recordedTarget(target, redaction),
    ...(payload && { data: redactMatch(redaction, match.data, target, bytesMax) }),
  }
}
