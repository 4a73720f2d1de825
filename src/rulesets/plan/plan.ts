import type { Predicate } from '../../expressions/types.ts'
import type { CustomAsset } from '../../model/custom-asset.ts'
import type { CustomPage, CustomPageId } from '../../model/custom-page.ts'
import type { DnsRecord } from '../../model/dns-record.ts'
import type { LoadBalancer, Pool } from '../../model/load-balancing.ts'
import type { KeyedOriginCertificate } from '../../model/origin-certificate.ts'
import type { OriginTls } from '../../model/origin-tls.ts'
import type { Phase, Redaction, Ruleset, RulesetKind, Shadow, Zone } from '../../model/resource.ts'
import type { ZoneFirewall } from '../../model/zone-firewall.ts'
import type { ZoneSettings } from '../../model/zone-settings.ts'
import type { Exception, Program, RuleMask } from '../../waf/types.ts'
import type { Credentials, RequestView } from '../fields/request-view.ts'
import type { AccessTable } from '../firewall/access-table.ts'
import type { PlanLockdown } from '../firewall/lockdown.ts'
import type { PlanUserAgents } from '../firewall/user-agents.ts'
import type { SkippedProduct } from '../schemas/skip.ts'
import type { PlanRedaction } from './redaction.ts'

/**
 * The configuration that the edge runs for one zone. Immutable: a change builds a new plan aside and swaps the
 * reference.
 */
export interface ZonePlan {
  readonly zone: Zone
  readonly settings: ZoneSettings
  /** IP access rules of the zone and of its account; undefined: none act. The table changes with the rules. */
  readonly accessRules: Pick<AccessTable, 'find'> | undefined
  /** In the order in which they decide. */
  readonly lockdowns: readonly PlanLockdown[]
  readonly userAgents: PlanUserAgents
  /** Phases before the request to the origin, in order; phases without rules are left out. */
  readonly request: readonly PlanPhase[]
  /** `http_custom_errors`: the zone's rules before the account's. */
  readonly customErrors: PlanPhase | undefined
  /** `http_response_headers_transform` */
  readonly responseHeaders: PlanPhase | undefined
  /** `http_response_compression` */
  readonly compression: PlanPhase | undefined
  /** `http_response_firewall_managed` */
  readonly response: PlanPhase | undefined
  readonly logFields: LogFields
  readonly redaction: PlanRedaction
  /** Evaluated beside the managed rules on part of the traffic, without effect. */
  readonly shadow: ShadowExecution | undefined
  /** Share of the requests that are sampled for what-if analysis, 0–1. */
  readonly sampleRate: number
  readonly origins: ZoneOrigins
  readonly customPages: CustomPages
  /** Undefined: no client certificate, and the authorities of the system. */
  readonly originTls: OriginTls | undefined
}

/** Pages in place of the edge's own. */
export type CustomPages = ReadonlyMap<CustomPageId, PageParts>

/** The texts of a page, and between two of them a token: text, token, text, …, text. */
export type PageParts = readonly string[]

/** A server of a site. */
export interface OriginServer {
  /** `http://host:port`, no path. */
  readonly url: string
  /** Its share of the requests, in relation to the other servers; more than 0. */
  readonly weight: number
  /** Host header for it, instead of the host that the client requested. */
  readonly hostHeader?: string
  /** The name under which health checks report it; a server without one is not checked. */
  readonly healthKey?: string
}

/** Servers that answer for the same names. */
export interface OriginGroup {
  /** None when the zone has no origin and nothing else names a server. */
  readonly servers: readonly OriginServer[]
  /** Without servers: gives its scheme to the server that a rule names. */
  readonly routed?: OriginServer
  /**
   * `least-busy`: the server with the fewest requests in relation to its weight gets the next one. `client`: all requests of
   * a client's address go to one server. Undefined: they take turns.
   */
  readonly steering?: 'least-busy' | 'client'
}

/** A pool of a load balancer, with its enabled origins. */
export interface OriginPool extends OriginGroup {
  readonly id: string
  /** It gets requests while it has this many healthy servers. */
  readonly healthyMin: number
}

/** One of several pools that share the requests. */
export interface WeightedPool extends OriginPool {
  /** Its share of the requests, in relation to the other pools. */
  readonly weight: number
}

/** The pools of a load balancer. */
export interface OriginPools {
  /** In the order of failover. */
  readonly pools: readonly WeightedPool[]
  /** Gets the requests when none of them is healthy. */
  readonly fallback: OriginPool
  /** The healthy pools share the requests; otherwise the first healthy one gets them all. */
  readonly shared: boolean
  /** A request that the servers of a pool do not answer goes on to the next pool. */
  readonly failsOver: boolean
  /** Undefined: the requests of a client may go to any server. */
  readonly sessions?: SessionAffinity
}

