import { edgeLimits } from '../../kit/limits.ts'
import { type PlanRedaction, redactionOf } from '../../rulesets/plan-redaction.ts'
import type { RuleMatch } from '../../waf/types.ts'
import type { Exchange } from '../exchange.ts'
import { type Inspection, matchesOf, type SecurityEntry, scoreOf } from '../ledger.ts'
import { recordedStatus, recordedTarget } from './http-request.ts'
import { redactMatch } from './redaction/match-data.ts'
import { redactAnyHeader, redactUri } from './redaction/redact.ts'
import { asText, cutAsText } from './text.ts'

interface AuditMatch {
  readonly id: number
  readonly rule_id: string
  readonly phase: number
  readonly score: number
  readonly message: string
  readonly tags: readonly string[]
  readonly target: string
  readonly data?: string
}

/**
 * One line of the audit log. What is secret is taken out as the zone has it; of a request that belongs to no zone, all.
 * @param payload with messages and data of matches expanded: they can hold what the client sent
 */
export function auditLine(exchange: Exchange, endedMs: number, payload: boolean): string {
  const { request, ledger, plan } = exchange
  const redaction = plan?.redaction ?? redactionOf(undefined)
  const shown = ledger.shownInspection()
  const encrypted = ledger.inspections.find(run => run.matchedData !== undefined)?.matchedData
  return JSON.stringify({
    time: new Date(endedMs).toISOString(),
    ray_id: exchange.rayId,
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
    status: recordedStatus(exchange),
    action: (ledger.terminal ?? ledger.entries.at(-1))?.action ?? '',
    score: shown === undefined ? 0 : scoreOf(shown),
    threshold: shown === undefined ? 0 : shown.execution.threshold,
    ...(ledger.partial && { partial: true }),
    ...(ledger.incomplete !== undefined && { incomplete: ledger.incomplete }),
    ...(encrypted !== undefined && { encrypted_matched_data: encrypted }),
    ...(exchange.shadow?.outcome !== undefined && { shadow: exchange.shadow.outcome }),
    matched: [
      ...ledger.entries.filter(isCustom).map(customMatch),
      ...managedMatches(ledger.inspections, redaction, payload),
    ],
  })
}

/** From a rule of one's own, and not from a managed ruleset. */
function isCustom({ rule, inspection }: SecurityEntry): boolean {
  return rule !== undefined && inspection === undefined
}

/** A rule of one's own has no number; 0 stands for it. */
function customMatch({ ruleId, description }: SecurityEntry): AuditMatch {
  return { id: 0, rule_id: ruleId, phase: 1, score: 0, message: description, tags: [], target: '' }
}

/** Each rule once, although response rules run the request phases again. */
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
        ...said(match, redaction, payload),
      })
    }
  }
  return matches
}

/** `message` as the rule has it, or as it came out, with the `data`. */
function said(
  match: RuleMatch,
  redaction: PlanRedaction,
  payload: boolean,
): Pick<AuditMatch, 'message' | 'tags' | 'target' | 'data'> {
  const { rule, target } = match
  const { recordedDataBytesMax: bytesMax } = edgeLimits
  return {
    message: payload
      ? redactMatch(redaction, match.message, target, bytesMax)
      : cutAsText(rule.message, bytesMax),
    tags: rule.tags,
    target: recordedTarget(target, redaction),
    ...(payload && { data: redactMatch(redaction, match.data, target, bytesMax) }),
  }
}
