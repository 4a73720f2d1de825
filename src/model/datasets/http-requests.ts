import type { Dataset } from '../dataset.ts'
import { fieldsOf } from './field-table.ts'

/** One field a line: name | type | description | source. */
const table = `
AISecurityCustomTopicCategories | object | Customer-defined AI topic labels with scores; 1 is most relevant, 99 least | none
AISecurityInjectionScore | int | Prompt-injection likelihood score from AI Security | none
AISecurityPIICategories | array[string] | Personal-data categories AI Security found in the request | none
AISecurityTokenCount | int | Token count of the request according to AI Security | none
AISecurityUnsafeTopicCategories | array[string] | Unsafe-topic categories AI Security found in the request | none
BotDetectionIDs | array[int] | Numeric ids of bot heuristics that fired; needs Bot Management | none
BotDetectionTags | array[string] | Labels of bot heuristics that fired; needs Bot Management | none
BotScore | int | Bot likelihood, low means automated (under 30); needs Bot Management | a heuristic over User-Agent and the usual headers of browsers; 1 certainly automated, 99 certainly a person
BotScoreSrc | string | Which engine produced the bot score; needs Bot Management | Heuristics
BotTags | array[string] | Kind of bot traffic, when known; needs Bot Management | none
CacheCacheStatus | string | Cache outcome such as hit, miss, expired, bypass or dynamic | dynamic when the origin answered, else unknown: there is no cache
CacheLockWaitedMs | int | Longest wait on a cache lock over all tiers, milliseconds | none
CacheReserveUsed | bool | True when the answer came out of Cache Reserve | none
CacheResponseBytes | int | Byte count that the cache handed back | none
CacheResponseStatus | int | Status code passed from cache to edge, cacheable or not | none
CacheTieredFill | bool | True when Tiered Cache took part in answering | none
ClientASN | int | Autonomous system number of the visitor's network | none
ClientCity | string | Visitor's city, approximate | none
ClientCountry | string | Visitor's country as an ISO 3166 two-letter code | country database, lower case; xx when the address is private or not in it
ClientDeviceType | string | Kind of device the visitor used | User-Agent: mobile, tablet or desktop
ClientIP | string | Visitor's IP address | peer address; behind trusted proxies the nearest untrusted address of X-Forwarded-For
ClientIPClass | string | Reputation class of the visitor's address, e.g. tor, scan, noRecord | noRecord
ClientLatitude | string | Visitor's latitude as text, approximate | none
ClientLongitude | string | Visitor's longitude as text, approximate | none
ClientMTLSAuthCertFingerprint | string | SHA-256 of the client certificate; first request of a connection only | none
ClientMTLSAuthStatus | string | Client certificate verdict (ok, absent, expired…); first request of connection only | unknown
ClientRegionCode | string | Visitor's region as an ISO 3166-2 code | none
ClientRequestBytes | int | Bytes received from the client | request line, header lines and body as read
ClientRequestHost | string | Host name the client asked for | Host header, or the authority of an absolute request target
ClientRequestMethod | string | Request method | request line
ClientRequestPath | string | Request path with the query string left out | request target
ClientRequestProtocol | string | HTTP version spoken by the client | request line
ClientRequestReferer | string | Value of the Referer request header | Referer header
ClientRequestScheme | string | Scheme of the requested URL | TLS of the edge, or X-Forwarded-Proto from a trusted proxy
ClientRequestSource | string | Origin of the request: outside visitor or an internal service | eyeball
ClientRequestURI | string | Request path together with its query string | request target
ClientRequestUserAgent | string | User-Agent sent by the client | User-Agent header
ClientSSLCipher | string | Cipher negotiated with the client | TLS of the edge; empty behind a proxy that speaks TLS
ClientSSLProtocol | string | TLS version toward the client; "none" for plain HTTP | TLS of the edge; none for http
ClientSrcPort | int | TCP port on the client side | TCP port of the peer
ClientTCPRTTMs | int | Smoothed TCP round-trip time to the client, milliseconds | none
ClientTLSKeyExchangeGroup | string | Key exchange group toward the client; UNK when unknown, NONE without TLS | NONE for http, else UNK
ClientXRequestedWith | string | Value of the X-Requested-With request header | X-Requested-With header
ContentScanObjResults | array[string] | Verdict for every scanned upload object | none
ContentScanObjSizes | array[int] | Size of every scanned upload object | none
ContentScanObjTypes | array[string] | Media type of every scanned upload object | none
Cookies | object | Cookie names and values chosen through custom log fields | cookies named by custom log fields
EdgeCFConnectingO2O | bool | True when the request passed through several zones at the edge | none
EdgeColoCode | string | IATA code of the receiving data centre | none
EdgeColoID | int | Numeric id of the receiving data centre | none
EdgeEndTimestamp | timestamp | When the edge finished answering the client | clock when the answer ended
EdgePathingOp | string | Kind of answer given for security reasons; unknown when none | unknown
EdgePathingSrc | string | Security check that classified the request; unknown when none | unknown
EdgePathingStatus | string | Data behind the handling decision; unknown when none | unknown
EdgeRequestHost | string | Host header sent from edge to origin | Host header sent to the origin
EdgeResponseBodyBytes | int | Size of the response body sent to the client | body bytes written to the client
EdgeResponseBytes | int | Total bytes the edge sent to the client | bytes written to the connection for this answer
EdgeResponseCompressionRatio | float | Original response size divided by compressed size | the same; 0 when the edge did not compress the answer
EdgeResponseContentType | string | Content-Type of the edge response | Content-Type of the answer, without parameters
EdgeResponseStatus | int | Status code the client received | status of the answer; 499 if the client left before its end, 502 if the origin broke off, 0 if a rule dropped the connection
EdgeServerIP | string | Edge address used toward the origin; empty if origin not contacted | local address of the newest connection to the origin
EdgeStartTimestamp | timestamp | When the edge received the request | clock when the request head was read
EdgeTimeToFirstByteMs | int | Milliseconds until first response byte, seen from the edge | from the request head to the head of the answer
FirewallForAIInjectionScore | int | Old name of AISecurityInjectionScore | none
FirewallForAIPIICategories | array[string] | Old name of AISecurityPIICategories | none
FirewallForAITokenCount | int | Old name of AISecurityTokenCount | none
FirewallForAIUnsafeTopicCategories | array[string] | Old name of AISecurityUnsafeTopicCategories | none
FraudAttack | string | Main attack type found by fraud detection | none
FraudDetectionIDs | array[int] | Ids of fraud detections that fired | none
FraudDetectionTags | array[string] | Labels of fraud detections that fired | none
FraudEmailRisk | string | Risk of the e-mail address: low, medium or high | none
FraudUserID | string | Per-user identifier produced by fraud detection | none
JA3Hash | string | MD5 of the TLS client's JA3 fingerprint; needs Bot Management | none
JA4 | string | JA4 fingerprint of the TLS client; needs Bot Management | TLS of the edge, if SLUICE_TLS_JA4 is on
JA4Signals | object | Numeric statistics across requests sharing the JA4; needs Bot Management | none
JSDetectionPassed | string | JavaScript detection outcome: passed, failed or missing; needs Bot Management | none
LeakedCredentialCheckResult | string | Leaked-credential verdict, e.g. clean, password_leaked, username_leaked | none
MatchedRules | array[object] | Matched rules grouped by product, with ruleset id, version and rule list | managed rulesets: rules that matched, with their score, target and CRS number as metadata
OriginDNSResponseTimeMs | int | Milliseconds spent resolving the origin name | none
OriginIP | string | Address of the origin server | peer address of the newest connection to the origin
OriginRequestHeaderSendDurationMs | int | Milliseconds to send request headers to origin; usually zero | none
OriginResponseBytes | int | Bytes returned by the origin | body bytes read from the origin
OriginResponseDurationMs | int | Upstream milliseconds from first data centre; supersedes OriginResponseTime | from sending to the end of the origin answer
OriginResponseHTTPExpires | string | Origin's Expires header, RFC 1123 date | origin's Expires header
OriginResponseHTTPLastModified | string | Origin's Last-Modified header, RFC 1123 date | origin's Last-Modified header
OriginResponseHeaderReceiveDurationMs | int | Milliseconds from request headers sent to response headers received | from sending to the head of the origin answer
OriginResponseStatus | int | Upstream status code; zero when no origin answer | status of the origin answer
OriginResponseTime | int | Nanoseconds the origin took to answer | OriginResponseDurationMs in nanoseconds
OriginSSLProtocol | string | TLS version used toward the origin | TLS of the newest connection to the origin; none for http
OriginTCPHandshakeDurationMs | int | Origin TCP handshake milliseconds; zero on a reused connection | none
OriginTLSHandshakeDurationMs | int | Origin TLS handshake milliseconds; zero on a reused connection | none
ParentRayID | string | Ray id of the request whose Worker made this one | none
PayPerCrawlStatus | string | Outcome of pay-per-crawl charging, when it applies | none
RayID | string | Identifier of this request | generated for each request; Ray-ID header of the answer
RequestHeaders | object | Request header names and values chosen through custom log fields | request headers named by custom log fields
ResponseHeaders | object | Response header names and values chosen through custom log fields | headers of the answer named by custom log fields
SecurityAction | string | Terminating security action, if there was one | the action that ended the request
SecurityActions | array[string] | Security actions taken; same length as SecurityRuleIDs and SecuritySources | every action taken, log and passed challenges too, in order
SecurityRuleDescription | string | Description of the rule that ended the request, if any | the rule that ended the request
SecurityRuleID | string | Id of the rule that ended the request, if any | the rule that ended the request; for managed rulesets their last rule
SecurityRuleIDs | array[string] | Matching rule ids; same length as SecurityActions and SecuritySources | rules of SecurityActions
SecuritySources | array[string] | Matching security products; same length as SecurityRuleIDs and SecurityActions | firewallCustom, rateLimit, firewallManaged, securityLevel, bic, hot, ip, ipRange, asn, country, zoneLockdown or uaBlock for each of SecurityActions
SmartRouteColoID | int | Data centre that reached the origin under Argo Smart Routing | none
Subrequests | array[object] | Merged Worker subrequests, each with the parent's fields except Subrequests | none
UpperTierColoID | int | Upper-tier data centre asked for a cached copy | none
VerifiedBotCategory | string | Category of the verified bot | none
WAFAttackScore | int | Overall WAF machine score | none
WAFFlags | string | Extra WAF flags: simulate (0x1) or null | hexadecimal bits: 0x1 a score was only logged, 0x2 a body was inspected in part, 0x4 rules were not evaluated completely, 0x8 the body was not seen: it has gRPC messages, or another proxy holds it. Behind a proxy: 0x10 the response was not seen
WAFMatchedVar | string | Full name of the variable matched last | target of the last managed rule that matched
WAFRCEAttackScore | int | WAF machine score for remote code execution | none
WAFRequestSignatureCategories | array[string] | Categories of attack signatures that matched the request | none
WAFRequestSignatureRefs | array[string] | References of attack signatures that matched, ten at most | none
WAFSQLiAttackScore | int | WAF machine score for SQL injection | none
WAFXSSAttackScore | int | WAF machine score for cross-site scripting | none
WebAssetsLabelsManaged | array[string] | Vendor-defined labels that fit the request | none
WebAssetsOperationID | string | UUID of the web-assets operation that fits the request | none
WorkerCPUTime | int | Microseconds of CPU used by the Worker | none
WorkerScriptName | string | Name of the Worker script behind the request | none
WorkerStatus | string | How the Worker invocation ended | none
WorkerSubrequest | bool | True when a Worker issued this request | none
WorkerSubrequestCount | int | How many subrequests the Worker issued | none
WorkerWallTimeUs | int | Microseconds of elapsed time in the Worker | none
ZoneName | string | Readable name of the zone | zone that served the request
`

/**
 * One record a request.
 * @source names and types: Cloudflare's log field reference for http_requests; the wording is ours
 */
export const httpRequests: Dataset = {
  name: 'http_requests',
  timeField: 'EdgeStartTimestamp',
  scopes: ['account', 'zone'],
  fields: fieldsOf(table),
  defaultFields: [
    'ClientIP',
    'ClientRequestHost',
    'ClientRequestMethod',
    'ClientRequestURI',
    'EdgeEndTimestamp',
    'EdgeResponseBytes',
    'EdgeResponseStatus',
    'EdgeStartTimestamp',
    'RayID',
  ],
}
