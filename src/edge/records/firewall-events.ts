import { edgeLimits } from '../../kit/limits.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { ZonePlan } from '../../rulesets/plan.ts'
import type { Exchange } from '../exchange.ts'
import { type Inspection, matchesOf, type SecurityEntry, scoreOf } from '../ledger.ts'
import type { ShadowOutcome, ShadowRun } from '../shadow.ts'
import { nanoseconds, recordedCountry, recordedStatus, recordedTarget } from './http-request.ts'
import type { RequestTexts } from './request-texts.ts'

/**
 * The `firewall_events` records of one request, one for each thing that a security rule did to it, in order; usually
 * none. What fills each field is said in `model/datasets/firewall-events.ts`.
 */
export function firewallEventRecords(
  exchange: Exchange,
  plan: ZonePlan,
  texts: RequestTexts,
): readonly LogRecord[] {
  const { entries } = exchange.ledger
  const shadow = exchange.shadow?.outcome
  if (entries.length === 0 && shadow === undefined) return none
  const events = entries.map(entry => entryFields(entry, shadow, plan))
  if (exchange.shadow !== undefined && shadow !== undefined && standsAlone(shadow, entries))
    events.push(shadowFields(exchange.shadow, shadow))
  if (events.length === 0) return none
  const common = { ...requestFields(exchange, texts), ZoneName: plan.zone.name }
  return events.map((event, index) => ({ ...common, ...event, MatchIndex: events.length - 1 - index }))
}

const none: readonly LogRecord[] = []

/** A shadow would have acted, and no event of the zone's managed rules can tell. */
function standsAlone({ would }: ShadowOutcome, entries: readonly SecurityEntry[]): boolean {
  return would !== 'none' && !entries.some(entry => entry.inspection?.side === 'request')
}

function requestFields(exchange: Exchange, texts: RequestTexts): LogRecord {
  const { request, state } = exchange
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
    Datetime: nanoseconds(exchange.startedMs),
    EdgeResponseStatus: recordedStatus(exchange),
    Kind: 'firewall',
    OriginResponseStatus: exchange.origin?.status ?? 0,
    OriginatorRayID: '00',
    RayID: exchange.rayId,
  }
}

/** The parts of an absolute URL; a relative one has no host. Linear in its length. */
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
    // A managed ruleset's rules have no label of the user's own.
    Ref: inspection === undefined ? (rule?.ref ?? '') : '',
    RuleID: entry.ruleId,
    Source: entry.source.toLowerCase(),
  }
}

function ruleMetadata({ rule }: SecurityEntry): object {
  if (rule === undefined) return {}
  return { type: 'customer', ruleset_id: rule.rulesetId, ruleset_version: rule.rulesetVersion }
}

/** `rules`: those that matched, each with its points and the score that they come to up to there. */
function runMetadata(inspection: Inspection, shadow: ShadowOutcome | undefined, plan: ZonePlan): object {
  const { execution, side, matchedData } = inspection
  const matches = matchesOf(inspection)
  let total = 0
  const rules = matches.slice(0, edgeLimits.eventMatchesMax).map(({ rule, target }) => {
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

/** What a shadow would have done to a request that the zone's own managed rules did nothing to. */
function shadowFields({ shadow: { execution } }: ShadowRun, outcome: ShadowOutcome): LogRecord {
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
