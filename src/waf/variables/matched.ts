import { transactionLimits } from '../../kit/limits.ts'
import { Entry } from './entry.ts'

/** MATCHED_VAR, MATCHED_VARS and their names: what operators matched, after transformation. */
export class MatchedVariables {
  /** Of the current chain; names are whole ones such as `ARGS:q`. */
  #names: string[] = []
  #values: string[] = []
  /** The last match of the transaction. */
  lastName = ''
  lastValue = ''

  add(name: string, value: string): void {
    this.lastName = name
    this.lastValue = value
    if (this.#names.length >= transactionLimits.matchedVariablesMax) return
    this.#names.push(name)
    this.#values.push(value)
  }

  /** A snapshot: links look at it while they add to it. */
  ofChain(): readonly Entry[] {
    return this.#names.map((name, i) => new Entry(name, this.#values[i]!))
  }

  /** A chain has ended. The last match stays known. */
  clearChain(): void {
    if (this.#names.length === 0) return
    this.#names = []
    this.#values = []
  }
}
