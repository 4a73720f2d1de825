import { transactionLimits } from '../limits.ts'
import { Entry } from './entry.ts'
import { type NamedVariable, nameOf } from './value-name.ts'

/** MATCHED_VAR, MATCHED_VARS and their names: values that operators matched, after transformation. */
export class MatchedVariables {
  /** Of the current chain. */
  #matches: Match[] = []
  /** The last match of the transaction. */
  #last: Match | undefined

  /** @param count the name of the count, if the number of values was tested */
  add(variable: NamedVariable, key: string, value: string, count: string | undefined): void {
    const match = { variable, key, value, count }
    this.#last = match
    if (this.#matches.length < transactionLimits.matchedVariablesMax) this.#matches.push(match)
  }

  /** A whole name such as `ARGS:q`; empty before any match. */
  get lastName(): string {
    return this.#last === undefined ? '' : nameOfMatch(this.#last)
  }

  get lastValue(): string {
    return this.#last?.value ?? ''
  }

  /** A copy: links read it while they add to it. */
  ofChain(): readonly Entry[] {
    return this.#matches.map(match => new Entry(nameOfMatch(match), match.value))
  }

  /** Ends a chain. The last match stays known. */
  clearChain(): void {
    if (this.#matches.length > 0) this.#matches = []
  }
}

interface Match {
  readonly variable: NamedVariable
  readonly key: string
  readonly value: string
  readonly count: string | undefined
}

function nameOfMatch({ variable, key, count }: Match): string {
  return count ?? nameOf(variable, key)
}
