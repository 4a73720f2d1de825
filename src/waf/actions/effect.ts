import type { Macro } from '../operators/index.ts'
import type { Exclusion, RuleSelection } from '../program/compiled.ts'
import type { PersistentStore } from '../variables/persistent.ts'
import type { TransactionState } from '../variables/state.ts'

/** What a match does besides deciding: `setvar`, `ctl`, … Compiled once, run at every match. */
export type Effect = (view: EffectView) => void

/** The part of a transaction that effects may use and change. */
export interface EffectView {
  readonly state: TransactionState
  /** Records that outlive the request. */
  readonly store: PersistentStore
  /** Text of one macro, '' when it is unset. */
  readonly expand: (macro: Macro) => string
  /** For the rest of the transaction these rules are not evaluated. */
  removeRules(rules: RuleSelection): void
  /** For the rest of the transaction these rules do not look at the target. */
  removeTarget(rules: RuleSelection, target: Exclusion): void
}
