/** What events can be asked for, by the names of the API; the same names stand in the address of the page. */
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

/** Each is compared exactly, and all have to hold. */
export type EventFilter = { readonly [N in FilterName]?: string }

export const filterLabels: Readonly<Record<FilterName, string>> = {
  action: 'Action',
  source: 'Service',
  rule_id: 'Rule that acted',
  matched_rule_id: 'Rule that matched',
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
 * A Ray ID as people paste it: letters in upper case, with the code of a data centre behind it, or a whole header.
 * @returns undefined when there is none in the text
 */
export function readRayId(text: string): string | undefined {
  return /(?:^|[\s:])([0-9a-f]{16})(?:-[a-z]{3})?\s*$/i.exec(text)?.[1]?.toLowerCase()
}

/**
 * What is typed for a filter as the API compares it.
 * @returns undefined when no event can have it
 */
export function typedValue(name: FilterName, text: string): string | undefined {
  const value = text.trim()
  if (value === '') return undefined
  if (name === 'ray_id') return readRayId(value)
  if (name === 'rule_id' || name === 'matched_rule_id' || name === 'country') return value.toLowerCase()
  return name === 'method' ? value.toUpperCase() : value
}
