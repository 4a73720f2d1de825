import { edgeLimits } from '../../kit/limits.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { ZonePlan } from '../../rulesets/plan.ts'
import type { PlaceView } from '../../rulesets/request-view.ts'
import type { Exchange, OriginReport } from '../exchange.ts'
import { firstHeader } from '../headers.ts'
import { type Inspection, type Ledger, matchesOf } from '../ledger.ts'
import { botScore } from './bot-score.ts'
import { customFields } from './log-fields.ts'
import { asText, cutAsText } from './text.ts'

/** The country of addresses that are private or in no database. */
const unknownCountry = 'xx'

/**
 * The `http_requests` record of one request: only fields that have a value. What fills each is said in
 * `model/datasets/http-requests.ts`. No header value goes in but those named there and those that the zone asks for.
 */
export function httpRequestRecord(exchange: Exchange, plan: ZonePlan, endedMs: number): LogRecord {
  return {
    ...clientFields(exchange),
    ...edgeFields(exchange, endedMs),
    ...(exchange.origin === undefined ? { CacheCacheStatus: 'unknown' } : originFields(exchange.origin)),
    ...securityFields(exchange.ledger),
    ...customFields(plan.logFields, {
      request: exchange.request.headers,
      transformedRequest: exchange.state.headers,
      response: exchange.responseHeaders,
      rawResponse: exchange.origin?.headers ?? [],
    }),
    RayID: exchange.rayId,
    ZoneName: plan.zone.name,
  }
}

function clientFields({ request, state, requestBytes }: Exchange): LogRecord {
  const userAgent = asText(request.header('user-agent') ?? '')
  const https = request.scheme === 'https'
  return {
    BotScore: botScore(request),
    BotScoreSrc: 'Heuristics',
    ClientCountry: recordedCountry(state.place),
    ClientDeviceType: deviceType(userAgent),
    ClientIP: request.clientIp,
    ClientIPClass: 'noRecord',
    ClientMTLSAuthStatus: 'unknown',
    ClientRequestBytes: requestBytes,
    ClientRequestHost: asText(request.host),
    ClientRequestMethod: asText(request.method),
    ClientRequestPath: asText(request.path),
    ClientRequestProtocol: asText(request.version),
    ClientRequestReferer: asText(request.header('referer') ?? ''),
    ClientRequestScheme: request.scheme,
    ClientRequestSource: 'eyeball',
    ClientRequestURI: asText(request.uri),
    ClientRequestUserAgent: userAgent,
    ...(https ? {} : { ClientSSLProtocol: 'none' }),
    ClientSrcPort: request.connection.clientPort,
    ClientTLSKeyExchangeGroup: https ? 'UNK' : 'NONE',
    ClientXRequestedWith: asText(request.header('x-requested-with') ?? ''),
  }
}

export function recordedCountry({ country }: PlaceView): string {
  return country === '' ? unknownCountry : country.toLowerCase()
}

function deviceType(userAgent: string): string {
  if (userAgent.includes('iPad') || userAgent.includes('Tablet')) return 'tablet'
  if (userAgent.includes('Mobi')) return 'mobile'
  // Android without "Mobile" is a tablet, by its makers' convention.
  return userAgent.includes('Android') ? 'tablet' : 'desktop'
}

function edgeFields(exchange: Exchange, endedMs: number): LogRecord {
  const contentType = firstHeader(exchange.responseHeaders, 'content-type') ?? ''
  const { startedMs, headSentMs } = exchange
  return {
    EdgeEndTimestamp: nanoseconds(endedMs),
    EdgePathingOp: 'unknown',
    EdgePathingSrc: 'unknown',
    EdgePathingStatus: 'unknown',
    EdgeResponseBodyBytes: exchange.responseBodyBytes,
    EdgeResponseBytes: exchange.responseBytes,
    EdgeResponseContentType: asText(contentType.split(';', 1)[0]!.trim()),
    EdgeResponseStatus: recordedStatus(exchange),
    EdgeStartTimestamp: nanoseconds(startedMs),
    EdgeTimeToFirstByteMs: headSentMs === undefined ? 0 : headSentMs - startedMs,
  }
}

/** 499 when the client left before there was an answer; 0 when a rule dropped the connection. */
export function recordedStatus({ status, ledger }: Exchange): number {
  return status === 0 && ledger.terminal?.action !== 'connectionClose' ? 499 : status
}

function originFields(origin: OriginReport): LogRecord {
  const durationMs = (origin.endedMs ?? origin.startedMs) - origin.startedMs
  return {
    CacheCacheStatus: origin.status === 0 ? 'unknown' : 'dynamic',
    EdgeRequestHost: asText(origin.upstream.hostHeader),
    EdgeServerIP: origin.link?.localIp ?? '',
    OriginIP: origin.link?.remoteIp ?? '',
    OriginResponseBytes: origin.bodyBytes,
    OriginResponseDurationMs: durationMs,
    OriginResponseHTTPExpires: asText(firstHeader(origin.headers, 'expires') ?? ''),
    OriginResponseHTTPLastModified: asText(firstHeader(origin.headers, 'last-modified') ?? ''),
    OriginResponseHeaderReceiveDurationMs: (origin.headMs ?? origin.startedMs) - origin.startedMs,
    OriginResponseStatus: origin.status,
    OriginResponseTime: durationMs * 1_000_000,
    OriginSSLProtocol: origin.link?.tls ?? 'none',
  }
}

function securityFields(ledger: Ledger): LogRecord {
  const { entries, terminal, inspections } = ledger
  const matched = inspections.filter(inspection => matchesOf(inspection).length > 0)
  const last = matched.length === 0 ? undefined : matchesOf(matched.at(-1)!).at(-1)
  return {
    SecurityAction: terminal?.action ?? '',
    SecurityActions: entries.map(entry => entry.action),
    SecurityRuleDescription: terminal?.description ?? '',
    SecurityRuleID: terminal?.ruleId ?? '',
    SecurityRuleIDs: entries.map(entry => entry.ruleId),
    SecuritySources: entries.map(entry => entry.source),
    MatchedRules: matched.map(matchedRules),
    WAFFlags: wafFlags(ledger),
    WAFMatchedVar: last === undefined ? '' : cutAsText(last.target, edgeLimits.recordedTargetBytesMax),
  }
}

function matchedRules(inspection: Inspection): object {
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
        target: cutAsText(target, edgeLimits.recordedTargetBytesMax),
      },
    })),
  }
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