/** How the requests of a session stay at one server. */
export interface SessionAffinity {
  readonly balancerId: string
  /**
   * `cookie`: a cookie names the server. `ip_cookie`: so does it, and the first server depends on the client's address.
   * `header`: the values of headers choose the server.
   */
  readonly by: 'cookie' | 'ip_cookie' | 'header'
  /** Life of a cookie. */
  readonly seconds: number
  /**
   * When the server of a session fails: `none` leaves the request failed, `temporary` leads it to another server, and
   * `sticky` moves the session there.
   */
  readonly failover: 'none' | 'temporary' | 'sticky'
  readonly sameSite: 'Lax' | 'None' | 'Strict'
  readonly secure: boolean
  /** In lower case. */
  readonly headers: readonly string[]
  /** Names of cookies that count like headers. */
  readonly cookies?: readonly string[]
  /** A request without one of the headers or cookies belongs to no session; otherwise, one without any. */
  readonly needsAll: boolean
  /** Disabled servers whose sessions still go on. */
  readonly draining: readonly DrainingServer[]
}

export interface DrainingServer {
  readonly poolId: string
  readonly server: OriginServer
  readonly untilMs: number
}

export type HostOrigins = OriginGroup | OriginPools

/** The servers of a host name whose load balancer has rules. */
export interface RuledOrigins {
  /**
   * Applies the rules to a request.
   * @param onExceeded a condition exceeded its work budget, and does not hold
   */
  resolve(view: RequestView, onExceeded: () => void): HostOrigins | FixedResponse
}

/** The answer of a load balancer in place of its origins. */
export interface FixedResponse {
  /** 200–599. */
  readonly status: number
  readonly contentType: string
  readonly location: string | undefined
  readonly body: string
}

/** The servers of a zone's host names. */
export interface ZoneOrigins {
  /** @param host a Host header. Zones whose hosts all have the zone's origin return the same object without reading it. */
  of(host: string): HostOrigins | RuledOrigins
}

/** The rules of one phase: the account's entry point, then the zone's. Enabled rules only. */
export interface PlanPhase {
  readonly phase: Phase
  /** Some expression uses the request's body, which must be read before the phase begins. */
  readonly readsBody: boolean
  /** Undefined: no rule asks about credentials. */
  readonly credentials?: PhaseCredentials | undefined
  readonly rulesets: readonly PlanRuleset[]
}

/** The credentials that the rules of a phase ask about. */
export interface PhaseCredentials {
  /** Where fields look for them; the first location that has some counts. */
  readonly locations: readonly CredentialLocation[]
  /** Where rules with `exposed_credential_check` look. */
  readonly exposed: readonly CredentialLocation[]
}

/** Finds credentials in a request. */
export type CredentialLocation = (view: RequestView) => Credentials | undefined

export interface PlanRuleset {
  readonly id: string
  readonly version: string
  readonly kind: RulesetKind
  readonly rules: readonly PlanRule[]
}

export interface PlanRule {
  readonly id: string
  readonly ref: string
  readonly rulesetId: string
  readonly rulesetVersion: string
  readonly description: string
  readonly matches: Predicate<RequestView>
  readonly effect: PlanEffect
}

export type PlanEffect =
  | PlainEffect
  | ManagedExecution
  | CustomExecution
  | SkipEffect
  | RewriteUriEffect
  | RewriteHeadersEffect
  | RedirectEffect
  | ListedRedirectEffect
  | RouteEffect
  | ConfigureEffect
  | NormalizeUriEffect
  | ServeErrorEffect
  | CompressEffect

export type MitigatingAction = 'block' | 'managed_challenge' | 'js_challenge' | 'challenge'
export type PlanAction = MitigatingAction | 'log'

export interface PlainEffect {
  readonly kind: 'action'
  readonly action: PlanAction
  /** Response of `block` rules; without it, the default page. */
  readonly response?: BlockResponse
  /** For rules in `http_ratelimit`: the action is taken only for clients beyond the limit. */
  readonly limit?: RateLimitRule
}

export interface BlockResponse {
  /** 400–499. */
  readonly status: number
  readonly content: string
  /** `text/html`, `text/plain`, `application/json` or `text/xml`. */
  readonly contentType: string
}

