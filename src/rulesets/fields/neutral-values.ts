import type { ExpressionType, Value } from '../../expressions/types.ts'
import type { FieldAvailability, HttpField } from './http-field.ts'
import type { RequestView } from './request-view.ts'

const noValues: readonly Value[] = []
const noMap: ReadonlyMap<string, Value> = new Map()

/**
 * Fields without data that rules may still name. They always have the neutral value of their type: false, 0, an empty
 * text, array or map.
 * @param why the end of a sentence that gives the reason
 */
export function neutralFields(
  why: string,
  rows: readonly (readonly [name: string, type: ExpressionType])[],
  availability: FieldAvailability = 'everywhere',
): readonly HttpField[] {
  return rows.map(([name, type]) => ({
    ...constantField(name, type, neutralValue(type), why, availability),
    hasNoData: true,
  }))
}

/** The value of a score that nothing computes here: it means that the request is harmless, or not scored. */
export function unknownScore(name: string, value: number, why: string): HttpField {
  return { ...constantField(name, 'Integer', value, why), hasNoData: true }
}

/** A field with a constant value that is true of every request. */
export function constantField(
  name: string,
  type: ExpressionType,
  value: Value,
  why: string,
  availability: FieldAvailability = 'everywhere',
): HttpField {
  const read: (view: RequestView) => Value = () => value
  return { name, type, read, description: `Always ${shown(value)}: ${why}.`, availability }
}

/** The value of a field of this type without data. */
export function neutralValue(type: ExpressionType): Value {
  if (type.startsWith('Array')) return noValues
  if (type.startsWith('Map')) return noMap
  if (type === 'Boolean') return false
  return type === 'Integer' ? 0 : ''
}

/** `empty`, `false`, `0`. */
export function shown(value: Value): string {
  if (value === '' || typeof value === 'object') return 'empty'
  return typeof value === 'string' ? `\`${value}\`` : String(value)
}
