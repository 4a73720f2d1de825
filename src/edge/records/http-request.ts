import type { StoredRecord } from '../../bus/port.ts'
import { edgeLimits } from '../../kit/limits.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { ZonePlan } from '../../rulesets/plan.ts'
import type { PlanRedaction } from '../../rulesets/plan-redaction.ts'
import type { PlaceView } from '../../rulesets/request-view.ts'
import type { Exchange, OriginReport } from '../exchange.ts'
import { firstHeader } from '../headers.ts'
import { type Inspection, type Ledger, matchesOf } from '../ledger.ts'
import { botScore } from './bot-score.ts'
import { type FieldWriter, JsonFields } from './json-fields.ts'
import { writeCustomFields } from './log-fields.ts'
import { redactedBeginning, redactHost, redactText } from './redaction/redact.ts'
import type { RequestTexts } from './request-texts.ts'
import { asText } from './text.ts'
import { deviceType } from './user-agent.ts'

/** The country of addresses that are private or in no database. */
const unknownCountry = 'xx'

/**
 * The `http_requests` record of one request, as the text that is stored; see `StoredRecord`. What fills each field is said in
 * `model/datasets/http-requests.ts`. No header value goes in but those named there and those that the zone asks for.
 */
export function httpRequestRecord(
  exchange: Exchange,
  plan: ZonePlan,
  texts: RequestTexts,
  endedMs: number,
): string {
  const record = new JsonFields(beginningOf(plan))
  writeFields(record, exchange, plan, texts, endedMs)
  return record.ended('}}')
}

/** By plan: the text of its records up to the first field that is not the same in all of them. */
const beginnings = new WeakMap<ZonePlan, string>()

function beginningOf(plan: ZonePlan): string {
  let beginning = beginnings.get(plan)
  if (beginning === undefined) {
    const { id, accountId, name } = plan.zone
    const fields = { ZoneName: name, ...sameInAll }
    const record: StoredRecord = { zone: id, account: accountId, dataset: httpRequests.name, fields }
    beginning = JSON.stringify(record).slice(0, -'}}'.length)
    beginnings.set(plan, beginning)
  }
  return beginning
}

const sameInAll = {
  BotScoreSrc: 'Heuristics',
  ClientIPClass: 'noRecord',
  ClientMTLSAuthStatus: 'unknown',
  ClientRequestSource: 'eyeball',
  EdgePathingOp: 'unknown',
  EdgePathingSrc: 'unknown',
  EdgePathingStatus: 'unknown',
}

/** All fields but those that are the same in every record of the zone. */
export function writeFields(
  record: FieldWriter,
  exchange: Exchange,
  plan: ZonePlan,
  texts: RequestTexts,
  endedMs: number,
): void {
  const { origin } = exchange
  record.word(',"RayID":', exchange.rayId)
  writeClientFields(record, exchange, texts)
  writeEdgeFields(record, exchange, endedMs)
  if (origin === undefined) record.word(',"CacheCacheStatus":', 'unknown')
  else writeOriginFields(record, origin, plan)
  writeSecurityFields(record, exchange.ledger, plan)
  writeCustomFields(record, plan, {
    request: exchange.request.headers,
    transformedRequest: exchange.state.headers,
    response: exchange.responseHeaders,
    rawResponse: origin?.headers ?? [],
  })
}

function writeClientFields(
  record: FieldWriter,
  { request, state, requestBytes }: Exchange,
  texts: RequestTexts,
): void {
  const https = request.scheme === 'https'
  record.number(',"BotScore":', botScore(request))
  record.text(',"ClientCountry":', recordedCountry(state.place))
  record.word(',"ClientDeviceType":', deviceType(texts.userAgent))
  record.text(',"ClientIP":', request.clientIp)
  record.number(',"ClientRequestBytes":', requestBytes)
  record.text(',"ClientRequestHost":', texts.host)
  record.text(',"ClientRequestMethod":', texts.method)
  record.text(',"ClientRequestPath":', texts.path)
  record.text(',"ClientRequestProtocol":', texts.protocol)
  record.text(',"ClientRequestReferer":', texts.referer)
  record.word(',"ClientRequestScheme":', request.scheme)
  record.text(',"ClientRequestURI":', texts.uri)
  record.text(',"ClientRequestUserAgent":', texts.userAgent)
  if (!https) record.word(',"ClientSSLProtocol":', 'none')
  record.number(',"ClientSrcPort":', request.connection.clientPort)
  record.word(',"ClientTLSKeyExchangeGroup":', https ? 'UNK' : 'NONE')
  record.text(',"ClientXRequestedWith":', texts.requestedWith)
}

export function recordedCountry({ country }: PlaceView): string {
  return country === '' ? unknownCountry : country.toLowerCase()
}