/** The counted requests of a rate limiting rule, and its limit. */
export interface RateLimitRule {
  /** The key of a counter: the values of the characteristics. Counters of different rules are separate. */
  readonly keyOf: (view: RequestView) => string
  /** Which requests count. */
  readonly counts: Predicate<RequestView>
  /**
   * When a request is counted: on arrival, when it is sent to the origin (`requests_to_origin`), or when the response
   * has arrived (the counting expression uses the response).
   */
  readonly countedAt: 'request' | 'origin' | 'response'
  readonly periodMs: number
  /** Up to this many requests in a period pass; with `scoreHeader`, their scores are summed instead. */
  readonly max: number
  /** How long the action applies to a client beyond the limit; 0: while the client is beyond it. */
  readonly mitigationMs: number
  /** Response header, in lower case, with the score of a request. */
  readonly scoreHeader?: string
}

/** An `execute` of a managed ruleset with its overrides resolved. */
export interface ManagedExecution {
  readonly kind: 'execute'
  /** The managed ruleset. */
  readonly rulesetId: string
  readonly rulesetVersion: string
  readonly program: Program
  readonly mask: RuleMask
  /** The score at or above which `action` is taken. */
  readonly threshold: number
  readonly action: PlanAction
  /** The last rule of the ruleset, to which the action is attributed. */
  readonly lastRuleId: string
  /** False when an override disabled the last rule: rules are evaluated and recorded without an action. */
  readonly acts: boolean
  /** Rule ids in the API, by index in the program. */
  readonly ruleIds: readonly string[]
  /** Exceptions that a matching skip rule makes, by the skip rule's id. */
  readonly exceptions: ReadonlyMap<string, SkippedRules>
  readonly everyLevel: EveryLevel
  /** Base64 of the X25519 key that encrypts matched parts. */
  readonly payloadKey?: string
}

/** The execution at other paranoia levels, with all other settings unchanged; computed on first use. */
export interface EveryLevel {
  /** Rules that are enabled at some level. */
  readonly mask: RuleMask
  /** The lowest level at which a rule is enabled, by its index in the program; 0: at none. */
  readonly levels: Uint8Array
  /** Whether the execution itself runs all of them. */
  readonly isOwn: boolean
}

/** Exceptions that one skip rule makes from one execution of a managed ruleset. */
export interface SkippedRules {
  readonly exception: Exception
  /** The last rule is skipped too: no action is taken. */
  readonly lastRule: boolean
}

/** An `execute` of a custom ruleset. */
export interface CustomExecution {
  readonly kind: 'execute-custom'
  readonly ruleset: PlanRuleset
}

export interface SkipEffect {
  readonly kind: 'skip'
  /** The skipped part: the rest of this ruleset, or of this phase (at this level). */
  readonly current: 'ruleset' | 'phase' | undefined
  /** Later phases that are skipped. */
  readonly phases: ReadonlySet<Phase>
  /** Rulesets whose execution is skipped. */
  readonly rulesets: ReadonlySet<string>
  /** Products that are skipped, whether Sluice has them or not. */
  readonly products: ReadonlySet<SkippedProduct>
  /** Whether the rule makes exceptions from executions; see `ManagedExecution.exceptions`. */
  readonly excepts: boolean
  /** Whether a matching request is recorded. */
  readonly logs: boolean
}

/** A text of a rule: fixed, or computed for each request. Undefined when its expression has no value. Byte string. */
export type TextOf = (view: RequestView) => string | undefined

/** Undefined parts stay as they are. */
export interface RewriteUriEffect {
  readonly kind: 'rewrite-uri'
  readonly path: TextOf | undefined
  /** Without `?`; empty removes it. */
  readonly query: TextOf | undefined
}

export interface RewriteHeadersEffect {
  readonly kind: 'rewrite-headers'
  readonly changes: readonly HeaderChange[]
}

export type HeaderChange =
  | { readonly operation: 'set' | 'add'; readonly name: string; readonly value: TextOf }
  | { readonly operation: 'remove'; readonly name: string }

export interface RedirectEffect {
  readonly kind: 'redirect'
  readonly status: 301 | 302 | 303 | 307 | 308
  readonly target: TextOf
  readonly preserveQuery: boolean
}

/** Looks the request up in a list of redirects; without a match, it has no effect. */
export interface ListedRedirectEffect {
  readonly kind: 'redirect-from-list'
  /** The URL that is looked up. */
  readonly key: TextOf
  readonly list: RedirectList
}

/** The current redirects of a list. */
export interface RedirectList {
  /** @param url byte string `scheme://host/path?query` */
  find(url: string): ListedRedirect | undefined
}

/** A redirect of a list, for one request. */
export interface ListedRedirect {
  readonly status: 301 | 302 | 307 | 308
  /** An absolute URL; byte string. */
  readonly target: string
  readonly preserveQuery: boolean
}

