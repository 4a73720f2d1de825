import { nearest } from '../kit/nearest.ts'
import type { FieldType } from '../model/dataset.ts'
import type { FilterOperator, PositiveOperator } from './types.ts'

/** How a field's values are compared; `none` fields cannot be filtered on. */
export type FilterKind = 'string' | 'number' | 'nanoseconds' | 'bool' | 'array' | 'none'

/** How values of a type are compared, if the dataset lets its field be filtered on: see `filterKindOf`. */
export function kindOf(type: FieldType): FilterKind {
  switch (type) {
    case 'string':
      return 'string'
    case 'int':
    case 'float':
      return 'number'
    case 'timestamp':
      return 'nanoseconds'
    case 'bool':
      return 'bool'
    case 'array[string]':
    case 'array[int]':
      return 'array'
    case 'array[object]':
    case 'object':
      return 'none'
  }
}

const everything: readonly FilterKind[] = ['string', 'number', 'nanoseconds', 'bool']
const ordered: readonly FilterKind[] = ['number', 'nanoseconds']
const text: readonly FilterKind[] = ['string']
const containers: readonly FilterKind[] = ['string', 'array']
const members: readonly FilterKind[] = ['string', 'number', 'nanoseconds', 'array']

/**
 * The 14 operators and the kinds of field for each. `!x` is the negation of `x`; lt, leq, gt and geq have no negated
 * form.
 */
export const operatorKinds: ReadonlyMap<FilterOperator, readonly FilterKind[]> = new Map([
  ['eq', everything],
  ['!eq', everything],
  ['lt', ordered],
  ['leq', ordered],
  ['gt', ordered],
  ['geq', ordered],
  ['startsWith', text],
  ['endsWith', text],
  ['!startsWith', text],
  ['!endsWith', text],
  ['contains', containers],
  ['!contains', containers],
  ['in', members],
  ['!in', members],
])

export function isOperator(name: string): name is FilterOperator {
  return operatorKinds.has(name as FilterOperator)
}

/** `!in` is `in`, negated. */
export function splitOperator(operator: FilterOperator): {
  readonly plain: PositiveOperator
  readonly negated: boolean
} {
  const negated = operator.startsWith('!')
  return { plain: (negated ? operator.slice(1) : operator) as PositiveOperator, negated }
}

/** Spellings of the operators on older pages and in other languages. */
const oldSpellings: ReadonlyMap<string, FilterOperator> = new Map([
  ['=', 'eq'],
  ['==', 'eq'],
  ['equals', 'eq'],
  ['!=', '!eq'],
  ['neq', '!eq'],
  ['ne', '!eq'],
  ['<', 'lt'],
  ['<=', 'leq'],
  ['le', 'leq'],
  ['lte', 'leq'],
  ['>', 'gt'],
  ['>=', 'geq'],
  ['ge', 'geq'],
  ['gte', 'geq'],
  ['~', 'contains'],
  ['!~', '!contains'],
  ['nin', '!in'],
])

/** The operator that an unknown word was probably meant to be. */
export function meantOperator(written: string): FilterOperator | undefined {
  const plain = canonical(written)
  const known = oldSpellings.get(plain)
  if (known !== undefined) return known
  for (const operator of operatorKinds.keys()) if (canonical(operator) === plain) return operator
  const close = nearest(written.slice(0, 64), operatorKinds.keys())
  return close !== undefined && isOperator(close) ? close : undefined
}

/** Lower case, without blanks and underscores, `not` as `!`: `not_starts_with` is `!startsWith`. */
function canonical(name: string): string {
  const bare = name.slice(0, 64).toLowerCase().replaceAll('_', '').replaceAll(' ', '').replaceAll('-', '')
  return bare.startsWith('not') ? `!${bare.slice(3)}` : bare
}
