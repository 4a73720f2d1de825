/** Values of the form's fields by name; empty text means no value. */
export type Values = Readonly<Record<string, string>>

/** Position of a value in `destination_conf`. */
type ConfPart =
  /** The placeholder with its name in the template. */
  | 'address'
  | 'user'
  | 'password'
  | { readonly parameter: string }
  /** As `header_NAME`; `before` precedes the value, such as `Splunk `. */
  | { readonly header: string; readonly before?: string }
  /** All other `header_*`, one `Name: value` per line. */
  | 'headers'
  /** All `label_*`, one `name: value` per line. */
  | 'labels'
  /** All parameters without a field, verbatim. */
  | 'query'

export interface DestinationField {
  readonly name: string
  readonly label: string
  readonly at: ConfPart
  readonly help?: string
  readonly placeholder?: string
  /** Initial value. */
  readonly value?: string
  readonly required?: boolean
  /** Masked in the form, and not stored across reloads. */
  readonly secret?: boolean
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** Default of the destination: this value counts as omitted. */
  readonly usual?: string
  readonly pattern?: RegExp
  /** Message when the value does not match the pattern. */
  readonly otherwise?: string
  /** Shown under “More options”. */
  readonly rare?: boolean
}

/** A snippet for the destination's side. */
export interface PasteText {
  readonly title: string
  readonly text: string
}

/** A kind of destination: its form and its `destination_conf`. */
export interface DestinationKind {
  readonly id: string
  readonly title: string
  readonly about: string
  /** `destination_conf` up to its query, such as `s3://{bucket}/{folder}`. */
  readonly template: string
  readonly fields: readonly DestinationField[]
  /** The template takes values without encoding. */
  readonly plain?: true
  /** Faults of values that conflict, by field. */
  readonly check?: (values: Values) => Readonly<Record<string, string>>
  /** Nothing in the configuration proves ownership, so the owner must answer a challenge. */
  readonly needsOwnership?: (values: Values) => boolean
  /** Where the owner finds the challenge. */
  readonly challengeAt?: string
  readonly permissions?: (values: Values) => readonly PasteText[]
}

/** The `destination_conf` of a filled form. */
export function makeDestination(kind: DestinationKind, values: Values): string {
  const [scheme = '', body = ''] = splitAt(kind.template, '://')
  const last = placeholdersOf(body).at(-1) ?? ''
  const isShort = body.endsWith(`/{${last}}`) && (values[last] ?? '').trim() === ''
  const filled = fill(kind, isShort ? body.slice(0, -`/{${last}}`.length) : body, values)
  const query = queryOf(kind, values)
  return `${fill(kind, scheme, values)}://${userOf(kind, values)}${filled}${query === '' ? '' : `?${query}`}`
}

/** @returns undefined when the form of this kind cannot represent it */
export function readDestination(kind: DestinationKind, conf: string): Values | undefined {
  const [address, query] = splitAt(conf, '?')
  const match = patternOf(kind.template).exec(address!)
  if (match === null) return undefined
  const values: Record<string, string> = Object.fromEntries(kind.fields.map(({ name }) => [name, '']))
  const user = match.groups!['_user']
  if (user !== undefined && !readUser(kind, user, values)) return undefined
  for (const name of placeholdersOf(kind.template)) {
    const text = match.groups![name] ?? ''
    values[name] = kind.plain ? text : decoded(text)
  }
  if (query !== undefined && !readQuery(kind, query, values)) return undefined
  return isFitting(kind, values) ? values : undefined
}

/** Faults of the values, by field; empty when valid. */
export function faultsOf(kind: DestinationKind, values: Values): Readonly<Record<string, string>> {
  const faults: Record<string, string> = { ...kind.check?.(values) }
  for (const { name, required, pattern, otherwise, at } of kind.fields) {
    const value = (values[name] ?? '').trim()
    if (value === '') {
      if (required) faults[name] = 'Required'
    } else if (pattern !== undefined && !pattern.test(value)) faults[name] = otherwise ?? 'Invalid value'
    else if (at === 'headers' && linesOf(value).some(([key]) => !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(key)))
      faults[name] = 'Invalid header name'
    else if (at === 'labels' && linesOf(value).some(([key]) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(key)))
      faults[name] = 'Invalid label name: use letters, digits and _'
  }
  return faults
}

/** The values without secrets, for storage. */
export function withoutSecrets(kind: DestinationKind, values: Values): Values {
  return Object.fromEntries(
    kind.fields.filter(({ secret }) => !secret).map(({ name }) => [name, values[name] ?? '']),
  )
}

