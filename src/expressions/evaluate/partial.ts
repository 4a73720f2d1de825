import type { Expression } from '../syntax/ast.ts'
import { compileBool } from './closures.ts'

/** The `read` of a field throws this if the context does not know the field's value. */
export class UnknownFieldError extends Error {
  readonly field: string
  constructor(field: string) {
    super(`the value of ${field} is not known`)
    this.name = 'UnknownFieldError'
    this.field = field
  }
}

/** The result, or the names of the missing fields. */
type PartialPredicate<C> = (context: C) => boolean | ReadonlySet<string>

/**
 * Creates closures for contexts that know only some fields. In `a and b`, known values decide where they can: false and
 * unknown is false. A comparison that needs an unknown field is unknown.
 */
export function compilePartialBool<C>(expression: Expression<C>): PartialPredicate<C> {
  if (expression.kind === 'logical') {
    const tests = expression.items.map(compilePartialBool)
    if (expression.operator === 'xor') return context => oddOf(tests, context)
    const decisive = expression.operator === 'or'
    return context => anyDecisive(tests, context, decisive)
  }
  if (expression.kind === 'not') {
    const test = compilePartialBool(expression.item)
    return context => {
      const result = test(context)
      return typeof result === 'boolean' ? !result : result
    }
  }
  const test = compileBool(expression)
  return context => {
    try {
      return test(context)
    } catch (error) {
      if (error instanceof UnknownFieldError) return new Set([error.field])
      throw error
    }
  }
}

function anyDecisive<C>(
  tests: readonly PartialPredicate<C>[],
  context: C,
  decisive: boolean,
): boolean | ReadonlySet<string> {
  let unknown: ReadonlySet<string> | undefined
  for (const test of tests) {
    const result = test(context)
    if (result === decisive) return decisive
    if (typeof result !== 'boolean')
      unknown = unknown === undefined ? result : new Set([...unknown, ...result])
  }
  return unknown ?? !decisive
}

function oddOf<C>(tests: readonly PartialPredicate<C>[], context: C): boolean | ReadonlySet<string> {
  let odd = false
  let unknown: ReadonlySet<string> | undefined
  for (const test of tests) {
    const result = test(context)
    if (typeof result !== 'boolean')
      unknown = unknown === undefined ? result : new Set([...unknown, ...result])
    else if (result) odd = !odd
  }
  return unknown ?? odd
}
