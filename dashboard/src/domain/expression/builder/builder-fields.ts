import type { FieldInfo } from '../types.ts'
import type { Operator } from './builder.ts'

/** Kinds of builder rows. `texts`: an array of strings. `map`: values by name, such as headers. */
export type FieldKind = 'text' | 'integer' | 'ip' | 'boolean' | 'texts' | 'map'

/** Undefined for fields that only the editor supports. */
export function kindOf({ type }: Pick<FieldInfo, 'type'>): FieldKind | undefined {
  switch (type) {
    case 'String':
    case 'Bytes':
      return 'text'
    case 'Integer':
      return 'integer'
    case 'IP':
      return 'ip'
    case 'Boolean':
      return 'boolean'
    case 'Array<String>':
      return 'texts'
    case 'Map<Array<String>>':
      return 'map'
    default:
      return undefined
  }
}

const text: readonly Operator[] = [
  'eq',
  'ne',
  'contains',
  'not contains',
  'starts_with',
  'not starts_with',
  'ends_with',
  'not ends_with',
  'wildcard',
  'not wildcard',
  'strict wildcard',
  'not strict wildcard',
  'matches',
  'not matches',
  'in',
  'not in',
]
const inList: readonly Operator[] = ['in list', 'not in list']

const operators: Readonly<Record<FieldKind, readonly Operator[]>> = {
  text,
  integer: ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'in', 'not in'],
  ip: ['eq', 'ne', 'in', 'not in', ...inList],
  boolean: ['is on', 'is off'],
  texts: text,
  map: [...text, 'is present', 'is absent'],
}

/** In menu order. */
export function operatorsOf(field: FieldInfo): readonly Operator[] {
  const kind = kindOf(field)
  if (kind === undefined) return []
  return kind !== 'ip' && listKindOf(field) !== undefined ? [...operators[kind], ...inList] : operators[kind]
}

/** The kind of list that can hold values of the field. */
export function listKindOf(field: FieldInfo): 'ip' | 'hostname' | 'asn' | undefined {
  if (field.type === 'IP') return 'ip'
  if (field.name === 'http.host') return 'hostname'
  return field.name === 'ip.src.asnum' ? 'asn' : undefined
}

/** Labels of Cloudflare's dashboard. */
export function operatorLabel(operator: Operator, kind: FieldKind): string {
  const ordered = kind === 'integer' ? orderLabels[operator] : undefined
  return ordered ?? labels[operator]
}

const labels: Readonly<Record<Operator, string>> = {
  eq: 'equals',
  ne: 'does not equal',
  lt: 'is less than',
  le: 'is at most',
  gt: 'is greater than',
  ge: 'is at least',
  contains: 'contains',
  'not contains': 'does not contain',
  starts_with: 'starts with',
  'not starts_with': 'does not start with',
  ends_with: 'ends with',
  'not ends_with': 'does not end with',
  wildcard: 'wildcard',
  'not wildcard': 'not wildcard',
  'strict wildcard': 'strict wildcard',
  'not strict wildcard': 'not strict wildcard',
  matches: 'matches regex',
  'not matches': 'does not match regex',
  in: 'is in',
  'not in': 'is not in',
  'in list': 'is in list',
  'not in list': 'is not in list',
  'is on': 'is on',
  'is off': 'is off',
  'is present': 'is present',
  'is absent': 'is not present',
}

const orderLabels: Partial<Readonly<Record<Operator, string>>> = {
  gt: 'greater than',
  lt: 'less than',
  ge: 'greater than or equal to',
  le: 'less than or equal to',
}

/** The most used fields, first in the menu, with the names of Cloudflare's dashboard. */
export const commonFields: ReadonlyMap<string, string> = new Map([
  ['http.request.uri.path', 'URI Path'],
  ['http.host', 'Hostname'],
  ['ip.src', 'IP Source Address'],
  ['ip.src.country', 'Country'],
  ['ip.src.asnum', 'AS Num'],
  ['ip.src.continent', 'Continent'],
  ['http.request.method', 'Request Method'],
  ['http.request.uri', 'URI'],
  ['http.request.full_uri', 'URI Full'],
  ['http.request.uri.query', 'URI Query String'],
  ['http.request.uri.path.extension', 'File extension'],
  ['http.request.uri.args', 'Query argument'],
  ['http.user_agent', 'User Agent'],
  ['http.referer', 'Referer'],
  ['http.request.headers', 'Header'],
  ['http.request.cookies', 'Cookie value of'],
  ['http.cookie', 'Cookie'],
  ['http.x_forwarded_for', 'X-Forwarded-For'],
  ['http.request.version', 'HTTP Version'],
  ['http.request.body.size', 'Body size'],
  ['http.request.timestamp.sec', 'Request time'],
  ['ssl', 'SSL/HTTPS'],
  ['http.response.code', 'Response status code'],
])

export function fieldLabel(name: string): string {
  return commonFields.get(name) ?? name
}

/** Common values of a field, suggested while typing. */
export function usualValues(name: string): readonly string[] {
  return usual[name] ?? []
}

const usual: Readonly<Record<string, readonly string[]>> = {
  'http.request.method': ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  'http.request.version': ['HTTP/1.0', 'HTTP/1.1'],
  'ip.src.continent': ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA', 'T1'],
}
