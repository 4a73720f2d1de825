import type { FilterKind, FilterOperator } from '../../../../../src/logfilter/index.ts'

/** Operators in words; times and arrays have their own. */
export function operatorWords(operator: FilterOperator, kind: FilterKind): string {
  if (kind === 'nanoseconds') return timeWords[operator] ?? words[operator]
  if (kind === 'array') return arrayWords[operator] ?? words[operator]
  return words[operator]
}

const words: Readonly<Record<FilterOperator, string>> = {
  eq: 'is',
  '!eq': 'is not',
  lt: 'is below',
  leq: 'is at most',
  gt: 'is above',
  geq: 'is at least',
  startsWith: 'starts with',
  '!startsWith': 'does not start with',
  endsWith: 'ends with',
  '!endsWith': 'does not end with',
  contains: 'contains',
  '!contains': 'does not contain',
  in: 'is one of',
  '!in': 'is none of',
}

const timeWords: Partial<Record<FilterOperator, string>> = {
  lt: 'is before',
  leq: 'is not after',
  gt: 'is after',
  geq: 'is not before',
}

const arrayWords: Partial<Record<FilterOperator, string>> = {
  contains: 'has the element',
  '!contains': 'does not have the element',
  in: 'has one of',
  '!in': 'has none of',
}
