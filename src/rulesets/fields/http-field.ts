import type { ExpressionType, Field, Value } from '../../expressions/types.ts'
import type { RequestView } from '../request-view.ts'

/**
 * Where a field may be named.
 *
 * - `everywhere`: known from the request phases on, and still readable in response phases
 * - `response`: response phases, and counting expressions of rate limits
 * - `transform`: rules of the three transform phases
 * - `transform-rewrite`: only what rules of the transform phases write, not their filters
 * - `characteristic`: only characteristics of rate limits
 */
export type FieldAvailability =
  | 'everywhere'
  | 'response'
  | 'transform'
  | 'transform-rewrite'
  | 'characteristic'

/** A field of expressions, with what people need to know of it. */
export interface HttpField extends Field<RequestView> {
  /** What it holds and where that comes from; for what a Sluice cannot know, which neutral value and why. */
  readonly description: string
  readonly availability: FieldAvailability
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
