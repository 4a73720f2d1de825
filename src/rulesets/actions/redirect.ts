import { checkValue } from '../rule-expressions.ts'
import type { RedirectParameters } from '../schemas/redirect.ts'
import type { ActionPlace } from './action-place.ts'

export function checkRedirect({ from_value }: RedirectParameters, at: ActionPlace): void {
  const { expression } = from_value.target_url
  if (expression === undefined) return
  checkValue(expression, 'redirect', { ...at, pointer: `${at.pointer}/from_value/target_url/expression` })
}
