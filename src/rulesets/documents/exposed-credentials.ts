import type { JsonObject } from '../../model/resource.ts'
import type { ActionContext } from '../actions/action-context.ts'
import { missingData } from '../fields/without-data.ts'
import { inPart, invalidValue } from '../problems.ts'
import { pointerTo, refuse } from '../reading.ts'
import { exposedCredentialsShape } from '../schemas/exposed-credentials.ts'
import { checkValue } from './rule-expressions.ts'

/**
 * Refuses a wrong `exposed_credential_check`. A rule with one matches only requests whose password is in the
 * installation's list of leaked passwords.
 */
export function checkExposedCredentials(given: unknown, at: ActionContext): JsonObject {
  const { phase } = at.type
  if (phase !== 'http_request_firewall_custom') {
    const reason = `only rules of http_request_firewall_custom have one, and not those of ${phase}`
    refuse(invalidValue('exposed_credential_check', given as JsonObject, reason, at.pointer))
  }
  const check = exposedCredentialsShape.read(given, at.pointer)
  for (const member of ['username_expression', 'password_expression'] as const)
    checkValue(check[member], 'filter', { ...at, pointer: pointerTo(at.pointer, member) }, member)
  const part = at.context.inPart
  if (part?.sources.knowsLeakedPasswords === false) {
    const reason = `exposed_credential_check matches no request: ${missingData.knowsLeakedPasswords}`
    part.note(inPart(reason, at.pointer))
  }
  return given as JsonObject
}

/**
 * Rules with such a check may rewrite headers in a phase where other rules may not: the header tells the origin of
 * the match.
 */
export function rewritesExposed(action: string, check: unknown, { type }: ActionContext): boolean {
  return action === 'rewrite' && check !== undefined && type.phase === 'http_request_firewall_custom'
}
