/** Filters of events by their names in the API; the address of the page has the same names. */
export const filterNames = [
  'action',
  'source',
  'rule_id',
  'matched_rule_id',
  'path',
  'client_ip',
  'country',
  'host',
  'method',
  'user_agent',
  'ray_id',
] as const

export type FilterName = (typeof filterNames)[number]

/** Exact matches, joined by “and”. */
export type EventFilter = { readonly [N in FilterName]?: string }

export const filterLabels: Readonly<Record<FilterName, string>> = {
  action: 'Action',
  source: 'Service',
  rule_id: 'Acting rule',
  matched_rule_id: 'Matched rule',
  path: 'Path',
  client_ip: 'Client',
  country: 'Country',
  host: 'Host',
  method: 'Method',
  user_agent: 'User agent',
  ray_id: 'Ray ID',
}

type Search = Readonly<Record<string, unknown>>

export function readFilter(search: Search): EventFilter {
  const set = filterNames.flatMap(name => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries(set)
}

/**
 * Normalises a pasted Ray ID: upper case, with a data centre code, or as a whole header.
 * @returns undefined when the text has none
 */
export function readRayId(text: string): string | undefined {
  return /(?:^|[\s:])([0-9a-f]{16})(?:-[a-z]{3})?\s*$/i.exec(text)?.[1]?.toLowerCase()
}

/**
 * Normalises the input for a filter as the API compares it.
 * @returns undefined for input that no event can match
 */
export function typedValue(name: FilterName, text: string): string | undefined {
  const value = text.trim()
  if (value === '') return undefined
  if (name === 'ray_id') return readRayId(value)
  if (name === 'rule_id' || name === 'matched_rule_id' || name === 'country') return value.toLowerCase()
  return name === 'method' ? value.toUpperCase() : value
}
