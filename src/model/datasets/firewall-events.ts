import type { Dataset } from '../dataset.ts'
import { fieldsOf } from './field-table.ts'

/** One field a line: name | type | description | source. */
const table = `
AISecurityCustomTopicCategories | object | Customer-defined AI topic labels with scores; 1 is most relevant, 99 least | none
AISecurityInjectionScore | int | Prompt-injection likelihood score from AI Security | none
AISecurityPIICategories | array[string] | Personal-data categories AI Security found in the request | none
AISecurityTokenCount | int | Token count of the request according to AI Security | none
AISecurityUnsafeTopicCategories | array[string] | Unsafe-topic categories AI Security found in the request | none
Action | string | Action taken, lower-case code such as block, log or managedchallenge | the action, in lower case; log also for a shadow that would have acted on a request without another action
ClientASN | int | Autonomous system number of the visitor's network | network database; 0 if it has no entry
ClientASNDescription | string | Name of the visitor's autonomous system | none
ClientCountry | string | Country the request came from | country database, lower case; xx when the address is private or not in it
ClientIP | string | Visitor's address, IPv4 or IPv6 | peer address; behind trusted proxies the nearest untrusted address of X-Forwarded-For
ClientIPClass | string | Reputation class of the visitor's address, e.g. tor, scan, noRecord | noRecord
ClientRefererHost | string | Host part of the Referer | Referer header
ClientRefererPath | string | Path part of the Referer | Referer header
ClientRefererQuery | string | Query part of the Referer | Referer header, with its question mark
ClientRefererScheme | string | Scheme part of the Referer | Referer header; unknown when it has none
ClientRequestHost | string | Host name the visitor asked for | Host header, or the authority of an absolute request target
ClientRequestMethod | string | Request method | request line
ClientRequestPath | string | Requested path | request target
ClientRequestProtocol | string | HTTP version of the request | request line
ClientRequestQuery | string | Query string of the request | request target, with its question mark
ClientRequestScheme | string | Scheme of the requested URL | http, or X-Forwarded-Proto from a trusted proxy
ClientRequestUserAgent | string | User-Agent sent by the visitor | User-Agent header
ContentScanObjResults | array[string] | Verdict for every scanned upload object | none
ContentScanObjSizes | array[int] | Size of every scanned upload object | none
ContentScanObjTypes | array[string] | Media type of every scanned upload object | none
Datetime | timestamp | When the event happened at the edge | clock when the request head was read
Description | string | Description of the rule that matched | description of the rule; for a managed ruleset, of the rule that executes it
EdgeColoCode | string | Airport code of the serving data centre | none
EdgeResponseStatus | int | Status code the browser received | status of the answer; 499 if the client left before it, 0 if a rule dropped the connection
FirewallForAIInjectionScore | int | Old name of AISecurityInjectionScore | none
FirewallForAIPIICategories | array[string] | Old name of AISecurityPIICategories | none
FirewallForAITokenCount | int | Old name of AISecurityTokenCount | none
FirewallForAIUnsafeTopicCategories | array[string] | Old name of AISecurityUnsafeTopicCategories | none
FraudUserID | string | Per-user identifier produced by fraud detection | none
Kind | string | Event kind; only "firewall" exists today | firewall
LeakedCredentialCheckResult | string | Leaked-credential verdict, e.g. clean, password_leaked, username_leaked | none
MatchIndex | int | Position in the match chain, counted backward; last match is zero | position among the events of the request, counted from the last
Metadata | object | Product-specific key/value details, unstable shape | ruleset and version; of managed rulesets also score, threshold, scoring rules, encrypted payload, and the result of the shadow
OriginResponseStatus | int | Status code the origin gave | status of the origin answer; 0 when there was none
OriginatorRayID | string | Ray id of the request that issued the challenge | 00
RayID | string | Identifier of the request | generated for each request; Ray-ID header of the answer
Ref | string | User-chosen label of the rule that matched | ref of the rule; empty for managed rulesets
RuleID | string | Product-specific id of the rule that matched | id of the rule; of managed rulesets their last rule
Source | string | Security product that matched, lower-case code such as firewallmanaged | firewallcustom, firewallmanaged, ratelimit, securitylevel, bic, hot, ip, iprange, asn, country, zonelockdown or uablock
WAFRequestSignatureCategories | array[string] | Categories of attack signatures that matched the request | none
WAFRequestSignatureRefs | array[string] | References of attack signatures that matched, ten at most | none
ZoneName | string | Readable name of the zone | zone that served the request
`

/**
 * One record for each action of a security rule on a request.
 * @source names and types: Cloudflare's log field reference for firewall_events; the wording is ours
 */
export const firewallEvents: Dataset = {
  name: 'firewall_events',
  timeField: 'Datetime',
  scopes: ['account', 'zone'],
  fields: fieldsOf(table),
  defaultFields: [
    'Action',
    'ClientIP',
    'ClientRequestHost',
    'ClientRequestMethod',
    'ClientRequestPath',
    'ClientRequestQuery',
    'Datetime',
    'EdgeResponseStatus',
    'RayID',
    'RuleID',
    'Source',
  ],
}
