import type { StoredRecord } from '../../bus/port.ts'
import { httpRequests } from '../../model/datasets/http-requests.ts'
import type { GeoView } from '../../rulesets/fields/request-view.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Answer, OriginReport } from '../exchange/answer.ts'
import type { Decisions } from '../exchange/decisions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { firstHeader } from '../message/headers.ts'
import { botScore } from './bot-score.ts'
import { type FieldWriter, JsonFields } from './json-fields.ts'
import { writeCustomFields } from './log-fields.ts'
import { type FoundRules, ruleTexts, runTexts } from './match-texts.ts'
import { redactHost } from './redaction/redact.ts'
import type { RecordTexts, RequestTexts } from './request-texts.ts'
import { asText } from './text.ts'
import { deviceType } from './user-agent.ts'

/** The country of private and unknown addresses. */
const unknownCountry = 'xx'

/**
 * The `http_requests` record of one request, as its stored text; see `StoredRecord`. `model/datasets/http-requests.ts` gives
 * the source of each field. The record contains only the header values named there and the
 * values that the zone's custom fields select.
 */
export function httpRequestRecord(
  exchange: Exchange,
  plan: ZonePlan,
  texts: RecordTexts,
  endedMs: number,
): string {
  const record = new JsonFields(beginningOf(plan))
  writeFields(record, exchange, plan, texts, endedMs)
  return record.ended('}}')
}

/** Plan → the text of its records up to the first field that differs between requests. */
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

/** Writes all fields except the fields that are equal in all records of the zone. */
function writeFields(
  record: FieldWriter,
  exchange: Exchange,
  plan: ZonePlan,
  texts: RecordTexts,
  endedMs: number,
): void {
  const { facts, state, decisions, answer } = exchange
  const { origin } = answer
  writeSizes(record, exchange)
  writeSecurityFields(record, decisions, texts.found)
  record.word(',"RayID":', facts.rayId)
  writeClientFields(record, exchange, texts.request)
  writeEdgeFields(record, exchange, endedMs)
  if (origin === undefined) record.word(',"CacheCacheStatus":', 'unknown')
  else writeOriginFields(record, origin, plan)
  writeFindings(record, decisions, answer, texts.found)
  writeCustomFields(record, plan, {
    request: facts.request.headers,
    transformedRequest: state.headers,
    response: answer.headers,
    rawResponse: origin?.headers ?? [],
  })
}

function writeSizes(record: FieldWriter, { facts, decisions, answer }: Exchange): void {
  record.word(',"EdgeStartTimestamp":', nanoseconds(facts.startedMs))
  record.number(',"EdgeResponseStatus":', recordedStatus(answer, decisions))
  record.number(',"EdgeResponseBytes":', answer.bytes)
  record.number(',"ClientRequestBytes":', facts.requestBytes)
  record.number(',"OriginResponseStatus":', answer.origin?.status ?? 0)
}

function writeClientFields(record: FieldWriter, { facts, state }: Exchange, texts: RequestTexts): void {
  const { request } = facts
  const https = request.scheme === 'https'
  record.number(',"BotScore":', botScore(request))
  record.text(',"ClientCountry":', recordedCountry(state.geo))
  record.word(',"ClientDeviceType":', deviceType(texts.userAgent))
  record.text(',"ClientIP":', request.clientIp)
  record.text(',"ClientRequestHost":', texts.host)
  record.text(',"ClientRequestMethod":', texts.method)
  record.text(',"ClientRequestPath":', texts.path)
  record.text(',"ClientRequestProtocol":', texts.protocol)
  record.text(',"ClientRequestReferer":', texts.referer)
  record.word(',"ClientRequestScheme":', request.scheme)
  record.text(',"ClientRequestURI":', texts.uri)
  record.text(',"ClientRequestUserAgent":', texts.userAgent)
  const { tls } = request.connection
  if (tls !== undefined) record.word(',"ClientSSLCipher":', tls.cipher)
  if (tls !== undefined || !https) record.word(',"ClientSSLProtocol":', tls?.protocol ?? 'none')
  if (tls?.ja4 !== undefined) record.word(',"JA4":', tls.ja4)
  record.number(',"ClientSrcPort":', request.connection.clientPort)
  record.word(',"ClientTLSKeyExchangeGroup":', https ? 'UNK' : 'NONE')
  record.text(',"ClientXRequestedWith":', texts.requestedWith)
}

