/**
 * The builder's model: “and” joins the rows of a group, “or” joins the groups. All other expressions need the
 * editor.
 */
export type Builder =
  | { readonly kind: 'all' }
  | { readonly kind: 'groups'; readonly groups: readonly Group[] }

export type Group = readonly Row[]

export interface Row {
  /** The engine's field name. */
  readonly field: string
  /** Name of a header, cookie or argument; empty for all other fields. */
  readonly key: string
  readonly operator: Operator
  /** One value, several for a set, none for operators without a value. */
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
