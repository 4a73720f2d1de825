import type { JsonObject, Phase, RulesetKind } from './resource.ts'

/**
 * A request that the edge is asked about, and what it would do with it: what `api` asks and `edge` answers. Plain data,
 * so that it passes between threads.
 */
export interface TraceRequest {
  /** Only zones of this account answer. */
  readonly accountId: string
  readonly method: string
  /** Path and query as in a request line. Byte strings, these and what follows. */
  readonly target: string
  /** `HTTP/1.1`. */
  readonly protocol: string
  readonly scheme: 'http' | 'https'
  readonly port: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** As long as Content-Length says. */
  readonly body: Uint8Array
  /** Text form. */
  readonly clientIp: string
  /** In place of what is known about the client's address. */
  readonly place: TracePlace
  /** The client counts as one that has solved its challenge. */
  readonly cleared: boolean
}

/** As expressions see it; absent members are those of the client's address. */
export interface TracePlace {
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

/** `no-zone`: no running zone of the account serves the host. `busy`: too many are being traced. */
export type TraceAnswer =
  | { readonly ok: true; readonly trace: RequestTrace }
  | { readonly ok: false; readonly reason: 'no-zone' | 'busy' }

/** What the edge makes of one request. Texts are text, no byte strings. */
export interface RequestTrace {
  readonly zone: { readonly id: string; readonly name: string }
  readonly rayId: string
  /** In the order of the edge; phases without rules are left out. */
  readonly phases: readonly TracedPhase[]
  readonly outcome: TraceOutcome
  readonly records: TracedRecords
}

export interface TracedPhase {
  readonly phase: Phase
  /** False when the request was over before. */
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
 * `matched`; `not_matched`; `skipped` by a skip rule; `not_reached`: the request was over before; `failed`: its
 * expression costs too much on this request.
 */
export type RuleEvaluation = 'matched' | 'not_matched' | 'skipped' | 'not_reached' | 'failed'

export interface TracedRule {
  readonly id: string
  readonly ref: string
  readonly description: string
  readonly evaluation: RuleEvaluation
  /** The skip rule that left it, or what it executes, out. */
  readonly skippedBy?: string
  /** What it did to the request, as records spell actions; absent when it did nothing that is recorded. */
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
  /** False when the last rule is switched off or skipped: nothing is done, whatever the score. */
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
  /** What matched there, after transformations; any byte that is not printable as `\xHH`. The beginning of a long one. */
  readonly value: string
  /** What the rule says of it. */
  readonly data: string
  readonly score: number
  /** Score of the request once it had matched. */
  readonly total: number
  /** What the rule asks: its own condition, and those of its chain. Empty when the body is too long to tell. */
  readonly conditions: readonly TracedCondition[]
}

/** Texts are on one line, any byte that is not printable as `\xHH`, and cut when they are long. */
export interface TracedCondition {
  /** `@rx`, `!@within`; empty for a rule that asks nothing. */
  readonly operator: string
  readonly parameter: string
  /** Those that matched. */
  readonly values: readonly TracedValue[]
}

export interface TracedValue {
  readonly target: string
  readonly original: string
  /** Transformations that changed it, with what came of each. */
  readonly steps: readonly { readonly transformation: string; readonly value: string }[]
  /** The part that matched; empty for operators that know none. */
  readonly found: string
}

export interface TraceOutcome {
  /**
   * `forward`: to the origin. `answer`: the edge answers itself, because a rule wants it so or the request is not good.
   * `drop`: the connection is closed without an answer.
   */
  readonly kind: 'forward' | 'answer' | 'drop'
  /** As records spell it; empty when no rule ended the request. */
  readonly action: string
  /** The rule that ended it; empty when none did. */
  readonly ruleId: string
  /** Why the request was refused where no rule did it; empty otherwise. */
  readonly reason: string
  /** Of the edge's own answer; 0 when there is none. */
  readonly status: number
  /** Where the edge's own answer leads to; empty when nowhere. */
  readonly location: string
  /** Path and query, and the host, as the origin would get them; empty when it would not. */
  readonly uri: string
  readonly host: string
}

/** What would be written, with what is secret taken out as the zone has it. */
export interface TracedRecords {
  readonly httpRequests: JsonObject
  readonly firewallEvents: readonly JsonObject[]
  /** Fields that only a real request fills, left out of both. */
  readonly notKnown: readonly string[]
}
