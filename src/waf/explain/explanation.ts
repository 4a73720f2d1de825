import type { Exception, Interruption, ProgramRule, WafRequest } from '../types.ts'
import type { ShownValue } from './shown.ts'

/** Input of an explanation: a request, and a response if there is one. Strings are byte strings. */
export interface ExplainInput {
  readonly request: WafRequest
  readonly body?: Uint8Array
  /** False if the request's body is longer than `body`. Default true. */
  readonly bodyComplete?: boolean
  /** Without one, the phases of the response do not run. */
  readonly response?: {
    readonly status: number
    readonly protocol: string
    readonly headers: readonly (readonly [name: string, value: string])[]
    readonly body?: Uint8Array
  }
}

export interface ExplainOptions {
  /** The id of a rule to explain in full. */
  readonly rule?: number
  /** Whether to list matches of rules with `nolog` too: the machinery around the detection rules. */
  readonly helpers?: boolean
  /** Exceptions for the request, as for `Program.begin`. */
  readonly exceptions?: readonly Exception[]
}

/** The outcome of the rules for one request, and why. Texts are escaped for display; see `ShownValue`. */
export interface Explanation {
  /** Present if a rule asked to stop the request. Its `ruleId` is 0 for a body beyond the limit. */
  readonly interruption: Interruption | undefined
  readonly requestScore: number
  readonly responseScore: number
  /** The work budget was used up: later rules were not evaluated. */
  readonly overBudget: boolean
  /** In the order of the matches, each rule once. */
  readonly matches: readonly ExplainedMatch[]
  /** The rule of `ExplainOptions.rule`. */
  readonly asked: RuleOutcome | undefined
}

export interface ExplainedMatch {
  readonly rule: ProgramRule
  /** It has `nolog`: no log shows the match. */
  readonly helper: boolean
  /** `msg`, macros expanded; as written for a helper. */
  readonly message: ShownValue
  /** `logdata`, macros expanded; empty for a helper. */
  readonly data: ShownValue
  /** Points of the rule. */
  readonly score: number
  /** Score of the request, or of the response in its phases, after the rule. */
  readonly total: number
  /** The rule itself and its chain, each with the values that matched. */
  readonly links: readonly ExplainedLink[]
}

/** The outcome of a rule. */
export type RuleOutcome =
  | { readonly outcome: 'matched'; readonly match: ExplainedMatch }
  /** No value matched a link, the last of `links`. It lists every tested value, or none. */
  | {
      readonly outcome: 'no-match' | 'nothing-to-test'
      readonly rule: ProgramRule
      readonly links: readonly ExplainedLink[]
    }
  /** The program has no such rule. */
  | { readonly outcome: 'unknown'; readonly id: number; readonly nearest: readonly number[] }
  /** The mask leaves it out. */
  | { readonly outcome: 'off'; readonly rule: ProgramRule }
  /** A `ctl` of `by` removed it, or `by` jumped over it (`skipAfter`, `skip`). */
  | {
      readonly outcome: 'removed' | 'jumped-over'
      readonly rule: ProgramRule
      readonly by: ProgramRule | undefined
    }
  | {
      readonly outcome: 'not-reached'
      readonly rule: ProgramRule
      readonly why: NotReached
      /** The rule that ended the phase, for the first three of `NotReached`. */
      readonly by: ProgramRule | undefined
    }

/**
 * Why evaluation ended before a rule: a rule stopped the request, allowed it or switched the engine off. Or the
 * engine is off, the body is beyond its limit, the work budget was used up, or there is no response.
 */
export type NotReached =
  | 'interrupted'
  | 'allowed'
  | 'switched-off'
  | 'engine-off'
  | 'body-refused'
  | 'over-budget'
  | 'no-response'

/** One link of a rule: its test and the tested values. */
export interface ExplainedLink {
  /** 0 is the rule itself, 1 the first link of its chain. */
  readonly link: number
  /** As written, without exclusions: `ARGS`, `REQUEST_HEADERS:Host`, `&ARGS`. Empty for SecAction. */
  readonly targets: readonly string[]
  /** `@rx`, `!@streq`; empty for SecAction. */
  readonly operator: string
  /** With macros expanded, once a value was tested. */
  readonly parameter: ShownValue
  /** In order, `none` left out: `urlDecodeUni`. */
  readonly transformations: readonly string[]
  /** Whether values are tested as sent and after each transformation that changes them, not only at the end. */
  readonly multiMatch: boolean
  readonly matched: boolean
  /** Matching values; all tested values if none matched. */
  readonly values: readonly ExplainedValue[]
  /** Further values, beyond the limit. */
  readonly valuesMore: number
  /** Excluded values. */
  readonly excluded: readonly ExcludedValue[]
  readonly excludedMore: number
}

export interface ExplainedValue {
  /** `ARGS:q`; empty for SecAction. */
  readonly target: string
  readonly original: ShownValue
  /** The result of each transformation, up to the tested value. */
  readonly steps: readonly TransformationStep[]
  /** The value that the operator tested. */
  readonly value: ShownValue
  readonly matched: boolean
  /** The matching part, then groups; undefined for a group that took no part. Empty for most operators. */
  readonly found: readonly (ShownValue | undefined)[]
}

export interface TransformationStep {
  readonly transformation: string
  readonly changed: boolean
  readonly value: ShownValue
}

export interface ExcludedValue {
  readonly target: string
  /** The rule whose `ctl` excluded it; the rule itself for its own exclusion (`!ARGS:q`). */
  readonly by: ProgramRule
}