/** Undefined parts stay as they are. */
export interface RouteEffect {
  readonly kind: 'route'
  readonly hostHeader: string | undefined
  readonly sni: string | undefined
  /** Address of the connection, instead of the zone's origin. */
  readonly host: string | undefined
  readonly port: number | undefined
}

/** Undefined settings stay as they are. */
export interface ConfigureEffect {
  readonly kind: 'configure'
  /** `security_level: under_attack`: clients without a clearance are challenged. */
  readonly underAttack: boolean | undefined
  /** `bic` */
  readonly browserCheck: boolean | undefined
  readonly hotlinkProtection: boolean | undefined
  /** `ssl`: `strict` checks the certificate of an https origin, `full` does not. */
  readonly verifiesOrigin: boolean | undefined
}

/** The managed ruleset of `http_request_sanitize`: expressions see the normalised path. */
export interface NormalizeUriEffect {
  readonly kind: 'normalize-uri'
}

/** Replaces the body of an answer from 400 up. */
export interface ServeErrorEffect {
  readonly kind: 'serve-error'
  /** 400–599. Undefined: the status stays. */
  readonly status: number | undefined
  /** Without a charset. */
  readonly contentType: string
  /** Undefined: there is no asset with the name, and the answer stays as it is. */
  readonly content: PageParts | undefined
  /** The expression asks for the kind of error, so that the rule also replaces blocks and challenges of the edge. */
  readonly namesError: boolean
}

/** In the order of preference. */
export interface CompressEffect {
  readonly kind: 'compress'
  readonly algorithms: readonly CompressionAlgorithm[]
}

/** @source Cloudflare docs, Compression Rules settings */
export type CompressionAlgorithm = 'none' | 'auto' | 'default' | 'gzip' | 'brotli' | 'zstd'

/** Names to log: header names in lower case, cookie names verbatim. Without duplicates. */
export interface LogFields {
  /** As received. */
  readonly request: readonly string[]
  /** After rewrites. */
  readonly transformedRequest: readonly string[]
  /** As sent to the client. */
  readonly response: readonly LoggedResponseHeader[]
  /** As the origin sent them. */
  readonly rawResponse: readonly LoggedResponseHeader[]
  readonly cookies: readonly string[]
}

export interface LoggedResponseHeader {
  readonly name: string
  /** All values, as an array, instead of the first. */
  readonly preserveDuplicates: boolean
}

/** A zone's shadow with its overrides resolved. */
export interface ShadowExecution {
  readonly sampleRate: number
  readonly paranoiaLevel: number
  readonly execution: ManagedExecution
}

export interface PlanInput {
  readonly zone: Zone
  /** Entry points and custom rulesets of the account and of the zone. */
  readonly accountRulesets: readonly Ruleset[]
  readonly zoneRulesets: readonly Ruleset[]
  /** A managed ruleset by id; `version` is `latest` or a number in text. */
  readonly managed: (rulesetId: string, version: string) => ManagedProgram | undefined
  /** Tests of the account's lists. They see later changes of the items. */
  readonly lists: ListLookup
  /** A list of redirects by its name; undefined when the account has none. Sees later changes of the items. */
  readonly redirectLists: RedirectLookup
  /** None act if absent. */
  readonly accessRules?: Pick<AccessTable, 'find'>
  readonly firewall?: ZoneFirewall
  readonly shadow?: Shadow
  /** Default values if absent. */
  readonly sampleRate?: number
  /** The default if absent. */
  readonly redaction?: Redaction
  /** Defaults if absent. */
  readonly settings?: ZoneSettings
  /** A, AAAA and CNAME; none if absent. */
  readonly dnsRecords?: readonly DnsRecord[]
  readonly originCertificates?: readonly KeyedOriginCertificate[]
  /** Pages and assets of the account and of the zone; none if absent. */
  readonly accountPages?: readonly CustomPage[]
  readonly zonePages?: readonly CustomPage[]
  readonly accountAssets?: readonly CustomAsset[]
  readonly zoneAssets?: readonly CustomAsset[]
  readonly loadBalancers?: readonly LoadBalancer[]
  /** At least the pools that the load balancers name. */
  readonly pools?: readonly Pool[]
}

/**
 * The membership test of a list by its name, for values of this type: `Ip` (text form), `Bytes` (a host name) or
 * `Int` (an AS number). Undefined when the account has no such list of this kind.
 */
export type ListLookup = (name: string, type: 'Ip' | 'Bytes' | 'Int') => ListTest | undefined
export type RedirectLookup = (name: string) => RedirectList | undefined
export type ListTest = (value: string | number) => boolean

/** A managed ruleset and the program that runs it. */
export interface ManagedProgram {
  readonly ruleset: Omit<Ruleset, 'scope'>
  readonly program: Program
}
