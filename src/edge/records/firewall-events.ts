import type { StoredRecord } from '../../bus/port.ts'
import { firewallEvents } from '../../model/datasets/firewall-events.ts'
import type { PlanRule, ZonePlan } from '../../rulesets/plan/plan.ts'
import type { ShadowFinding, ShadowOutcome } from '../exchange/background-port.ts'
import { type Inspection, type SecurityEntry, scoreOf } from '../exchange/decisions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { recordLimits } from '../limits.ts'
import { nanoseconds, recordedCountry, recordedStatus } from './http-request.ts'
import { JsonFields } from './json-fields.ts'
import { executionMetadata, type FoundRules, ruleTexts, runTexts } from './match-texts.ts'
import type { RecordTexts, RequestTexts } from './request-texts.ts'

/**
 * The `firewall_events` records of one request as their stored texts, one for each action of a security rule, in order;
 * usually none. `model/datasets/firewall-events.ts` gives the source of each field.
 */
export function firewallEventRecords(
  exchange: Exchange,
  plan: ZonePlan,
  texts: RecordTexts,
  shadow: ShadowFinding | undefined,
): readonly string[] {
  const { entries } = exchange.decisions
  const alone = shadow !== undefined && standsAlone(shadow.outcome, entries) ? shadow : undefined
  const count = entries.length + (alone === undefined ? 0 : 1)
  if (count === 0) return none
  const beginning = requestPart(exchange, plan, texts.request)
  const events = entries.map((entry, at) => {
    const event = new JsonFields(beginning)
    writeEntry(event, entry, texts.found, shadow?.outcome)
    event.number(',"MatchIndex":', count - 1 - at)
    return event.ended('}}')
  })
  if (alone !== undefined) events.push(shadowEvent(beginning, alone))
  return events
}

const none: readonly string[] = []

/** A shadow would have acted, and no event of the zone's managed rules can carry its outcome. */
function standsAlone({ would }: ShadowOutcome, entries: readonly SecurityEntry[]): boolean {
  return would !== 'none' && !entries.some(entry => entry.inspection?.side === 'request')
}

/** Plan → the text of its events up to the first field that differs between requests. */
const beginnings = new WeakMap<ZonePlan, string>()

function beginningOf(plan: ZonePlan): string {
  let beginning = beginnings.get(plan)
  if (beginning === undefined) {
    const { id, accountId, name } = plan.zone
    const fields = { ClientIPClass: 'noRecord', Kind: 'firewall', OriginatorRayID: '00', ZoneName: name }
    const record: StoredRecord = { zone: id, account: accountId, dataset: firewallEvents.name, fields }
    beginning = JSON.stringify(record).slice(0, -'}}'.length)
    beginnings.set(plan, beginning)
  }
  return beginning
}

/** The events of a request up to the first field that differs between them. */
function requestPart(
  { facts, state, decisions, answer }: Exchange,
  plan: ZonePlan,
  texts: RequestTexts,
): string {
  const { request } = facts
  const { geo } = state
  const event = new JsonFields(beginningOf(plan))
  event.number(',"ClientASN":', geo.asnum)
  event.text(',"ClientCountry":', recordedCountry(geo))
  event.text(',"ClientIP":', request.clientIp)
  writeReferer(event, texts.referer)
  event.text(',"ClientRequestHost":', texts.host)
  event.text(',"ClientRequestMethod":', texts.method)
  event.text(',"ClientRequestPath":', texts.path)
  event.text(',"ClientRequestProtocol":', texts.protocol)
  event.text(',"ClientRequestQuery":', texts.query === '' ? '' : `?${texts.query}`)
  event.word(',"ClientRequestScheme":', request.scheme)
  event.text(',"ClientRequestUserAgent":', texts.userAgent)
  event.word(',"Datetime":', nanoseconds(facts.startedMs))
  event.number(',"EdgeResponseStatus":', recordedStatus(answer, decisions))
  event.number(',"OriginResponseStatus":', answer.origin?.status ?? 0)
  event.word(',"RayID":', facts.rayId)
  return event.ended('')
}

