import type { CompiledTarget } from '../program/compiled.ts'
import { excludes } from '../program/selections.ts'
import type { Entry } from '../variables/entry.ts'
import type { TransactionState } from '../variables/state.ts'

/**
 * The selected values of targets in one transaction. Many rules have the same patterns and exclusions: each selection by
 * these is computed once per phase.
 */
export class SelectedValues {
  readonly #state: TransactionState
  /** By `CompiledTarget.selection`. */
  #kept: (readonly Entry[] | undefined)[] = []

  constructor(state: TransactionState) {
    this.#state = state
  }

  /** The values that the target tests or counts, including values that a `ctl` removed. */
  of(target: CompiledTarget): readonly Entry[] {
    if (target.pattern === undefined && target.exclusions.length === 0) return this.#named(target)
    const { selection } = target
    if (selection < 0) return this.#select(target)
    const known = this.#kept[selection]
    if (known !== undefined) return known
    const selected = this.#select(target)
    this.#kept[selection] = selected
    return selected
  }

  /** Values that the target excludes. */
  leftOut(target: CompiledTarget): readonly Entry[] {
    if (target.exclusions.length === 0) return none
    const selected = new Set(this.of(target))
    return this.#select({ ...target, exclusions: none }).filter(entry => !selected.has(entry))
  }

  forget(): void {
    this.#kept = []
  }

  #select(target: CompiledTarget): readonly Entry[] {
    if (target.pattern !== undefined && target.variable.name === 'TX' && target.exclusions.length === 0) {
      return this.#state.tx.matching(target.pattern)
    }
    return this.#named(target).filter(entry => isSelected(entry, target))
  }

  #named({ variable, key }: CompiledTarget): readonly Entry[] {
    const collection = this.#state.valuesOf(variable)
    return key === undefined ? collection.all() : collection.named(key)
  }
}

const none: readonly never[] = []

function isSelected(entry: Entry, { variable, pattern, exclusions }: CompiledTarget): boolean {
  if (pattern !== undefined && !pattern.test(entry.key)) return false
  return !exclusions.some(exclusion => excludes(exclusion, variable, entry))
}
