import type { LogRecord } from '../../model/dataset.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { ShadowFinding, ShadowOutcome } from '../exchange/background-port.ts'
import { type Inspection, matchesOf, type SecurityEntry, scoreOf } from '../exchange/decisions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { recordLimits } from '../limits.ts'
import { nanoseconds, recordedCountry, recordedStatus, recordedTarget } from './http-request.ts'
import type { RequestTexts } from './request-texts.ts'

/**
 * The `firewall_events` records of one request, one for each action of a security rule, in order; usually none.
 * `model/datasets/firewall-events.ts` gives the source of each field.
 */
export function firewallEventRecords(
  exchange: Exchange,
  plan: ZonePlan,
  texts: RequestTexts,
  shadow: ShadowFinding | undefined,
): readonly LogRecord[] {
  const { entries } = exchange.decisions
  if (entries.length === 0 && shadow === undefined) return none
  const events = entries.map(entry => entryFields(entry, shadow?.outcome, plan))
  if (shadow !== undefined && standsAlone(shadow.outcome, entries)) events.push(shadowFields(shadow))
  if (events.length === 0) return none
  const common = { ...requestFields(exchange, texts), ZoneName: plan.zone.name }
  return events.map((event, index) => ({ ...common, ...event, MatchIndex: events.length - 1 - index }))
}

const none: readonly LogRecord[] = []

/** A shadow would have acted, and no event of the zone's managed rules can carry its outcome. */
function standsAlone({ would }: ShadowOutcome, entries: readonly SecurityEntry[]): boolean {
  return would !== 'none' && !entries.some(entry => entry.inspection?.side === 'request')
}

function requestFields({ facts, state, decisions, answer }: Exchange, texts: RequestTexts): LogRecord {
  const { request } = facts
  const { place } = state
  return {
    ...(place.asnum !== 0 && { ClientASN: place.asnum }),
    ClientCountry: recordedCountry(place),
    ClientIP: request.clientIp,
    ClientIPClass: 'noRecord',
    ...refererFields(texts.referer),
    ClientRequestHost: texts.host,
    ClientRequestMethod: texts.method,
    ClientRequestPath: texts.path,
    ClientRequestProtocol: texts.protocol,
    ClientRequestQuery: texts.query === '' ? '' : `?${texts.query}`,
    ClientRequestScheme: request.scheme,
    ClientRequestUserAgent: texts.userAgent,
    Datetime: nanoseconds(facts.startedMs),
    EdgeResponseStatus: recordedStatus(answer, decisions),
    Kind: 'firewall',
    OriginResponseStatus: answer.origin?.status ?? 0,
    OriginatorRayID: '00',
    RayID: facts.rayId,
  }
}

/** The parts of a Referer; a relative URL has no host. Linear in its length. */
function refererFields(referer: string): LogRecord {
  const colon = referer.indexOf('://')
  const rest = colon < 0 ? referer : referer.slice(colon + 3)
  const slash = rest.search(/[/?#]/)
  const host = colon < 0 ? '' : slash < 0 ? rest : rest.slice(0, slash)
  const target = (colon < 0 ? rest : slash < 0 ? '' : rest.slice(slash)).split('#', 1)[0]!
  const question = target.indexOf('?')
  return {
    ClientRefererHost: host,
    ClientRefererPath: question < 0 ? target : target.slice(0, question),
    ClientRefererQuery: question < 0 ? '' : target.slice(question),
    ClientRefererScheme: colon < 0 ? 'unknown' : referer.slice(0, colon),
  }
}

function entryFields(entry: SecurityEntry, shadow: ShadowOutcome | undefined, plan: ZonePlan): LogRecord {
  const { rule, inspection } = entry
  return {
    Action: entry.action.toLowerCase(),
    Description: entry.description,
    Metadata: inspection === undefined ? ruleMetadata(entry) : runMetadata(inspection, shadow, plan),
    // Rules of a managed ruleset have no label by the user.
    Ref: inspection === undefined ? (rule?.ref ?? '') : '',
    RuleID: entry.ruleId,
    Source: entry.source.toLowerCase(),
  }
}

function ruleMetadata({ rule }: SecurityEntry): object {
  if (rule === undefined) return {}
  return { type: 'customer', ruleset_id: rule.rulesetId, ruleset_version: rule.rulesetVersion }
}

/** `rules` are the matched rules, each with its points and the total score so far. */
function runMetadata(inspection: Inspection, shadow: ShadowOutcome | undefined, plan: ZonePlan): object {
  const { execution, side, matchedData } = inspection
  const matches = matchesOf(inspection)
  let total = 0
  const rules = matches.slice(0, recordLimits.eventMatchesMax).map(({ rule, target }) => {
    if (rule.role === side) total += rule.score
    return {
      id: execution.ruleIds[rule.index] ?? '',
      ref: String(rule.id),
      score: rule.score,
      total,
      target: recordedTarget(target, plan.redaction),
    }
  })
  return {
    type: 'managed',
    ruleset_id: execution.rulesetId,
    ruleset_version: execution.rulesetVersion,
    version: execution.rulesetVersion,
    score: scoreOf(inspection),
    threshold: execution.threshold,
    rules,
    ...(matches.length > rules.length && { rules_omitted: matches.length - rules.length }),
    ...(matchedData !== undefined && { encrypted_matched_data: matchedData }),
    ...(shadow !== undefined && side === 'request' && { shadow }),
  }
}

/** The event of a shadow that would have acted on a request that the zone's own managed rules let pass. */
function shadowFields({ execution, outcome }: ShadowFinding): LogRecord {
  return {
    Action: 'log',
    Description: 'shadow',
    Metadata: {
      type: 'managed',
      ruleset_id: execution.rulesetId,
      ruleset_version: execution.rulesetVersion,
      version: execution.rulesetVersion,
      shadow: outcome,
    },
    Ref: '',
    RuleID: execution.lastRuleId,
    Source: 'firewallmanaged',
  }
}
