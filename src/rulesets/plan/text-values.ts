import type { Value } from '../../expressions/index.ts'
import { bytesOfText } from '../../kit/bytes.ts'
import { canonicalIp } from '../../kit/cidr.ts'
import type { ExpressionContext } from '../fields/expression-context.ts'
import type { PlanSource } from './expression-compiler.ts'
import type { TextOf } from './plan.ts'

/**
 * A text in the API's form: a fixed `value`, or an `expression` that is evaluated for each request. Exactly one is
 * present.
 */
export interface WrittenText {
  readonly value?: string
  readonly expression?: string
}

/** The text as a function of the request. Byte strings in both cases. */
export function textOf(
  { value, expression }: WrittenText,
  context: ExpressionContext,
  source: PlanSource,
): TextOf {
  if (expression === undefined) {
    const bytes = bytesOfText(value ?? '')
    return () => bytes
  }
  const { type, read } = source.value(expression, context)
  if (type === 'IP') return view => addressText(read(view))
  return view => {
    const result = read(view)
    return result === undefined || typeof result === 'object' ? undefined : String(result)
  }
}

/** Undefined when the connection was closed before its address was read. */
function addressText(value: Value): string | undefined {
  return typeof value === 'string' ? canonicalIp(value) : undefined
}
