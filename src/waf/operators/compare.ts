import { isDigit, isSpace } from '../../kit/ascii.ts'
import { type Operator, type OperatorFactory, ready } from './operator.ts'
import { expandTemplate, literalOf, macrosOf, parseTemplate } from './template.ts'

/** Numbers: both sides are read like C's atoi; the parameter may hold macros. */

export const eq: OperatorFactory = parameter => comparing(parameter, (value, bound) => value === bound)
export const lt: OperatorFactory = parameter => comparing(parameter, (value, bound) => value < bound)
export const le: OperatorFactory = parameter => comparing(parameter, (value, bound) => value <= bound)
export const gt: OperatorFactory = parameter => comparing(parameter, (value, bound) => value > bound)
export const ge: OperatorFactory = parameter => comparing(parameter, (value, bound) => value >= bound)

/**
 * Optional white space and sign, then digits up to the first other byte; 0 without digits. Values beyond 2^53 are
 * clamped instead of wrapping around, so that a huge number is never a small one.
 */
export function atoi(text: string): number {
  let i = 0
  while (isSpace(text.charCodeAt(i))) i++
  const sign = text.charCodeAt(i)
  if (sign === 0x2b || sign === 0x2d) i++
  let number = 0
  for (; isDigit(text.charCodeAt(i)); i++) {
    if (number < Number.MAX_SAFE_INTEGER) number = number * 10 + text.charCodeAt(i) - 0x30
  }
  number = Math.min(number, Number.MAX_SAFE_INTEGER)
  return sign === 0x2d && number !== 0 ? -number : number
}

function comparing(parameter: string, holds: (value: number, bound: number) => boolean) {
  const template = parseTemplate(parameter)
  const literal = literalOf(template)
  if (literal !== undefined) {
    const bound = atoi(literal)
    return ready(value => holds(atoi(value), bound))
  }
  const test: Operator['test'] = (value, view) => holds(atoi(value), atoi(expandTemplate(template, view)))
  return ready(test, { macros: macrosOf(template) })
}
