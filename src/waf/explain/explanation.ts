import type { Exception, Interruption, ProgramRule, WafRequest } from '../types.ts'
import type { ShownValue } from './shown.ts'

/** What is explained: a request, and a response when there is one. Strings are byte strings. */
export interface ExplainInput {
  readonly request: WafRequest
  readonly body?: Uint8Array
  /** False when the request's body is longer than `body`. Default true. */
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
  /** The id of a rule whose outcome is told in full. */
  readonly rule?: number
  /** List matches of rules with `nolog` too: the machinery around the rules that detect something. */
  readonly helpers?: boolean
  /** What the request is excepted from, as for `Program.begin`. */
  readonly exceptions?: readonly Exception[]
}

/** What the rules made of one request, and why. Texts are escaped, ready to be shown; see `ShownValue`. */
export interface Explanation {
  /** A rule asked to stop the request; undefined when none did. Its `ruleId` is 0 for a body beyond the limit. */
  readonly interruption: Interruption | undefined
  readonly requestScore: number
  readonly responseScore: number
  /** The work budget was used up: rules after that were not evaluated. */
  readonly overBudget: boolean
  /** In the order in which rules matched, a rule once. */
  readonly matches: readonly ExplainedMatch[]
  /** The rule that `ExplainOptions.rule` names. */
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
  /** Points it added. */
  readonly score: number
  /** Score of the request, or of the response in its phases, once the rule had matched. */
  readonly total: number
  /** The rule itself and its chain, each with the values that matched. */
  readonly links: readonly ExplainedLink[]
}

/** What came of a rule. */
export type RuleOutcome =
  | { readonly outcome: 'matched'; readonly match: ExplainedMatch }
  /** A link found no value that matches: the last of `links`, with every value it tested, or none. */
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
      /** The rule that ended it, for the first three of `NotReached`. */
      readonly by: ProgramRule | undefined
    }

/**
 * Why evaluation ended before a rule: a rule stopped the request, allowed it or switched the engine off; the engine is
 * off; the body is beyond its limit; the work budget was used up; there is no response.
 */
export type NotReached =
  | 'interrupted'
  | 'allowed'
  | 'switched-off'
  | 'engine-off'
  | 'body-refused'
  | 'over-budget'
  | 'no-response'

/** One link of a rule: what it asks, and of which values. */
export interface ExplainedLink {
  /** 0 is the rule itself, 1 the first link of its chain. */
  readonly link: number
  /** As written, without what is left out: `ARGS`, `REQUEST_HEADERS:Host`, `&ARGS`. Empty for SecAction. */
  readonly targets: readonly string[]
  /** `@rx`, `!@streq`; empty for SecAction. */
  readonly operator: string
  /** With macros expanded, once a value was tested. */
  readonly parameter: ShownValue
  /** In order, `none` left out: `urlDecodeUni`. */
  readonly transformations: readonly string[]
  /** Values are tested as sent and after each transformation that changes them, not only at the end. */
  readonly multiMatch: boolean
  readonly matched: boolean
  /** Those that matched; all that were tested if none did. */
  readonly values: readonly ExplainedValue[]
  /** Further values, beyond the limit. */
  readonly valuesMore: number
  /** Values that were not looked at. */
  readonly excluded: readonly ExcludedValue[]
  readonly excludedMore: number
}

export interface ExplainedValue {
  /** `ARGS:q`; empty for SecAction. */
  readonly target: string
  readonly original: ShownValue
  /** What each transformation made of it, up to the value that was tested. */
  readonly steps: readonly TransformationStep[]
  /** What the operator was given. */
  readonly value: ShownValue
  readonly matched: boolean
  /** The part that matched, then groups; undefined for a group that took no part. Empty for most operators. */
  readonly found: readonly (ShownValue | undefined)[]
}

export interface TransformationStep {
  readonly transformation: string
  readonly changed: boolean
  readonly value: ShownValue
}

export interface ExcludedValue {
  readonly target: string
  /** The rule whose `ctl` took it out; the rule itself when its own targets leave it out (`!ARGS:q`). */
  readonly by: ProgramRule
}
