import type { ExpressionType, Field, Value } from '../../expressions/types.ts'
import type { RequestView } from './request-view.ts'

/**
 * Where a field is available.
 *
 * - `everywhere`: known from the request phases on, and still readable in response phases
 * - `response`: response phases, and counting expressions of rate limits
 * - `transform`: rules of the three transform phases
 * - `transform-rewrite`: only the written values of transform rules, not their filters
 * - `characteristic`: only characteristics of rate limits
 */
export type FieldAvailability =
  | 'everywhere'
  | 'response'
  | 'transform'
  | 'transform-rewrite'
  | 'characteristic'

/** A field of expressions, with its documentation. */
export interface HttpField extends Field<RequestView> {
  /** Content and origin of the field; for a field without data in Sluice, its neutral value and the reason. */
  readonly description: string
  readonly availability: FieldAvailability
  /** Whether Cloudflare gives requests values that Sluice does not know, so that the field is always the same. */
  readonly hasNoData?: true
  /** The data without which the field has the neutral value of its type for every request. */
  readonly needs?: keyof DataSources
}

/** Data that an installation has only if a setting names it. */
export interface DataSources {
  /** Databases with cities and AS numbers of clients: `SLUICE_GEO_DATABASES`. */
  readonly hasGeoDatabases: boolean
  /** Edges have a list of leaked passwords: `SLUICE_LEAKED_PASSWORDS`. */
  readonly knowsLeakedPasswords: boolean
}

/** One family of fields: name → type, description, how it is read. */
export type FieldRows = readonly (readonly [
  name: string,
  type: ExpressionType,
  description: string,
  read: (view: RequestView) => Value,
  availability?: FieldAvailability,
])[]

export function fieldsOf(rows: FieldRows): readonly HttpField[] {
  return rows.map(([name, type, description, read, availability = 'everywhere']) => ({
    name,
    type,
    description,
    read,
    availability,
  }))
}
