import { transactionLimits } from '../limits.ts'
import { lowercase } from '../transformations/case.ts'
import type { Collection } from './collection.ts'
import { Entry } from './entry.ts'

const none: readonly Entry[] = []

/** Variables that rules set: TX and the persistent collections. Names are case-insensitive, one value each. */
export class VariableMap implements Collection {
  /** Made at first use: most requests set no variable. */
  #byKey: Map<string, readonly [Entry]> | undefined
  #snapshot: readonly Entry[] | undefined

  all(): readonly Entry[] {
    if (this.#byKey === undefined) return none
    this.#snapshot ??= entriesOf(this.#byKey)
    return this.#snapshot
  }

  /** Whether no variable was ever set. */
  get isEmpty(): boolean {
    return this.#byKey === undefined
  }

  named(folded: string): readonly Entry[] {
    return this.#byKey?.get(folded) ?? none
  }

  /** The value of the variable with that name in lower case, undefined if it is not set. */
  get(folded: string): string | undefined {
    return this.#byKey?.get(folded)?.[0].value
  }

  /**
   * A new name beyond `transactionLimits.variablesMax` is not kept.
   * @param folded the name in lower case
   */
  set(name: string, value: string, folded: string = lowercase(name)): void {
    this.#byKey ??= new Map()
    if (this.#byKey.size >= transactionLimits.variablesMax && !this.#byKey.has(folded)) return
    this.#byKey.set(folded, [new Entry(name, value, folded)])
    this.#snapshot = undefined
  }

  delete(name: string, folded: string = lowercase(name)): void {
    if (this.#byKey?.delete(folded) === true) this.#snapshot = undefined
  }
}

/** By a plain loop: `Array.from` with a function takes several times as long for the few variables of a request. */
function entriesOf(byKey: ReadonlyMap<string, readonly [Entry]>): readonly Entry[] {
  const entries: Entry[] = []
  for (const single of byKey.values()) entries.push(single[0])
  return entries
}
