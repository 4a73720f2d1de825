import type { Matcher } from '../../regex/matcher.ts'
import type { Effect } from '../actions/effect.ts'
import type { MacroView, Operator, Template } from '../operators/index.ts'
import type { Kinds } from '../prefilter/byte-kinds.ts'
import type { LogData } from '../transaction/recorded-match.ts'
import type { Interruption, ProgramRule } from '../types.ts'
import type { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'
import type { RuleBits } from './rule-bits.ts'
import type { Exclusion } from './selections.ts'
import type { TransformNode } from './transform-trie.ts'

/** A rule ready to run: names looked up, patterns compiled, defaults applied. Immutable. */
export interface CompiledRule {
  readonly info: ProgramRule
  /** The rule itself and the links of its chain. Never empty. */
  readonly links: readonly CompiledLink[]
  /** Whether its matches are reported: it has no `nolog`. */
  readonly logged: boolean
  readonly message: Template
  /** `logdata` of the last link that has one. */
  readonly data: LogData
  /** The action when the last link matches. */
  readonly verdict: Verdict
  /** The rule to continue at after a match: its index, or the next higher one of the phase; -1 for the next rule. */
  readonly jump: number
  /** The first link depends only on values of the request or response: the prefilter knows whether any matches. */
  prefiltered: boolean
  /** It depends only on TX and only sets variables of TX, so `FoldedRun` may run it. Set together with `disturbs`. */
  foldable: boolean
  /** Values of the first link whose effects have no consequence. Set once all rules are known. */
  inertValues: InertMatches | undefined
  /** 0 (EMERGENCY) to 7 (DEBUG); 255 without severity. */
  readonly severityNumber: number
}

/** Values for which the first link sets TX without consequence; see `InertValues` and `UnreadVariables`. */
export interface InertMatches {
  /** Must be called before the rule runs. */
  begin(view: MacroView, enabled: RuleBits): void
  /** @param entry a value of `variable` that the link matches */
  has(entry: Entry, variable: Variable, view: MacroView): boolean
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
  /** Run on each match, in the written order. */
  readonly effects: readonly Effect[]
  readonly data: Template | undefined
  /** A value without a byte of each of these kinds does not match; none if it is transformed or the link is negated. */
  readonly needs: readonly Kinds[]
  /** Whether some effect changes a value that `FoldedRun` knows. Set once all rules are known. */
  disturbs: boolean
  /** Whether effects name their TX variables without macros, so that these are in `Volatile`. */
  readonly setsNamed: boolean
}

/** One of the variables that a link tests. */
export interface CompiledTarget {
  readonly variable: Variable
  /** `&`: test the number of values. */
  readonly count: boolean
  /** `:key`, lower case. */
  readonly key: string | undefined
  /** `:/regex/`, matched against keys. */
  readonly pattern: Matcher | undefined
  readonly exclusions: readonly Exclusion[]
  /** Targets with the same values share a number from 0 on; -1 if the values may change from rule to rule. */
  readonly selection: number
  /** `&ARGS:q`, the name of a counted target. */
  readonly countName: string
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
