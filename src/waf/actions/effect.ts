import type { Macro, MacroView, Template } from '../operators/index.ts'
import type { Exclusion, RuleSelection } from '../program/selections.ts'
import type { PersistentRecords } from '../variables/persistent.ts'
import type { TransactionState } from '../variables/state.ts'

/** An effect of a match besides the decision: `setvar`, `ctl`, … Compiled once, run at every match. */
export interface Effect {
  readonly run: (view: EffectView) => void
  /** Present if the effect only sets or deletes a variable of TX. */
  readonly sets: TxChange | undefined
  /** The macros that it depends on. */
  readonly macros: readonly Macro[]
}

/** A variable of TX. */
export interface TxChange {
  /** Lower case. */
  readonly name: Template
  /** The new value; undefined if it depends on the old one, or the variable is deleted. */
  readonly text: Template | undefined
}

/** The part of a transaction that effects may use and change. */
export interface EffectView extends MacroView {
  readonly state: TransactionState
  /** Records that outlive the request. */
  readonly store: PersistentRecords
  /** Excludes these rules from the rest of the transaction. */
  removeRules(rules: RuleSelection): void
  /** Excludes the target from these rules for the rest of the transaction. */
  removeTarget(rules: RuleSelection, target: Exclusion): void
}

/** An effect on something other than TX. */
export function effect(run: Effect['run'], macros: readonly Macro[] = []): Effect {
  return { run, sets: undefined, macros }
}
