import { rulesetLimits } from '../../kit/limits.ts'
import type { Problem } from '../../model/problem.ts'
import type { JsonObject, Rule } from '../../model/resource.ts'
import type { LogFields } from '../plan.ts'
import { invalidValue, notAvailable, refusal, rulesetCodes } from '../problems.ts'
import { type Fields, refuse } from '../reading.ts'

const lists = ['request_fields', 'response_fields', 'cookie_fields'] as const
type ListName = (typeof lists)[number]
/** Cloudflare's variants before or after rewrites; nothing is rewritten here yet. */
const otherLists = ['transformed_request_fields', 'raw_response_fields'] as const

const parameterNames: ReadonlySet<string> = new Set([...lists, ...otherLists])
const itemNames: ReadonlySet<string> = new Set(['name'])
const responseItemNames: ReadonlySet<string> = new Set(['name', 'preserve_duplicates'])

/** The tokens of RFC 9110, section 5.6.2, in lower case. */
const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
/** Visible ASCII but what ends a name in the Cookie header (RFC 6265, section 4.1.1). */
const cookieName = /^[\x21-\x7e]+$/
const cookieNameEnds = /[=;,"\\]/

/** `log_custom_field`: at least one name in one of the three lists. */
export function checkLogCustomField(parameters: Fields): JsonObject {
  parameters.allowOnly(parameterNames)
  for (const name of otherLists) {
    if (parameters.has(name))
      refuse(notAvailable('action_parameters', name, name, parameters.pointerTo(name)))
  }
  let count = 0
  for (const name of lists) {
    const items = parameters.objects(name) ?? []
    for (const item of items) checkItem(item, name)
    count += items.length
  }
  if (count === 0) {
    const reason = `at least one of ${lists.join(', ')} must name a field`
    refuse(fieldsProblem('action_parameters', JSON.stringify(parameters.plain()), reason, parameters.pointer))
  }
  return parameters.plain()
}

function checkItem(item: Fields, list: ListName): void {
  item.allowOnly(list === 'response_fields' ? responseItemNames : itemNames)
  const name = item.required('name')
  if (list === 'cookie_fields') checkCookieName(name, item)
  else checkHeaderName(name, item)
  if (item.boolean('preserve_duplicates') === true) {
    const pointer = item.pointerTo('preserve_duplicates')
    refuse(notAvailable('preserve_duplicates', 'true', 'logging every value of a repeated header', pointer))
  }
}

function checkHeaderName(name: string, item: Fields): void {
  if (name !== name.toLowerCase()) failName(name, 'header names must be in lower case', item)
  if (!headerName.test(name)) failName(name, 'it is not the name of a header', item)
  checkLength(name, item)
}

function checkCookieName(name: string, item: Fields): void {
  if (!cookieName.test(name) || cookieNameEnds.test(name))
    failName(name, 'it is not the name of a cookie', item)
  checkLength(name, item)
}

function checkLength(name: string, item: Fields): void {
  const bytesMax = rulesetLimits.fieldNameBytesMax
  if (name.length > bytesMax) failName(name, `it is longer than ${bytesMax} bytes`, item)
}

function failName(name: string, reason: string, item: Fields): never {
  return refuse(fieldsProblem('name', name, reason, item.pointerTo('name')))
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

/** Refuses more names in a zone's ruleset than the limit. */
export function requireLogFieldCount(rules: readonly Rule[], pointer: string): void {
  const { request, response, cookies } = logFieldsOf(rules)
  const count = request.length + response.length + cookies.length
  const most = rulesetLimits.customLogFieldsMax
  if (count <= most) return
  const message = `exceeded the maximum number of custom fields in the zone: ${count} out of ${most}`
  refuse(refusal(rulesetCodes.logFieldsInvalid, message, pointer))
}

/** The names that these rules log, each once, in order. */
export function logFieldsOf(rules: readonly Rule[]): LogFields {
  return {
    request: namesIn(rules, 'request_fields'),
    response: namesIn(rules, 'response_fields'),
    cookies: namesIn(rules, 'cookie_fields'),
  }
}

function namesIn(rules: readonly Rule[], list: ListName): readonly string[] {
  const names = rules.flatMap(({ actionParameters }) => {
    const items = (actionParameters?.[list] ?? []) as readonly { readonly name: string }[]
    return items.map(item => item.name)
  })
  return [...new Set(names)]
}
