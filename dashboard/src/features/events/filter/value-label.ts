import type { RuleNames } from '../use-rule-names.ts'
import { actionLabel, countryLabel, sourceLabel } from '../words.ts'

/**
 * A value of a dimension or filter, for display.
 * @param ref CRS number of the rule, if any
 */
export function valueLabel(name: string, value: string, ref: string, names: RuleNames): string {
  if (value === '') return '(empty)'
  switch (name) {
    case 'action':
      return actionLabel(value)
    case 'source':
      return sourceLabel(value)
    case 'country':
      return countryLabel(value)
    case 'rule_id':
    case 'matched_rule_id': {
      const known = names(value)
      return known === value && ref !== '' ? ref : known
    }
    default:
      return value
  }
}
