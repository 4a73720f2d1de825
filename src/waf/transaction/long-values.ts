import { type Groups, holdsInSlices, type MacroView } from '../operators/index.ts'
import type { CompiledLink } from '../program/compiled.ts'
import type { Entry } from '../variables/entry.ts'
import { PendingCaptures } from '../variables/tx-variables.ts'

/**
 * Results of a rule's links for long values. Rules run without a pause, so slow parts are computed before, with pauses,
 * and reused in the run.
 */
export class LongValues {
  #tests: LongTest[] = []

  forget(): void {
    if (this.#tests.length > 0) this.#tests = []
  }

  /**
   * Transforms a value for a link and tests it.
   * @param prefiltered whether the prefilter has tested it already
   * @param shown whether the captures will be needed
   */
  *prepare(
    link: CompiledLink,
    entry: Entry,
    prefiltered: boolean,
    view: MacroView,
    shown: boolean,
  ): Generator<void, void, void> {
    const { operator, negated, transform, multiMatch } = link
    for (const node of multiMatch ?? [transform]) {
      const value = yield* node.valueInSlices(entry)
      if (operator === undefined || (prefiltered && multiMatch === undefined)) continue
      const matches = yield* holdsInSlices(operator, negated, value, view)
      const captures = matches && !negated && shown ? new PendingCaptures(operator, value, view) : undefined
      if (captures !== undefined) yield* captures.workOut()
      this.#tests.push({ link, value, matches, captures })
    }
  }

  /** Undefined if it was not computed. */
  matches(link: CompiledLink, value: string): boolean | undefined {
    if (this.#tests.length === 0) return undefined
    return this.#tests.find(test => test.link === link && test.value === value)?.matches
  }

  /** Captures of the last link in a value; undefined if they were not computed. */
  groups(value: string): Groups | undefined {
    const captures = this.#tests.findLast(test => test.value === value)?.captures
    return captures?.areLong === false ? captures.groups : undefined
  }
}

interface LongTest {
  readonly link: CompiledLink
  /** After transformations. */
  readonly value: string
  readonly matches: boolean
  readonly captures: PendingCaptures | undefined
}
