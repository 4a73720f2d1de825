/** Answers to the fields of a form, by name; an empty text is none. */
export type Values = Readonly<Record<string, string>>

/** Where a value stands in `destination_conf`. */
type Place =
  /** Where the template has its name. */
  | 'address'
  | 'user'
  | 'password'
  | { readonly parameter: string }
  /** As `header_NAME`; `before` stands before the value, such as `Splunk `. */
  | { readonly header: string; readonly before?: string }
  /** All other `header_*`, a line each: `Name: value`. */
  | 'headers'
  /** All `label_*`, a line each: `name: value`. */
  | 'labels'
  /** All parameters that no other field has, as they stand. */
  | 'query'

export interface DestinationField {
  readonly name: string
  readonly label: string
  readonly at: Place
  readonly help?: string
  readonly placeholder?: string
  /** What the form begins with. */
  readonly value?: string
  readonly required?: boolean
  /** Shown as dots, and never kept beyond a reload. */
  readonly secret?: boolean
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** What leaving it out means: where it is said, it is taken as left out. */
  readonly usual?: string
  readonly pattern?: RegExp
  /** Said when the value does not fit the pattern. */
  readonly otherwise?: string
  /** Shown when somebody asks for more options. */
  readonly rare?: boolean
}

/** Something to paste where the destination is. */
export interface PasteText {
  readonly title: string
  readonly text: string
}

/** A kind of destination: its form and the text that it makes. */
export interface DestinationKind {
  readonly id: string
  readonly title: string
  readonly about: string
  /** `destination_conf` up to its query, such as `s3://{bucket}/{folder}`. */
  readonly template: string
  readonly fields: readonly DestinationField[]
  /** Values go into the template as they are. */
  readonly plain?: true
  /** What is wrong with answers that do not go together, by field. */
  readonly check?: (values: Values) => Readonly<Record<string, string>>
  /** Nothing there proves that it is ours, so the owner has to. */
  readonly needsOwnership?: (values: Values) => boolean
  /** Where the challenge is read. */
  readonly challengeAt?: string
  readonly permissions?: (values: Values) => readonly PasteText[]
}

/** The `destination_conf` that a form says. */
export function makeDestination(kind: DestinationKind, values: Values): string {
  const [scheme = '', body = ''] = splitAt(kind.template, '://')
  const last = placeholdersOf(body).at(-1) ?? ''
  const isShort = body.endsWith(`/{${last}}`) && (values[last] ?? '').trim() === ''
  const filled = fill(kind, isShort ? body.slice(0, -`/{${last}}`.length) : body, values)
  const query = queryOf(kind, values)
  return `${fill(kind, scheme, values)}://${userOf(kind, values)}${filled}${query === '' ? '' : `?${query}`}`
}

/** @returns undefined when the form of this kind cannot say all of it */
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

/** What is wrong with the answers, by field; empty when nothing is. */
export function faultsOf(kind: DestinationKind, values: Values): Readonly<Record<string, string>> {
  const faults: Record<string, string> = { ...kind.check?.(values) }
  for (const { name, required, pattern, otherwise, at } of kind.fields) {
    const value = (values[name] ?? '').trim()
    if (value === '') {
      if (required) faults[name] = 'This is needed'
    } else if (pattern !== undefined && !pattern.test(value)) faults[name] = otherwise ?? 'This does not fit'
    else if (at === 'headers' && linesOf(value).some(([key]) => !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(key)))
      faults[name] = 'One of these is not the name of a header'
    else if (at === 'labels' && linesOf(value).some(([key]) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(key)))
      faults[name] = 'One of these is not the name of a label: letters, digits and _'
  }
  return faults
}

/** The answers that may be kept: all but the secrets. */
export function withoutSecrets(kind: DestinationKind, values: Values): Values {
  return Object.fromEntries(
    kind.fields.filter(({ secret }) => !secret).map(({ name }) => [name, values[name] ?? '']),
  )
}

/** The same with dots where secrets are, to be shown. */
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

/** `Name: value` a line. */
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
  const part = (place: Place) => values[kind.fields.find(({ at }) => at === place)?.name ?? '']?.trim() ?? ''
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

/** The last placeholder may have slashes, and may be missing with the slash before it. */
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

/** A choice that the form does not have, or a value that it would refuse, is for the form that takes any text. */
function isFitting(kind: DestinationKind, values: Values): boolean {
  if (Object.keys(faultsOf(kind, values)).length > 0) return false
  return kind.fields.every(
    ({ name, choices }) => choices?.some(choice => choice.value === values[name]) ?? true,
  )
}

/** As in the query of a URL, but for what reads better plain and is safe there. */
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
