import type { Matcher } from '../../regex/matcher.ts'
import type { Entry } from '../variables/entry.ts'
import type { Variable } from '../variables/state.ts'
import type { RuleBits } from './rule-bits.ts'

/** Excluded values of `variable`; all of them without `key` and `pattern`. */
export interface Exclusion {
  readonly variable: Variable
  readonly key: string | undefined
  readonly pattern: Matcher | undefined
}

/** Rules that a `ctl` names. Read it once all rules are known. */
export interface RuleSelection {
  readonly bits: RuleBits
  /** Whether some of them are support machinery, such as rules that only read TX. */
  readonly concernsTx: boolean
}

/** Whether the exclusion removes that value. */
export function excludes(exclusion: Exclusion, variable: Variable, entry: Entry): boolean {
  if (exclusion.variable !== variable) return false
  if (exclusion.key !== undefined) return exclusion.key === entry.folded
  return exclusion.pattern === undefined || exclusion.pattern.test(entry.key)
}
