import { checkValue } from '../documents/rule-expressions.ts'
import { invalidValue } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { RedirectParameters } from '../schemas/redirect.ts'
import type { ActionContext } from './action-context.ts'

type FromList = NonNullable<RedirectParameters['from_list']>

export function checkRedirect({ from_value, from_list }: RedirectParameters, at: ActionContext): void {
  const wanted = at.type.phase === 'http_request_redirect' ? 'from_list' : 'from_value'
  const sent = from_list === undefined ? 'from_value' : 'from_list'
  if (sent !== wanted) {
    const reason = `redirects of the phase ${at.type.phase} have ${wanted}`
    refuse(invalidValue('action_parameters', sent, reason, `${at.pointer}/${sent}`))
  }
  if (from_list !== undefined) checkList(from_list, { ...at, pointer: `${at.pointer}/from_list` })
  const expression = from_value?.target_url.expression
  if (expression === undefined) return
  checkValue(expression, 'redirect', { ...at, pointer: `${at.pointer}/from_value/target_url/expression` })
}

function checkList({ name, key }: FromList, at: ActionContext): void {
  checkValue(key, 'redirect', { ...at, pointer: `${at.pointer}/key` }, 'key')
  if (at.context.hasRedirectList(name)) return
  const reason = 'the account has no list of kind redirect with this name'
  refuse(invalidValue('name', name, reason, `${at.pointer}/name`))
}
