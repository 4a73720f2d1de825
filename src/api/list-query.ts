import { Type } from '@fastify/type-provider-typebox'
import { apiLimits } from '../kit/limits.ts'

/** Query parameters that every paged list understands. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: apiLimits.perPageMax })),
  direction: Type.Optional(Type.Enum(['asc', 'desc'])),
}

/**
 * A test of names: the name itself, or an operator and its operand such as `contains:shop`, as the list of zones
 * takes them. Letter case does not matter.
 */
export function nameTest(text: string): (name: string) => boolean {
  const colon = text.indexOf(':')
  const operator = nameOperators[text.slice(0, Math.max(colon, 0))]
  const wanted = (operator === undefined ? text : text.slice(colon + 1)).toLowerCase()
  const test = operator ?? nameOperators['equal']!
  return name => test(name.toLowerCase(), wanted)
}

const nameOperators: Readonly<Record<string, (name: string, wanted: string) => boolean>> = {
  equal: (name, wanted) => name === wanted,
  not_equal: (name, wanted) => name !== wanted,
  starts_with: (name, wanted) => name.startsWith(wanted),
  ends_with: (name, wanted) => name.endsWith(wanted),
  contains: (name, wanted) => name.includes(wanted),
}
