import type { Matcher } from '../../regex/matcher.ts'
import type { Effect } from '../actions/effect.ts'
import type { Operator, Template } from '../operators/index.ts'
import type { Interruption, ProgramRule } from '../types.ts'
import type { Variable } from '../variables/state.ts'
import type { TransformNode } from './transform-trie.ts'

/** A rule ready to run: names looked up, patterns compiled, defaults applied. Immutable. */
export interface CompiledRule {
  readonly info: ProgramRule
  /** The rule itself and the links of its chain. Never empty. */
  readonly links: readonly CompiledLink[]
  /** Shown among the matches: has no `nolog`. */
  readonly logged: boolean
  readonly message: Template
  /** What happens when the last link matches. */
  readonly verdict: Verdict
  /** Where a match goes on: that rule's index, or the next higher one of the phase; -1 for the next rule. */
  readonly jump: number
  /** The first link depends on nothing but values of the request or response: the gate says whether any matches. */
  gated: boolean
  /** It depends on nothing but TX and does nothing but set variables of it, so that `CleanRun` may run it. Filled as `disturbs`. */
  foldable: boolean
  /** 0 (EMERGENCY) to 7 (DEBUG); 255 without severity. */
  readonly severityNumber: number
}

/** One SecRule of a chain, or a SecAction. */
export interface CompiledLink {
  readonly targets: readonly CompiledTarget[]
  /** Undefined for a SecAction: it always matches. */
  readonly operator: Operator | undefined
  readonly negated: boolean
  readonly transform: TransformNode
  /** With `multiMatch`: every node whose value is tested. */
  readonly multiMatch: readonly TransformNode[] | undefined
  readonly capture: boolean
  /** Run on each match, in the order written. */
  readonly effects: readonly Effect[]
  readonly data: Template | undefined
  /** Some effect changes what `CleanRun` takes for known. Filled once all rules are known. */
  disturbs: boolean
}

/** One of the variables that a link tests. */
export interface CompiledTarget {
  readonly variable: Variable
  /** `&`: test the number of values. */
  readonly count: boolean
  /** `:key`, lower case. */
  readonly key: string | undefined
  /** `:/regex/`, tried on keys. */
  readonly pattern: Matcher | undefined
  readonly exclusions: readonly Exclusion[]
  /**
   * The same number for targets that select the same values, counting up from 0; -1 when these may change from rule to
   * rule.
   */
  readonly selection: number
  /** `&ARGS:q`, the name of a counted target. */
  readonly countName: string
}

/** Values of `variable` that are not looked at; all of them when neither `key` nor `pattern` is there. */
export interface Exclusion {
  readonly variable: Variable
  readonly key: string | undefined
  readonly pattern: Matcher | undefined
}

export type Verdict =
  | { readonly kind: 'pass' }
  | {
      readonly kind: Interruption['action']
      readonly status: number
      readonly location: Template | undefined
    }
  /** Skips the rest of the phase, of the request's phases, or of all but logging. */
  | { readonly kind: 'allow'; readonly scope: 'phase' | 'request' | 'all' }

/** Rules that a `ctl` names: 1 at the index of each. To be asked once all rules are known. */
export interface RuleSelection {
  readonly member: Uint8Array
  /** Some of them is support machinery, such as rules that only look at TX. */
  readonly concernsTx: boolean
}
