import type { Problem } from '../../model/problem.ts'
import type { Rule } from '../../model/resource.ts'
import { rulesetLimits } from '../limits.ts'
import type { LogFields, LoggedResponseHeader } from '../plan/plan.ts'
import { invalidValue, refusal, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import type { LogCustomFieldParameters } from '../schemas/log-custom-field.ts'
import type { ActionContext } from './action-context.ts'

const lists = [
  'request_fields',
  'transformed_request_fields',
  'response_fields',
  'raw_response_fields',
  'cookie_fields',
] as const

/** The tokens of RFC 9110, section 5.6.2, in lower case. */
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
/** Visible ASCII except the characters that end a name in the Cookie header (RFC 6265, section 4.1.1). */
const cookieName = /^[\x21-\x7e]+$/
const cookieNameEnds = /[=;,"\\]/

/** `log_custom_field`: at least one name in one of the lists. */
export function checkLogCustomField(parameters: LogCustomFieldParameters, { pointer }: ActionContext): void {
  let count = 0
  for (const list of lists) {
    for (const [index, { name }] of (parameters[list] ?? []).entries()) {
      const reason = list === 'cookie_fields' ? cookieFault(name) : headerFault(name)
      if (reason !== undefined)
        refuse(fieldsProblem('name', name, reason, `${pointer}/${list}/${index}/name`))
      count++
    }
  }
  if (count > 0) return
  const reason = `at least one of ${lists.join(', ')} must name a field`
  refuse(fieldsProblem('action_parameters', JSON.stringify(parameters), reason, pointer))
}

function headerFault(name: string): string | undefined {
  if (name !== name.toLowerCase()) return 'header names must be in lower case'
  if (!headerName.test(name)) return 'it is not the name of a header'
  return lengthFault(name)
}

function cookieFault(name: string): string | undefined {
  if (!cookieName.test(name) || cookieNameEnds.test(name)) return 'it is not the name of a cookie'
  return lengthFault(name)
}

function lengthFault(name: string): string | undefined {
  const bytesMax = rulesetLimits.fieldNameBytesMax
  return name.length > bytesMax ? `it is longer than ${bytesMax} bytes` : undefined
}

function fieldsProblem(field: string, value: string, reason: string, pointer: string): Problem {
  return invalidValue(field, value, reason, pointer, rulesetCodes.logFieldsInvalid)
}

/** The rules of custom fields apply to every request. */
export function requireTrue(expression: string, pointer: string): void {
  if (expression === 'true') return
  const reason = 'the expression of a log_custom_field rule must be true'
  refuse(fieldsProblem('expression', expression, reason, pointer))
}

/**
 * Refuses more names in a zone's ruleset than the limit, and a header that is logged both before and after rewrites.
 */
export function checkLogFields(rules: readonly Rule[], pointer: string): void {
  const fields = logFieldsOf(rules)
  requireOnce(fields.request, fields.transformedRequest, 'request', pointer)
  requireOnce(namesOf(fields.response), namesOf(fields.rawResponse), 'response', pointer)
  const count = Object.values(fields).reduce((sum, list) => sum + list.length, 0)
  const most = rulesetLimits.customLogFieldsMax
  if (count <= most) return
  const message = `exceeded the maximum number of custom fields in the zone: ${count} out of ${most}`
  refuse(refusal(rulesetCodes.logFieldsInvalid, message, pointer))
}

function requireOnce(
  some: readonly string[],
  others: readonly string[],
  side: 'request' | 'response',
  pointer: string,
): void {
  const both = some.find(name => others.includes(name))
  if (both === undefined) return
  const reason = `a ${side} header is logged either before or after it is rewritten`
  refuse(fieldsProblem('name', both, reason, pointer))
}

function namesOf(headers: readonly LoggedResponseHeader[]): readonly string[] {
  return headers.map(({ name }) => name)
}

/** The names that these rules log, each once per list, in order. */
export function logFieldsOf(rules: readonly Rule[]): LogFields {
  const all = rules.map(({ actionParameters = {} }) => actionParameters as LogCustomFieldParameters)
  return {
    request: distinct(all.flatMap(({ request_fields = [] }) => request_fields)),
    transformedRequest: distinct(all.flatMap(({ transformed_request_fields: names = [] }) => names)),
    response: responseHeaders(all.flatMap(({ response_fields = [] }) => response_fields)),
    rawResponse: responseHeaders(all.flatMap(({ raw_response_fields = [] }) => raw_response_fields)),
    cookies: distinct(all.flatMap(({ cookie_fields = [] }) => cookie_fields)),
  }
}

function distinct(items: readonly { readonly name: string }[]): readonly string[] {
  return [...new Set(items.map(({ name }) => name))]
}

type ResponseField = NonNullable<LogCustomFieldParameters['response_fields']>[number]

/** All values of a header are logged if one of the rules requires them. */
function responseHeaders(items: readonly ResponseField[]): readonly LoggedResponseHeader[] {
  return distinct(items).map(name => ({
    name,
    preserveDuplicates: items.some(item => item.name === name && item.preserve_duplicates === true),
  }))
}
