import type { Macro, MacroView, Template } from '../operators/index.ts'
import type { Exclusion, RuleSelection } from '../program/compiled.ts'
import type { PersistentRecords } from '../variables/persistent.ts'
import type { TransactionState } from '../variables/state.ts'

/** What a match does besides deciding: `setvar`, `ctl`, … Compiled once, run at every match. */
export interface Effect {
  readonly run: (view: EffectView) => void
  /** Of an effect that does nothing but set or delete a variable of TX. */
  readonly sets: TxChange | undefined
  /** What it depends on. */
  readonly macros: readonly Macro[]
}

/** A variable of TX. */
export interface TxChange {
  /** Lower case. */
  readonly name: Template
}

/** The part of a transaction that effects may use and change. */
export interface EffectView extends MacroView {
  readonly state: TransactionState
  /** Records that outlive the request. */
  readonly store: PersistentRecords
  /** For the rest of the transaction these rules are not evaluated. */
  removeRules(rules: RuleSelection): void
  /** For the rest of the transaction these rules do not look at the target. */
  removeTarget(rules: RuleSelection, target: Exclusion): void
}

/** An effect on something else than TX. */
export function effect(run: Effect['run'], macros: readonly Macro[] = []): Effect {
  return { run, sets: undefined, macros }
}
