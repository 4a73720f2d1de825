import type { Json, JsonObject, Scope } from '../model/resource.ts'
import { assumedManaged } from '../rulesets/index.ts'
import type { Coverage } from './enforcement.ts'
import { coverRuleset } from './ruleset.ts'

/** Names of the objects that version 4 of the provider writes as lists with one member. */
const blocks: ReadonlySet<string> = new Set(
  'action_parameters autominify exposed_credential_check from_list from_value header host_header logging matched_data origin overrides path query ratelimit response sni target_url uri'.split(
    ' ',
  ),
)

/** A `cloudflare_ruleset` of a plan or state. */
export function coverPlannedRuleset(values: JsonObject): Coverage {
  const { name = 'ruleset', kind = null, phase = null, description = null, rules } = values
  const scope: Scope = {
    kind: values['zone_id'] === undefined && kind !== 'zone' ? 'account' : 'zone',
    id: '',
  }
  const planned = (Array.isArray(rules) ? (rules as readonly Json[]) : []).map(rule => plannedRule(rule))
  const document = { name, kind, phase, description, rules: planned }
  return coverRuleset(document, kind === 'root' ? { ...scope, kind: 'account' } : scope, {
    managed: assumedManaged,
  })
}

/** The id of a ruleset that the same plan creates, before it is known. */
const idLater = 'f'.repeat(32)
const ofAnswers = ['id', 'version', 'last_updated', 'ref', 'categories']

/** A rule as a client would send it. Values that are known only after an apply are absent from plans. */
function plannedRule(rule: Json): Json {
  const read = withoutBlocks(rule)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return read
  const sent = { expression: 'true', ...withoutNulls(read as JsonObject) }
  const parameters = { ...((sent as JsonObject)['action_parameters'] as JsonObject | undefined) }
  if ((sent as JsonObject)['action'] === 'execute' && parameters['id'] === undefined)
    Object.assign(sent, { action_parameters: { ...parameters, id: idLater } })
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !ofAnswers.includes(name)))
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

/** The value in the form of version 5 of the provider, which equals the form of the API. */
function withoutBlocks(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutBlocks)
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => {
      if (name === 'headers' && Array.isArray(member))
        return [name, headersByName(member as readonly JsonObject[])]
      const isBlock = blocks.has(name) && Array.isArray(member)
      return [name, withoutBlocks(isBlock ? ((member as readonly Json[])[0] ?? null) : member)]
    }),
  )
}

function headersByName(headers: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    headers.map(({ name = '', ...header }) => [
      String(name),
      Object.fromEntries(Object.entries(header).filter(([, value]) => value !== null && value !== '')),
    ]),
  )
}
