import { checkValue } from '../documents/rule-expressions.ts'
import type { RedirectParameters } from '../schemas/redirect.ts'
import type { ActionContext } from './action-context.ts'

export function checkRedirect({ from_value }: RedirectParameters, at: ActionContext): void {
  const { expression } = from_value.target_url
  if (expression === undefined) return
  checkValue(expression, 'redirect', { ...at, pointer: `${at.pointer}/from_value/target_url/expression` })
}
