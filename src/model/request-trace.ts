import type { JsonObject, Phase, RulesetKind } from './resource.ts'

/**
 * A request to trace: `api` sends it to `edge`. Request and answer are plain data, so that they pass
 * between threads.
 */
export interface TraceRequest {
  /** Only zones of this account are traced. */
  readonly accountId: string
  readonly method: string
  /** Path and query as in a request line. This text and all others are byte strings. */
  readonly target: string
  /** `HTTP/1.1`. */
  readonly protocol: string
  readonly scheme: 'http' | 'https'
  readonly port: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Its length equals Content-Length. */
  readonly body: Uint8Array
  /** Text form. */
  readonly clientIp: string
  /** Replaces the known location of the client's address. */
  readonly location: TraceLocation
  /** The client counts as one that has solved its challenge. */
  readonly cleared: boolean
}

/** As expressions see it; absent members come from the client's address. */
export interface TraceLocation {
  readonly country?: string
  readonly city?: string
  readonly regionCode?: string
  readonly subdivision2Code?: string
  readonly postalCode?: string
  /** Decimal degrees. */
  readonly latitude?: string
  readonly longitude?: string
  readonly timezone?: string
}

/** `no-zone`: no running zone of the account serves the host. `busy`: too many traces are running. */
export type TraceAnswer =
  | { readonly ok: true; readonly trace: RequestTrace }
  | { readonly ok: false; readonly reason: 'no-zone' | 'busy' }

/** The edge's handling of one request. Texts are Unicode, not byte strings. */
export interface RequestTrace {
  readonly zone: { readonly id: string; readonly name: string }
  readonly rayId: string
  /** In the order of the edge; phases without rules are left out. */
  readonly phases: readonly TracedPhase[]
  /** Rules that acted outside of the phases, in order. */
  readonly checks: readonly TracedCheck[]
  readonly outcome: TraceOutcome
  readonly records: TracedRecords
}

/** A rule of a security check beside the rulesets, such as an IP access rule. */
export interface TracedCheck {
  /** As records spell it: `ip`, `zoneLockdown`. */
  readonly source: string
  /** The first phase after it. */
  readonly before: Phase
  readonly ruleId: string
  readonly description: string
  /** As records spell actions; `allow`, which is not recorded. */
  readonly did: string
}

export interface TracedPhase {
  readonly phase: Phase
  /** False if the request had ended before. */
  readonly reached: boolean
  readonly rulesets: readonly TracedRuleset[]
}

export interface TracedRuleset {
  readonly id: string
  readonly version: string
  readonly kind: RulesetKind
  readonly level: 'account' | 'zone'
  /** A custom ruleset that another one executes is under the rule that does. */
  readonly rules: readonly TracedRule[]
}

/**
 * `matched`; `not_matched`; `skipped` by a skip rule; `not_reached`: the request had ended before; `failed`: its
 * expression costs too much on this request.
 */
export type RuleEvaluation = 'matched' | 'not_matched' | 'skipped' | 'not_reached' | 'failed'

export interface TracedRule {
  readonly id: string
  readonly ref: string
  readonly description: string
  readonly evaluation: RuleEvaluation
  /** The skip rule, or the IP access rule, that excluded it or the ruleset that it executes. */
  readonly skippedBy?: string
  /** Its action on the request, as records spell actions; absent if no action is recorded. */
  readonly did?: string
  /** Of a rule that executes a managed ruleset. */
  readonly managed?: TracedInspection
  /** Of a rule that executes a custom ruleset. */
  readonly executes?: TracedRuleset
}

/** One run of a managed ruleset. */
export interface TracedInspection {
  readonly rulesetId: string
  readonly version: string
  readonly score: number
  readonly threshold: number
  /** Taken when the score is at or above the threshold. */
  readonly action: string
  /** Its last rule, which takes the action. */
  readonly lastRuleId: string
  /** False if the last rule is off or skipped: no score leads to an action. */
  readonly acts: boolean
  /** The action was taken. */
  readonly acted: boolean
  /** Not all rules were evaluated. */
  readonly incomplete: boolean
  readonly rulesOn: number
  readonly matches: readonly TracedMatch[]
  readonly matchesOmitted: number
}

export interface TracedMatch {
  /** In the API. */
  readonly id: string
  /** The number that rule authors gave: `942100`. */
  readonly ref: string
  /** Of the engine, 1 to 5. */
  readonly phase: number
  /** 0 when it has none. */
  readonly paranoiaLevel: number
  readonly severity: string
  readonly message: string
  readonly tags: readonly string[]
  /** `ARGS:q`. */
  readonly target: string
  /** The value that matched, after transformations; unprintable bytes as `\xHH`. Cut when it is long. */
  readonly value: string
  /** The rule's `logdata`. */
  readonly data: string
  readonly score: number
  /** Score of the request after the match. */
  readonly total: number
  /** The conditions of the rule and its chain. Empty if the body is too long. */
  readonly conditions: readonly TracedCondition[]
}

/** Texts are on one line, with unprintable bytes as `\xHH`, and cut when they are long. */
export interface TracedCondition {
  /** `@rx`, `!@within`; empty for a rule without an operator. */
  readonly operator: string
  readonly parameter: string
  /** The values that matched. */
  readonly values: readonly TracedValue[]
}

export interface TracedValue {
  readonly target: string
  readonly original: string
  /** Transformations that changed it, each with its result. */
  readonly steps: readonly { readonly transformation: string; readonly value: string }[]
  /** The part that matched; empty for operators without one. */
  readonly found: string
}

export interface TraceOutcome {
  /**
   * `forward`: to the origin. `answer`: the edge answers itself, because of a rule or an invalid request.
   * `drop`: the connection is closed without an answer.
   */
  readonly kind: 'forward' | 'answer' | 'drop'
  /** As records spell it; empty when no rule ended the request. */
  readonly action: string
  /** The rule that ended it; empty when none did. */
  readonly ruleId: string
  /** The reason of a refusal without a rule; empty otherwise. */
  readonly reason: string
  /** Of the edge's own answer; 0 when there is none. */
  readonly status: number
  /** The target of the edge's redirect; empty without one. */
  readonly location: string
  /** Path and query, and the host, as the origin would get them; empty if it would not get the request. */
  readonly uri: string
  readonly host: string
  /** The server that would get it, as `http://host:port`; empty if none would. */
  readonly origin: string
}

/** The records that would be written, with the zone's redaction. */
export interface TracedRecords {
  readonly httpRequests: JsonObject
  readonly firewallEvents: readonly JsonObject[]
  /** Fields that only a real request fills, left out of both. */
  readonly notKnown: readonly string[]
}
