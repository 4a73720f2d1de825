import { bytesOfText } from '../kit/bytes.ts'
import type { ExpressionPlace } from './fields/expression-place.ts'
import type { TextOf } from './plan.ts'
import type { PlanSource } from './plan-source.ts'

/** A text as the API spells it: `value` as it is, or `expression` worked out for each request. One of the two is there. */
export interface WrittenText {
  readonly value?: string
  readonly expression?: string
}

/** Byte strings either way. */
export function textOf(
  { value, expression }: WrittenText,
  place: ExpressionPlace,
  source: PlanSource,
): TextOf {
  if (expression === undefined) {
    const bytes = bytesOfText(value ?? '')
    return () => bytes
  }
  const { read } = source.value(expression, place)
  return view => {
    const result = read(view)
    return typeof result === 'string' ? result : undefined
  }
}