function writeEdgeFields(record: FieldWriter, exchange: Exchange, endedMs: number): void {
  const { startedMs, headSentMs } = exchange
  record.word(',"EdgeEndTimestamp":', nanoseconds(endedMs))
  record.number(',"EdgeResponseBodyBytes":', exchange.responseBodyBytes)
  record.number(',"EdgeResponseBytes":', exchange.responseBytes)
  record.text(',"EdgeResponseContentType":', mediaType(exchange))
  record.number(',"EdgeResponseStatus":', recordedStatus(exchange))
  record.word(',"EdgeStartTimestamp":', nanoseconds(startedMs))
  record.number(',"EdgeTimeToFirstByteMs":', headSentMs === undefined ? 0 : headSentMs - startedMs)
}

function mediaType({ responseHeaders }: Exchange): string {
  const contentType = firstHeader(responseHeaders, 'content-type') ?? ''
  const end = contentType.indexOf(';')
  return asText((end < 0 ? contentType : contentType.slice(0, end)).trim())
}

/** 499 when the client left before there was an answer; 0 when a rule dropped the connection. */
export function recordedStatus({ status, ledger }: Exchange): number {
  return status === 0 && ledger.terminal?.action !== 'connectionClose' ? 499 : status
}

function writeOriginFields(record: FieldWriter, origin: OriginReport, { redaction }: ZonePlan): void {
  const { startedMs, endedMs, headMs, headers, link } = origin
  const durationMs = (endedMs ?? startedMs) - startedMs
  record.word(',"CacheCacheStatus":', origin.status === 0 ? 'unknown' : 'dynamic')
  record.text(',"EdgeRequestHost":', redactHost(redaction, asText(origin.upstream.hostHeader)))
  record.text(',"EdgeServerIP":', link?.localIp ?? '')
  record.text(',"OriginIP":', link?.remoteIp ?? '')
  record.number(',"OriginResponseBytes":', origin.bodyBytes)
  record.number(',"OriginResponseDurationMs":', durationMs)
  record.text(',"OriginResponseHTTPExpires":', asText(firstHeader(headers, 'expires') ?? ''))
  record.text(',"OriginResponseHTTPLastModified":', asText(firstHeader(headers, 'last-modified') ?? ''))
  record.number(',"OriginResponseHeaderReceiveDurationMs":', (headMs ?? startedMs) - startedMs)
  record.number(',"OriginResponseStatus":', origin.status)
  record.number(',"OriginResponseTime":', durationMs * 1_000_000)
  record.text(',"OriginSSLProtocol":', link?.tls ?? 'none')
}

function writeSecurityFields(record: FieldWriter, ledger: Ledger, { redaction }: ZonePlan): void {
  const { entries, inspections, terminal } = ledger
  if (entries.length > 0) {
    record.structure(
      ',"SecurityActions":',
      entries.map(entry => entry.action),
    )
    record.structure(
      ',"SecurityRuleIDs":',
      entries.map(entry => entry.ruleId),
    )
    record.structure(
      ',"SecuritySources":',
      entries.map(entry => entry.source),
    )
  }
  if (terminal !== undefined) {
    record.text(',"SecurityAction":', terminal.action)
    record.text(',"SecurityRuleDescription":', terminal.description)
    record.text(',"SecurityRuleID":', terminal.ruleId)
  }
  const matched = inspections.filter(inspection => matchesOf(inspection).length > 0)
  const last = matched.at(-1)
  if (last !== undefined) {
    record.structure(
      ',"MatchedRules":',
      matched.map(inspection => matchedRules(inspection, redaction)),
    )
    record.text(',"WAFMatchedVar":', recordedTarget(matchesOf(last).at(-1)!.target, redaction))
  }
  record.word(',"WAFFlags":', wafFlags(ledger))
}

function matchedRules(inspection: Inspection, redaction: PlanRedaction): object {
  const { execution } = inspection
  return {
    product: 'firewallManaged',
    rulesetId: execution.rulesetId,
    rulesetVersion: Number(execution.rulesetVersion),
    rules: matchesOf(inspection).map(({ rule, target }) => ({
      id: execution.ruleIds[rule.index] ?? '',
      metadata: {
        ref: String(rule.id),
        score: String(rule.score),
        target: recordedTarget(target, redaction),
      },
    })),
  }
}

/** A client names what matched: `ARGS:` and whatever it called an argument. */
export function recordedTarget(target: string, redaction: PlanRedaction): string {
  return redactedBeginning(target, edgeLimits.recordedTargetBytesMax, text => redactText(redaction, text))
}

/**
 * 0x1: a managed ruleset reached its threshold and only logged; 0x2: only the first part of a body was inspected;
 * 0x4: rules were not evaluated to the end.
 */
function wafFlags({ entries, partial, incomplete }: Ledger): string {
  const logged = entries.some(entry => entry.action === 'log' && entry.inspection !== undefined)
  const bits = (logged ? 1 : 0) | (partial ? 2 : 0) | (incomplete === undefined ? 0 : 4)
  return bits === 0 ? '' : `0x${bits.toString(16)}`
}

/** Decimal text: the number is beyond what a double holds exactly. */
export function nanoseconds(ms: number): string {
  return `${Math.trunc(ms)}000000`
}