export function recordedCountry({ country }: GeoView): string {
  return country === '' ? unknownCountry : country.toLowerCase()
}

function writeEdgeFields(record: FieldWriter, { facts, answer }: Exchange, endedMs: number): void {
  const { startedMs } = facts
  const { headSentMs } = answer
  record.word(',"EdgeEndTimestamp":', nanoseconds(endedMs))
  record.number(',"EdgeResponseBodyBytes":', answer.bodyBytes)
  record.number(',"EdgeResponseCompressionRatio":', answer.compressionRatio)
  record.text(',"EdgeResponseContentType":', mediaType(answer))
  record.number(',"EdgeTimeToFirstByteMs":', headSentMs === undefined ? 0 : headSentMs - startedMs)
}

function mediaType({ headers }: Answer): string {
  const contentType = firstHeader(headers, 'content-type') ?? ''
  const end = contentType.indexOf(';')
  return asText((end < 0 ? contentType : contentType.slice(0, end)).trim())
}

/**
 * 499 when the client left before the response was complete, 502 when the origin broke off in the middle of it. 0
 * when a rule dropped the connection, or when another proxy did not report the response.
 */
export function recordedStatus({ status, brokeOff, unseen }: Answer, { terminal }: Decisions): number {
  if (unseen) return 0
  if (brokeOff !== undefined) return brokeOff === 'client' ? 499 : 502
  return status === 0 && terminal?.action !== 'connectionClose' ? 499 : status
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
  record.number(',"OriginResponseTime":', durationMs * 1_000_000)
  record.text(',"OriginSSLProtocol":', link?.tls ?? 'none')
}

function writeSecurityFields(
  record: FieldWriter,
  { entries, terminal }: Decisions,
  found: readonly FoundRules[],
): void {
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
  if (found.length > 0) record.json(',"MatchedRules":', `[${found.map(matchedRules).join()}]`)
}

function writeFindings(
  record: FieldWriter,
  decisions: Decisions,
  answer: Answer,
  found: readonly FoundRules[],
): void {
  const target = found.at(-1)?.targets.at(-1) ?? noText
  if (target !== noText) record.json(',"WAFMatchedVar":', target)
  record.word(',"WAFFlags":', wafFlags(decisions, answer.unseen))
}

const noText = '""'

function matchedRules({ inspection, matches, targets }: FoundRules): string {
  const { execution } = inspection
  const rules = matches.map(({ rule }, at) => `${ruleTexts(execution, rule).inRequest}${targets[at]}}}`)
  return `${runTexts(execution).inRequest},"rules":[${rules.join()}]}`
}

/**
 * 0x1: a managed ruleset reached its threshold and only logged; 0x2: only the first part of a body was inspected;
 * 0x4: rules were not evaluated completely; 0x8 and 0x10: the proxy that served the request did not show its body, or
 * its response.
 */
function wafFlags({ entries, partial, incomplete, bodyUnseen }: Decisions, answerUnseen: boolean): string {
  const logged = entries.some(entry => entry.action === 'log' && entry.inspection !== undefined)
  const bits =
    (logged ? 1 : 0) |
    (partial ? 2 : 0) |
    (incomplete === undefined ? 0 : 4) |
    (bodyUnseen ? 8 : 0) |
    (answerUnseen ? 16 : 0)
  return bits === 0 ? '' : `0x${bits.toString(16)}`
}

/** Decimal text: the number is beyond what a double holds exactly. */
export function nanoseconds(ms: number): string {
  return `${Math.trunc(ms)}000000`
}
