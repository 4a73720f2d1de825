import type { Captures } from '../operators/index.ts'
import type { VariableMap } from './variable-map.ts'

const captureNames = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/** TX:0–TX:9. They live on after the rule, until the next match of a rule with `capture`. */
export class TransactionCaptures implements Captures {
  readonly #tx: VariableMap

  constructor(tx: VariableMap) {
    this.#tx = tx
  }

  replace(values: readonly (string | undefined)[]): void {
    for (let i = 0; i < captureNames.length; i++) {
      const name = captureNames[i]!
      const value = values[i]
      if (value === undefined) this.#tx.delete(name, name)
      else this.#tx.set(name, value, name)
    }
  }
}
