/**
 * What the builder shows: rows that all have to hold make a group, and one group that holds is enough. Everything else
 * that the language can say is for the editor.
 */
export type Builder =
  | { readonly kind: 'all' }
  | { readonly kind: 'groups'; readonly groups: readonly Group[] }

export type Group = readonly Row[]

export interface Row {
  /** The engine's name. */
  readonly field: string
  /** Of a header, a cookie or an argument; empty for all other fields. */
  readonly key: string
  readonly operator: Operator
  /** One, or as many as a set has; none where the operator says it all. */
  readonly values: readonly string[]
}

export type Operator =
  | Comparison
  | `not ${Exclude<Comparison, 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'>}`
  | 'is on'
  | 'is off'
  | 'is present'
  | 'is absent'

type Comparison =
  | 'eq'
  | 'ne'
  | 'lt'
  | 'le'
  | 'gt'
  | 'ge'
  | 'contains'
  | 'starts_with'
  | 'ends_with'
  | 'wildcard'
  | 'strict wildcard'
  | 'matches'
  | 'in'
  | 'in list'

/** How many values an operator takes. */
export function valuesOf(operator: Operator): 'none' | 'one' | 'many' {
  if (operator.startsWith('is ')) return 'none'
  return operator === 'in' || operator === 'not in' ? 'many' : 'one'
}
