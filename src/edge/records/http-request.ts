import { edgeLimits } from '../../kit/limits.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { ZonePlan } from '../../rulesets/plan.ts'
import type { PlanRedaction } from '../../rulesets/plan-redaction.ts'
import type { PlaceView } from '../../rulesets/request-view.ts'
import type { Exchange, OriginReport } from '../exchange.ts'
import { firstHeader } from '../headers.ts'
import { type Inspection, type Ledger, matchesOf } from '../ledger.ts'
import { botScore } from './bot-score.ts'
import { addCustomFields } from './log-fields.ts'
import { redactedBeginning, redactHost, redactText } from './redaction/redact.ts'
import type { RequestTexts } from './request-texts.ts'
import { asText } from './text.ts'
import { deviceType } from './user-agent.ts'

/** The country of addresses that are private or in no database. */
const unknownCountry = 'xx'

/**
 * The `http_requests` record of one request: only fields that have a value. What fills each is said in
 * `model/datasets/http-requests.ts`. No header value goes in but those named there and those that the zone asks for.
 *
 * One object that grows, and none that are merged: every request pays for this.
 */
export function httpRequestRecord(
  exchange: Exchange,
  plan: ZonePlan,
  texts: RequestTexts,
  endedMs: number,
): LogRecord {
  const record: Growing = {}
  addClientFields(record, exchange, texts)
  addEdgeFields(record, exchange, endedMs)
  if (exchange.origin === undefined) record['CacheCacheStatus'] = 'unknown'
  else addOriginFields(record, exchange.origin, plan)
  addSecurityFields(record, exchange.ledger, plan)
  addCustomFields(record, plan, {
    request: exchange.request.headers,
    transformedRequest: exchange.state.headers,
    response: exchange.responseHeaders,
    rawResponse: exchange.origin?.headers ?? [],
  })
  record['RayID'] = exchange.rayId
  record['ZoneName'] = plan.zone.name
  return record
}

/** A record that is being filled. */
export interface Growing {
  [field: string]: unknown
}

function addClientFields(record: Growing, { request, state, requestBytes }: Exchange, texts: RequestTexts) {
  const https = request.scheme === 'https'
  record['BotScore'] = botScore(request)
  record['BotScoreSrc'] = 'Heuristics'
  record['ClientCountry'] = recordedCountry(state.place)
  record['ClientDeviceType'] = deviceType(texts.userAgent)
  record['ClientIP'] = request.clientIp
  record['ClientIPClass'] = 'noRecord'
  record['ClientMTLSAuthStatus'] = 'unknown'
  record['ClientRequestBytes'] = requestBytes
  record['ClientRequestHost'] = texts.host
  record['ClientRequestMethod'] = texts.method
  record['ClientRequestPath'] = texts.path
  record['ClientRequestProtocol'] = texts.protocol
  record['ClientRequestReferer'] = texts.referer
  record['ClientRequestScheme'] = request.scheme
  record['ClientRequestSource'] = 'eyeball'
  record['ClientRequestURI'] = texts.uri
  record['ClientRequestUserAgent'] = texts.userAgent
  if (!https) record['ClientSSLProtocol'] = 'none'
  record['ClientSrcPort'] = request.connection.clientPort
  record['ClientTLSKeyExchangeGroup'] = https ? 'UNK' : 'NONE'
  record['ClientXRequestedWith'] = texts.requestedWith
}

export function recordedCountry({ country }: PlaceView): string {
  return country === '' ? unknownCountry : country.toLowerCase()
}

function addEdgeFields(record: Growing, exchange: Exchange, endedMs: number): void {
  const { startedMs, headSentMs } = exchange
  record['EdgeEndTimestamp'] = nanoseconds(endedMs)
  record['EdgePathingOp'] = 'unknown'
  record['EdgePathingSrc'] = 'unknown'
  record['EdgePathingStatus'] = 'unknown'
  record['EdgeResponseBodyBytes'] = exchange.responseBodyBytes
  record['EdgeResponseBytes'] = exchange.responseBytes
  record['EdgeResponseContentType'] = mediaType(exchange)
  record['EdgeResponseStatus'] = recordedStatus(exchange)
  record['EdgeStartTimestamp'] = nanoseconds(startedMs)
  record['EdgeTimeToFirstByteMs'] = headSentMs === undefined ? 0 : headSentMs - startedMs
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

function addOriginFields(record: Growing, origin: OriginReport, { redaction }: ZonePlan): void {
  const { startedMs, endedMs, headMs, headers, link } = origin
  const durationMs = (endedMs ?? startedMs) - startedMs
  record['CacheCacheStatus'] = origin.status === 0 ? 'unknown' : 'dynamic'
  record['EdgeRequestHost'] = redactHost(redaction, asText(origin.upstream.hostHeader))
  record['EdgeServerIP'] = link?.localIp ?? ''
  record['OriginIP'] = link?.remoteIp ?? ''
  record['OriginResponseBytes'] = origin.bodyBytes
  record['OriginResponseDurationMs'] = durationMs
  record['OriginResponseHTTPExpires'] = asText(firstHeader(headers, 'expires') ?? '')
  record['OriginResponseHTTPLastModified'] = asText(firstHeader(headers, 'last-modified') ?? '')
  record['OriginResponseHeaderReceiveDurationMs'] = (headMs ?? startedMs) - startedMs
  record['OriginResponseStatus'] = origin.status
  record['OriginResponseTime'] = durationMs * 1_000_000
  record['OriginSSLProtocol'] = link?.tls ?? 'none'
}

function addSecurityFields(record: Growing, ledger: Ledger, { redaction }: ZonePlan): void {
  const { entries, terminal } = ledger
  const matched = ledger.inspections.filter(inspection => matchesOf(inspection).length > 0)
  const last = matched.length === 0 ? undefined : matchesOf(matched.at(-1)!).at(-1)
  record['SecurityAction'] = terminal?.action ?? ''
  record['SecurityActions'] = entries.map(entry => entry.action)
  record['SecurityRuleDescription'] = terminal?.description ?? ''
  record['SecurityRuleID'] = terminal?.ruleId ?? ''
  record['SecurityRuleIDs'] = entries.map(entry => entry.ruleId)
  record['SecuritySources'] = entries.map(entry => entry.source)
  record['MatchedRules'] = matched.map(inspection => matchedRules(inspection, redaction))
  record['WAFFlags'] = wafFlags(ledger)
  record['WAFMatchedVar'] = last === undefined ? '' : recordedTarget(last.target, redaction)
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