/** The parts of a Referer; a relative URL has no host. Linear in its length. */
function writeReferer(event: JsonFields, referer: string): void {
  const colon = referer.indexOf('://')
  const rest = colon < 0 ? referer : referer.slice(colon + 3)
  const slash = rest.search(/[/?#]/)
  const host = colon < 0 ? '' : slash < 0 ? rest : rest.slice(0, slash)
  const target = (colon < 0 ? rest : slash < 0 ? '' : rest.slice(slash)).split('#', 1)[0]!
  const questionMark = target.indexOf('?')
  event.text(',"ClientRefererHost":', host)
  event.text(',"ClientRefererPath":', questionMark < 0 ? target : target.slice(0, questionMark))
  event.text(',"ClientRefererQuery":', questionMark < 0 ? '' : target.slice(questionMark))
  event.text(',"ClientRefererScheme":', colon < 0 ? 'unknown' : referer.slice(0, colon))
}

function writeEntry(
  event: JsonFields,
  entry: SecurityEntry,
  found: readonly FoundRules[],
  shadow: ShadowOutcome | undefined,
): void {
  const { rule, inspection } = entry
  event.word(',"Action":', entry.action.toLowerCase())
  event.text(',"Description":', entry.description)
  if (inspection !== undefined) event.json(',"Metadata":', runMetadata(inspection, found, shadow))
  else if (rule !== undefined) event.structure(',"Metadata":', ruleMetadata(rule))
  // Rules of a managed ruleset have no label by the user.
  event.text(',"Ref":', inspection === undefined ? (rule?.ref ?? '') : '')
  event.text(',"RuleID":', entry.ruleId)
  event.word(',"Source":', entry.source.toLowerCase())
}

function ruleMetadata({ rulesetId, rulesetVersion }: PlanRule): object {
  return { type: 'customer', ruleset_id: rulesetId, ruleset_version: rulesetVersion }
}

/** `rules` are the matched rules, each with its points and the total score so far. */
function runMetadata(
  inspection: Inspection,
  found: readonly FoundRules[],
  shadow: ShadowOutcome | undefined,
): string {
  const { execution, side, matchedData } = inspection
  const own = found.find(run => run.inspection === inspection)
  const count = own?.matches.length ?? 0
  const shown = Math.min(count, recordLimits.eventMatchesMax)
  const metadata = new JsonFields(runTexts(execution).inEvent)
  metadata.json(',"score":', String(scoreOf(inspection)))
  metadata.json(',"threshold":', String(execution.threshold))
  metadata.json(',"rules":', own === undefined ? '[]' : `[${rulesOf(own, shown)}]`)
  metadata.number(',"rules_omitted":', count - shown)
  metadata.text(',"encrypted_matched_data":', matchedData ?? '')
  if (shadow !== undefined && side === 'request') metadata.structure(',"shadow":', shadow)
  return metadata.ended('}')
}

function rulesOf({ inspection, matches, targets }: FoundRules, count: number): string {
  const { execution, side } = inspection
  let total = 0
  let text = ''
  for (let at = 0; at < count; at++) {
    const { rule } = matches[at]!
    if (rule.role === side) total += rule.score
    text += `${at === 0 ? '' : ','}${ruleTexts(execution, rule).inEvent}${total},"target":${targets[at]}}`
  }
  return text
}

/** The event of a shadow that would have acted on a request that the zone's own managed rules let pass. */
function shadowEvent(beginning: string, { execution, outcome }: ShadowFinding): string {
  const event = new JsonFields(beginning)
  event.word(',"Action":', 'log')
  event.word(',"Description":', 'shadow')
  event.structure(',"Metadata":', { ...executionMetadata(execution), shadow: outcome })
  event.text(',"RuleID":', execution.lastRuleId)
  event.word(',"Source":', 'firewallmanaged')
  return event.ended('}}')
}
