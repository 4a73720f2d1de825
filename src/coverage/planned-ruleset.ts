import type { Json, JsonObject, Scope } from '../model/resource.ts'
import { isObject } from '../model/zone-setting-table/index.ts'
import { assumedManaged, type DataSources } from '../rulesets/index.ts'
import type { Coverage } from './enforcement.ts'
import { coverRuleset } from './ruleset.ts'

/** Names of the objects that version 4 of the provider writes as lists with one member. */
const blocks: ReadonlySet<string> = new Set(
  'action_parameters autominify exposed_credential_check from_list from_value header host_header logging matched_data origin overrides path query ratelimit response sni target_url uri'.split(
    ' ',
  ),
)

/** A `cloudflare_ruleset` of a plan or state. */
export function coverPlannedRuleset(values: JsonObject, sources: DataSources): Coverage {
  const { name = 'ruleset', kind = null, phase = null, description = null, rules } = values
  const scope: Scope = {
    kind: values['zone_id'] === undefined && kind !== 'zone' ? 'account' : 'zone',
    id: '',
  }
  const planned = (Array.isArray(rules) ? (rules as readonly Json[]) : []).map(rule => plannedRule(rule))
  const document = { name, kind, phase, description, rules: planned }
  return coverRuleset(document, kind === 'root' ? { ...scope, kind: 'account' } : scope, {
    managed: assumedManaged,
    sources,
  })
}

/** The id of a ruleset that the same plan creates, before it is known. */
const idLater = 'f'.repeat(32)
const ofAnswers = ['id', 'version', 'last_updated', 'ref', 'categories']

/** A rule as a client would send it. Values that are known only after an apply are absent from plans. */
function plannedRule(rule: Json): Json {
  const read = isOfVersion4(rule) ? inVersion5(withoutEmptyLists(rule)) : rule
  if (!isObject(read)) return read
  const sent = { expression: 'true', ...withoutNulls(read) }
  const parameters = { ...((sent as JsonObject)['action_parameters'] as JsonObject | undefined) }
  if ((sent as JsonObject)['action'] === 'execute' && parameters['id'] === undefined)
    Object.assign(sent, { action_parameters: { ...parameters, id: idLater } })
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !ofAnswers.includes(name)))
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** Its objects are lists with one member, and none when they are not set. */
function isOfVersion4(rule: Json): boolean {
  return isObject(rule) && Array.isArray(rule['action_parameters'])
}

/** Version 4 has an empty list for each block that is not set. */
function withoutEmptyLists(value: Json): Json {
  if (isList(value)) return value.map(withoutEmptyLists)
  if (!isObject(value)) return value
  const set = Object.entries(value).filter(([, member]) => !(isList(member) && member.length === 0))
  return Object.fromEntries(set.map(([name, member]) => [name, withoutEmptyLists(member)]))
}

/** The value in the form of version 5 of the provider, which equals the form of the API. */
function inVersion5(value: Json): Json {
  if (isList(value)) return value.map(inVersion5)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, memberInVersion5(name, member)]),
  )
}

function memberInVersion5(name: string, member: Json): Json {
  if (name === 'headers' && isList(member)) return headersByName(member as readonly JsonObject[])
  if (name === 'rules' && isObject(member)) return skippedRules(member)
  if (loggedFields.has(name) && isList(member)) return member.map(field => ({ name: field }))
  return inVersion5(blocks.has(name) && isList(member) ? member[0]! : member)
}

/** The names alone, without objects around them. */
const loggedFields: ReadonlySet<string> = new Set(['cookie_fields', 'request_fields', 'response_fields'])

/** A `skip` names the rules of a ruleset in one text, with commas. */
function skippedRules(byRuleset: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(byRuleset).map(([id, rules]) => [id, String(rules).split(',')]))
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

function headersByName(headers: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    headers.map(({ name = '', ...header }) => [
      String(name),
      Object.fromEntries(Object.entries(header).filter(([, value]) => value !== null && value !== '')),
    ]),
  )
}