/** The values with secrets masked, for display. */
export function maskedValues(kind: DestinationKind, values: Values): Values {
  const masked = kind.fields.map(({ name, secret, at }) => {
    const value = values[name] ?? ''
    if (!secret || value === '') return [name, value]
    if (at === 'headers')
      return [
        name,
        linesOf(value)
          .map(([key]) => `${key}: ***`)
          .join('\n'),
      ]
    return [name, '***']
  })
  return Object.fromEntries(masked)
}

/** One `Name: value` per line. */
export function linesOf(text: string): readonly (readonly [string, string])[] {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [name, value] = splitAt(line, ':')
      return [name!.trim(), (value ?? '').trim()]
    })
}

function fill(kind: DestinationKind, text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values[name] ?? '').trim()
    return kind.plain ? value : encoded(value.replace(/^\/+/, ''))
  })
}

function userOf(kind: DestinationKind, values: Values): string {
  const part = (name: ConfPart) => values[kind.fields.find(({ at }) => at === name)?.name ?? '']?.trim() ?? ''
  const user = part('user')
  return user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(part('password'))}@`
}

function queryOf(kind: DestinationKind, values: Values): string {
  const pairs = kind.fields.flatMap(({ name, at }) => {
    const value = (values[name] ?? '').trim()
    if (value === '') return []
    if (at === 'query') return [value.replace(/^\?/, '')]
    if (at === 'headers') return linesOf(value).map(([key, text]) => `header_${key}=${encoded(text)}`)
    if (at === 'labels') return linesOf(value).map(([key, text]) => `label_${key}=${encoded(text)}`)
    if (typeof at !== 'object') return []
    if ('parameter' in at) return [`${at.parameter}=${encoded(value)}`]
    return [`header_${at.header}=${encoded(`${at.before ?? ''}${value}`)}`]
  })
  return pairs.join('&')
}

function placeholdersOf(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
}

/** The last placeholder may contain slashes, and may be absent together with its slash. */
function patternOf(template: string): RegExp {
  const [scheme = '', body = ''] = splitAt(template, '://')
  const last = placeholdersOf(template).at(-1)
  const group = (name: string) => (name === last ? `(?<${name}>.*?)` : `(?<${name}>[^/@]*)`)
  const source = (text: string) =>
    text
      .split(/(\{\w+\})/)
      .map(part =>
        part.startsWith('{') ? group(part.slice(1, -1)) : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('')
  const path = source(body).replace(/\/(\(\?<\w+>\.\*\?\))$/, '(?:/+$1/*)?')
  return new RegExp(`^${source(scheme)}://(?:(?<_user>[^@/]*)@)?${path}$`)
}

function readUser(kind: DestinationKind, user: string, values: Record<string, string>): boolean {
  const [name, password] = splitAt(user, ':')
  const fields = kind.fields.filter(({ at }) => at === 'user' || at === 'password')
  if (fields.length < 2) return false
  for (const { name: field, at } of fields) values[field] = decoded((at === 'user' ? name : password) ?? '')
  return true
}

function readQuery(kind: DestinationKind, query: string, values: Record<string, string>): boolean {
  for (const pair of query.split('&')) if (pair !== '' && !readPair(kind, pair, values)) return false
  return true
}

function readPair(kind: DestinationKind, pair: string, values: Record<string, string>): boolean {
  const [rawName, rawValue] = splitAt(pair, '=')
  const [name, value] = [decoded(rawName!), decoded(rawValue ?? '')]
  const own = kind.fields.find(({ at }) => {
    if (typeof at !== 'object') return false
    if ('parameter' in at) return at.parameter === name
    return name.toLowerCase() === `header_${at.header.toLowerCase()}` && value.startsWith(at.before ?? '')
  })
  if (own !== undefined) {
    const before = typeof own.at === 'object' && 'header' in own.at ? (own.at.before ?? '') : ''
    const given = value.slice(before.length)
    values[own.name] = given === own.usual ? '' : given
    return true
  }
  const many = name.startsWith('header_') ? 'headers' : name.startsWith('label_') ? 'labels' : 'query'
  const rest = kind.fields.find(({ at }) => at === many)
  if (rest === undefined) return false
  const text = many === 'query' ? pair : `${name.slice(name.indexOf('_') + 1)}: ${value}`
  values[rest.name] = [values[rest.name], text].filter(Boolean).join(many === 'query' ? '&' : '\n')
  return true
}

/** Unknown choices and invalid values are left to the free-text form. */
function isFitting(kind: DestinationKind, values: Values): boolean {
  if (Object.keys(faultsOf(kind, values)).length > 0) return false
  return kind.fields.every(
    ({ name, choices }) => choices?.some(choice => choice.value === values[name]) ?? true,
  )
}

/** Percent-encodes like a URL query, but leaves safe characters readable. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(?:2F|7B|7D|3A|2C|5B|5D)/g, decodeURIComponent)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function splitAt(text: string, mark: string): readonly [string, string | undefined] {
  const index = text.indexOf(mark)
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + mark.length)]
}
