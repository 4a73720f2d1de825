import type { Predicate } from '../expressions/types.ts'
import type { Phase, Redaction, Ruleset, RulesetKind, Shadow, Zone } from '../model/resource.ts'
import type { Exception, Program, RuleMask } from '../waf/types.ts'
import type { PlanRedaction } from './plan-redaction.ts'
import type { RequestView } from './request-view.ts'

/** What the edge runs for one zone. Immutable; a change builds a new one aside and swaps the reference. */
export interface ZonePlan {
  readonly zone: Zone
  /** Phases before the origin is asked, in order, without those that have no rules. */
  readonly request: readonly PlanPhase[]
  /** `http_response_headers_transform` */
  readonly responseHeaders: PlanPhase | undefined
  /** `http_response_firewall_managed` */
  readonly response: PlanPhase | undefined
  readonly logFields: LogFields
  readonly redaction: PlanRedaction
  /** Evaluated beside the managed rules on part of the traffic; does nothing. */
  readonly shadow: ShadowExecution | undefined
  /** Share of the requests that are sampled for what other levels and thresholds would do, 0–1. */
  readonly sampleRate: number
}

/** The rules of one phase: those of the account's entry point, then those of the zone's. Enabled ones only. */
export interface PlanPhase {
  readonly phase: Phase
  /** Some expression asks about the request's body: it has to be there before the phase begins. */
  readonly readsBody: boolean
  readonly rulesets: readonly PlanRuleset[]
}

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
  | RouteEffect
  | ConfigureEffect
  | NormalizeUriEffect

export type MitigatingAction = 'block' | 'managed_challenge' | 'js_challenge' | 'challenge'
export type PlanAction = MitigatingAction | 'log'

export interface PlainEffect {
  readonly kind: 'action'
  readonly action: PlanAction
  /** Of `block` rules that answer with a body of their own instead of the default page. */
  readonly response?: BlockResponse
  /** Of rules in `http_ratelimit`: the action is taken only for clients beyond it. */
  readonly limit?: RateLimitRule
}

export interface BlockResponse {
  /** 400–499. */
  readonly status: number
  readonly content: string
  /** `text/html`, `text/plain`, `application/json` or `text/xml`. */
  readonly contentType: string
}

/** What a rate limiting rule counts, and when it is enough. */
export interface RateLimitRule {
  /** What is counted apart: the values of the characteristics. Counters of different rules never meet. */
  readonly keyOf: (view: RequestView) => string
  /** Which requests count. */
  readonly counts: Predicate<RequestView>
  /**
   * When a request is counted: on arrival, when it is sent on to the origin (`requests_to_origin`), or when the answer
   * is there (what is counted asks about the answer).
   */
  readonly countedAt: 'request' | 'origin' | 'response'
  readonly periodMs: number
  /** Up to this many in a period go through; with `scoreHeader` their scores are summed instead. */
  readonly max: number
  /** A client beyond the limit is met by the action this long; 0: as long as it is beyond it. */
  readonly mitigationMs: number
  /** Response header, in lower case, that says how much a request counts. */
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
  /** Its last rule, which the action is attributed to. */
  readonly lastRuleId: string
  /** False when an override switched the last rule off: rules are still evaluated and recorded, nothing is done. */
  readonly acts: boolean
  /** Id of a rule in the API, by its index in the program. */
  readonly ruleIds: readonly string[]
  /** What a skip rule that matched takes out, by the skip rule's id. */
  readonly exceptions: ReadonlyMap<string, SkippedRules>
  readonly everyLevel: EveryLevel
  /** Base64 of the X25519 key that matched parts are encrypted with. */
  readonly payloadKey?: string
}

/** What an execution would run with other paranoia levels and all else as it is; worked out when first asked for. */
export interface EveryLevel {
  /** Rules that are on at some level. */
  readonly mask: RuleMask
  /** The lowest level at which a rule is on, by its index in the program; 0: at none. */
  readonly levels: Uint8Array
  /** The execution itself runs all of them. */
  readonly isOwn: boolean
}

/** What one skip rule takes out of one execution of a managed ruleset. */
export interface SkippedRules {
  readonly exception: Exception
  /** The last rule is among the skipped ones: nothing is done. */
  readonly lastRule: boolean
}

/** An `execute` of a custom ruleset. */
export interface CustomExecution {
  readonly kind: 'execute-custom'
  readonly ruleset: PlanRuleset
}

export interface SkipEffect {
  readonly kind: 'skip'
  /** What is left out at once: the rest of this ruleset, or of this phase (at this level). */
  readonly current: 'ruleset' | 'phase' | undefined
  /** Later phases that are left out. */
  readonly phases: ReadonlySet<Phase>
  /** Rulesets whose execution is left out. */
  readonly rulesets: ReadonlySet<string>
  /** Whether the rule takes anything out of executions; see `ManagedExecution.exceptions`. */
  readonly excepts: boolean
  /** Is a request that matches recorded? */
  readonly logs: boolean
}

/** A text of a rule: fixed, or worked out for a request. Undefined when its expression has no value. Byte string. */
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

/** Undefined parts stay as they are. */
export interface RouteEffect {
  readonly kind: 'route'
  readonly hostHeader: string | undefined
  readonly sni: string | undefined
  /** Where the connection goes, instead of the zone's origin. */
  readonly host: string | undefined
  readonly port: number | undefined
}

/** Undefined settings stay as they are. */
export interface ConfigureEffect {
  readonly kind: 'configure'
  /** `security_level: under_attack`: clients without a clearance are challenged. */
  readonly underAttack: boolean | undefined
  /** `ssl`: `strict` checks the certificate of an https origin, `full` does not. */
  readonly verifiesOrigin: boolean | undefined
}

/** The managed ruleset of `http_request_sanitize`: expressions see the normalised path. */
export interface NormalizeUriEffect {
  readonly kind: 'normalize-uri'
}

/** Names to log: header names in lower case, cookie names as they are. Without duplicates. */
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
  readonly shadow?: Shadow
  /** As by default without it. */
  readonly sampleRate?: number
  /** As by default without it. */
  readonly redaction?: Redaction
}

/**
 * The test of a list by its name, for values of this type: `Ip` (text form), `Bytes` (a host name) or `Int` (an AS
 * number). Undefined when the account has no such list of this kind.
 */
export type ListLookup = (name: string, type: 'Ip' | 'Bytes' | 'Int') => ListTest | undefined
export type ListTest = (value: string | number) => boolean

/** A managed ruleset and the program that runs it. */
export interface ManagedProgram {
  readonly ruleset: Omit<Ruleset, 'scope'>
  readonly program: Program
}
