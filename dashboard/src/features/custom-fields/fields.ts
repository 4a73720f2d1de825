/** Source of a custom field's value; names of the lists in a rule. */
export type Source =
  | 'request_fields'
  | 'transformed_request_fields'
  | 'response_fields'
  | 'raw_response_fields'
  | 'cookie_fields'

export interface CustomField {
  readonly source: Source
  readonly name: string
  /** Logs all values of a repeated response header as an array. */
  readonly duplicates: boolean
}

export interface Side {
  readonly id: 'request' | 'response' | 'cookie'
  readonly title: string
  readonly about: string
  readonly one: string
  /** Field of the record that holds the values. */
  readonly record: string
  readonly sources: readonly { readonly value: Source; readonly label: string }[]
}

export const sides: readonly Side[] = [
  {
    id: 'request',
    title: 'Request headers',
    about: 'Logged in RequestHeaders, as received or after rewrites.',
    one: 'request header',
    record: 'RequestHeaders',
    sources: [
      { value: 'request_fields', label: 'As received (raw)' },
      { value: 'transformed_request_fields', label: 'After rewrites (transformed)' },
    ],
  },
  {
    id: 'response',
    title: 'Response headers',
    about: 'Logged in ResponseHeaders, as sent to the client or as received from the origin.',
    one: 'response header',
    record: 'ResponseHeaders',
    sources: [
      { value: 'response_fields', label: 'As sent (transformed)' },
      { value: 'raw_response_fields', label: 'As received from the origin (raw)' },
    ],
  },
  {
    id: 'cookie',
    title: 'Cookies',
    about: 'Logged in Cookies, from the Cookie header of the request.',
    one: 'cookie',
    record: 'Cookies',
    sources: [{ value: 'cookie_fields', label: 'As received' }],
  },
]

export const fieldsMax = 40
const nameCharactersMax = 256

export function sideOf(source: Source): Side {
  return sides.find(({ sources }) => sources.some(({ value }) => value === source))!
}

/**
 * Why a name cannot be added; undefined for a valid name.
 * @param others the existing fields
 */
export function faultOf(name: string, source: Source, others: readonly CustomField[]): string | undefined {
  const side = sideOf(source)
  if (name === '') return `Enter the name of a ${side.one}`
  if (side.id !== 'cookie' && name !== name.toLowerCase())
    return `Use lower case: ${name.toLowerCase()}. Header names are case-insensitive in HTTP`
  const bad = (side.id === 'cookie' ? badInCookie : badInHeader).exec(name)?.[0]
  if (bad !== undefined)
    return `${shownCharacter(bad)} is not allowed in the name of a ${side.id === 'cookie' ? 'cookie' : 'header'}`
  if (name.length > nameCharactersMax) return `A name has at most ${nameCharactersMax} characters`
  const same = others.find(other => other.name === name && sideOf(other.source) === side)
  if (same?.source === source) return `${name} is already in the list`
  if (same !== undefined) return `${name} is already logged: ${labelOf(same.source)}. Remove that entry first`
  if (others.length >= fieldsMax)
    return `Limit reached: ${fieldsMax} custom fields in total. Remove one first`
  return undefined
}

/** Matches characters outside the tokens of RFC 9110, section 5.6.2. */
const badInHeader = /[^a-z0-9!#$%&'*+.^_`|~-]/
/** Matches characters outside visible ASCII, and the delimiters of names in the Cookie header (RFC 6265, 4.1.1). */
const badInCookie = /[^\x21-\x7e]|[=;,"\\]/

function shownCharacter(character: string): string {
  return character.trim() === '' ? 'A space' : `“${character}”`
}

function labelOf(source: Source): string {
  const { label } = sideOf(source).sources.find(({ value }) => value === source)!
  return `“${label}”`
}

/** A rule of the entry point; only the members used here. */
export interface LogRule {
  readonly id?: string
  readonly ref?: string
  readonly action?: string
  readonly expression?: string
  readonly description?: string
  readonly enabled?: boolean
  readonly action_parameters?: Readonly<Partial<Record<Source, readonly WireField[]>>>
}

interface WireField {
  readonly name: string
  readonly preserve_duplicates?: boolean
}

const sources: readonly Source[] = sides.flatMap(side => side.sources.map(({ value }) => value))

/** The fields of all enabled rules, without duplicates. */
export function fieldsOf(rules: readonly LogRule[]): readonly CustomField[] {
  const fields = new Map<string, CustomField>()
  for (const { action_parameters: lists = {}, enabled = true } of rules) {
    if (!enabled) continue
    for (const source of sources)
      for (const { name, preserve_duplicates = false } of lists[source] ?? []) {
        const key = `${source} ${name}`
        const duplicates = preserve_duplicates || (fields.get(key)?.duplicates ?? false)
        fields.set(key, { source, name, duplicates })
      }
  }
  return [...fields.values()]
}

/**
 * The rules that log these fields. One rule holds all fields, at the position of the first enabled rule; disabled rules
 * stay unchanged.
 */
export function rulesWith(fields: readonly CustomField[], rules: readonly LogRule[]): readonly LogRule[] {
  const first = rules.find(({ enabled = true }) => enabled)
  const kept = rules.filter(({ enabled = true }) => !enabled).map(plain)
  if (fields.length === 0) return kept
  const lists = sources.flatMap(source => {
    const names = fields.filter(field => field.source === source)
    return names.length === 0 ? [] : [[source, names.map(wireField)]]
  })
  const rule: LogRule = {
    ...(first?.id === undefined ? {} : { id: first.id }),
    ...(first?.ref === undefined ? {} : { ref: first.ref }),
    action: 'log_custom_field',
    expression: 'true',
    description: first?.description ?? 'Custom log fields',
    action_parameters: Object.fromEntries(lists),
  }
  return [rule, ...kept]
}

function wireField({ source, name, duplicates }: CustomField): WireField {
  const canRepeat = source === 'response_fields' || source === 'raw_response_fields'
  return canRepeat && duplicates ? { name, preserve_duplicates: true } : { name }
}

/** The members of a rule that a write accepts. */
function plain({ id, ref, action, expression, description, enabled, action_parameters }: LogRule): LogRule {
  return Object.fromEntries(
    Object.entries({ id, ref, action, expression, description, enabled, action_parameters }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** The changes, for display. */
export function differences(
  before: readonly CustomField[],
  after: readonly CustomField[],
): readonly string[] {
  const key = ({ source, name, duplicates }: CustomField) => `${source} ${name} ${duplicates}`
  const [was, is] = [new Set(before.map(key)), new Set(after.map(key))]
  const text = (field: CustomField) =>
    `${sideOf(field.source).one} ${field.name}, ${labelOf(field.source)}${field.duplicates ? ', all values' : ''}`
  return [
    ...after.filter(field => !was.has(key(field))).map(field => `Add ${text(field)}`),
    ...before.filter(field => !is.has(key(field))).map(field => `Remove ${text(field)}`),
  ]
}
