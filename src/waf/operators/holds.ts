import { MatchLimitError } from '../../regex/index.ts'
import type { Operator } from './operator.ts'
import type { MacroView } from './template.ts'

/**
 * Whether a value matches or, if negated, does not match. If a limit leaves that open, the result is false and the view
 * is told.
 */
export function holds(operator: Operator, negated: boolean, value: string, view: MacroView): boolean {
  try {
    return operator.test(value, view) !== negated
  } catch (error) {
    return notKnown(error, view)
  }
}

/** The same for a long value, with pauses. */
export function* holdsInSlices(
  operator: Operator,
  negated: boolean,
  value: string,
  view: MacroView,
): Generator<void, boolean, void> {
  if (operator.testInSlices === undefined) return holds(operator, negated, value, view)
  try {
    return (yield* operator.testInSlices(value, view)) !== negated
  } catch (error) {
    return notKnown(error, view)
  }
}

function notKnown(error: unknown, view: MacroView): false {
  if (!(error instanceof MatchLimitError)) throw error
  view.limitReached()
  return false
}
