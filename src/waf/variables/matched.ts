import { transactionLimits } from '../../kit/limits.ts'
import { Entry } from './entry.ts'

/** MATCHED_VAR, MATCHED_VARS and their names: what operators matched, after transformation. */
export class MatchedVariables {
  /** Of the current chain; keys are whole names such as `ARGS:q`. */
  #ofChain: Entry[] = []
  /** The last match of the transaction. */
  lastName = ''
  lastValue = ''

  add(name: string, value: string): void {
    this.lastName = name
    this.lastValue = value
    if (this.#ofChain.length < transactionLimits.matchedVariablesMax)
      this.#ofChain.push(new Entry(name, value))
  }

  /** A snapshot: links look at it while they add to it. */
  ofChain(): readonly Entry[] {
    return this.#ofChain.slice()
  }

  /** A chain has ended. The last match stays known. */
  clearChain(): void {
    if (this.#ofChain.length > 0) this.#ofChain = []
  }
}
