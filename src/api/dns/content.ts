import { isIP, isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import type { DnsRecordType } from '../../model/dns-record.ts'
import type { Json, JsonObject } from '../../model/resource.ts'
import { escapePointer } from '../http/schema-errors.ts'
import { dnsLimits } from './limits.ts'
import { asTxtStrings } from './zone-file/quote.ts'

/** A part of a record with several. */
interface Part {
  readonly name: string
  /** `number` is a whole number, `decimal` any number; clients send both as JSON numbers or as text. */
  readonly type: 'number' | 'decimal' | 'text' | 'quoted'
  /** Written after a decimal, as in `10.00m`. */
  readonly unit?: string
  /** Of a number. */
  readonly max?: number
}

const number = (name: string): Part => ({ name, type: 'number' })
const text = (name: string): Part => ({ name, type: 'text' })
const quoted = (name: string): Part => ({ name, type: 'quoted' })
const priority: Part = { name: 'priority', type: 'number', max: 65_535 }
const metres = (name: string): Part => ({ name, type: 'decimal', unit: 'm' })
const digest = [number('usage'), number('selector'), number('matching_type'), text('certificate')]
const service = [priority, text('target'), text('value')]
const angle = (side: string): Part[] => [
  number(`${side}_degrees`),
  number(`${side}_minutes`),
  { name: `${side}_seconds`, type: 'decimal' },
  text(`${side}_direction`),
]

/** The parts of each type with several, in the order of its content. */
const parts: { readonly [T in DnsRecordType]?: readonly Part[] } = {
  CAA: [number('flags'), text('tag'), quoted('value')],
  CERT: [number('type'), number('key_tag'), number('algorithm'), text('certificate')],
  DNSKEY: [number('flags'), number('protocol'), number('algorithm'), text('public_key')],
  DS: [number('key_tag'), number('algorithm'), number('digest_type'), text('digest')],
  HTTPS: service,
  LOC: [
    ...angle('lat'),
    ...angle('long'),
    metres('altitude'),
    metres('size'),
    metres('precision_horz'),
    metres('precision_vert'),
  ],
  NAPTR: [
    number('order'),
    number('preference'),
    quoted('flags'),
    quoted('service'),
    quoted('regex'),
    text('replacement'),
  ],
  SMIMEA: digest,
  SRV: [number('weight'), number('port'), text('target')],
  SSHFP: [number('algorithm'), number('type'), text('fingerprint')],
  SVCB: service,
  TLSA: digest,
  URI: [number('weight'), quoted('target')],
}

/** Types whose records have a priority beside their content. */
export const typesWithPriority: ReadonlySet<DnsRecordType> = new Set(['MX', 'SRV', 'URI'])

/** Further members of `data` that clients send, for any type. */
const otherMembers: readonly Part[] = [priority, text('service'), text('proto'), text('name')]

/** The type has `data`, and its content is made from it. */
export function hasData(type: DnsRecordType): boolean {
  return parts[type] !== undefined
}

/** A value that is not accepted. */
export interface Fault {
  readonly reason: string
  /** Below the record. */
  readonly pointer: string
}

/** @returns the fault of `data`; undefined when it is complete and valid */
export function dataFault(type: DnsRecordType, data: JsonObject): Fault | undefined {
  const known = parts[type]!
  const all = [...known, ...otherMembers]
  for (const part of all) {
    const value = data[part.name]
    // Parameters of a service and the accuracy of a location have defaults.
    const required = known.includes(part) && part.name !== 'value' && part.unit === undefined
    if (value === undefined && !required) continue
    if (!fits(part, value))
      return { reason: `${part.name} must be ${formOf(part)}`, pointer: `/data/${part.name}` }
  }
  const unknown = Object.keys(data).find(name => !all.some(part => part.name === name))
  return unknown === undefined
    ? undefined
    : { reason: `${unknown.slice(0, 100)} is no part of it`, pointer: `/data/${escapePointer(unknown)}` }
}

function fits({ type, max = Infinity }: Part, value: Json | undefined): boolean {
  if (type === 'text' || type === 'quoted')
    return (
      typeof value === 'string' && value.length <= dnsLimits.contentCharactersMax && !/[\r\n\0]/.test(value)
    )
  if (typeof value !== 'number' && typeof value !== 'string') return false
  const form = type === 'number' ? /^\d{1,10}$/ : /^-?\d{1,10}(?:\.\d{1,3})?$/
  return form.test(String(value)) && Number(value) <= max
}

function formOf({ type, max }: Part): string {
  if (type === 'decimal') return 'a number'
  if (type === 'number') return max === undefined ? 'a whole number' : `a whole number from 0 to ${max}`
  return `a text of one line, with at most ${dnsLimits.contentCharactersMax} characters`
}

/** The content of a record with these parts, as in a zone file. */
export function contentOf(type: DnsRecordType, data: JsonObject): string {
  return parts[type]!.filter(part => data[part.name] !== undefined)
    .map(part => written(part, data[part.name]!))
    .join(' ')
    .trim()
}

function written({ type, unit = '', name }: Part, value: Json): string {
  if (type === 'quoted') return asTxtStrings(String(value))
  if (type === 'decimal') return Number(value).toFixed(name.endsWith('_seconds') ? 3 : 2) + unit
  return String(value)
}

/**
 * The parts of a content from a zone file.
 * @param fields without quotes
 * @returns undefined when there are too few
 */
export function dataOf(type: DnsRecordType, fields: readonly string[]): JsonObject | undefined {
  const known = parts[type]!
  const data: { [name: string]: Json } = {}
  for (const [at, part] of known.entries()) {
    const rest =
      at === known.length - 1 ? fields.slice(at).join(part.name === 'value' ? ' ' : '') : fields[at]
    if (rest === undefined || (rest === '' && fields.length <= at)) {
      if (part.unit !== undefined || part.name === 'value') continue
      return undefined
    }
    if (part.type === 'text' || part.type === 'quoted') data[part.name] = rest
    else data[part.name] = Number(rest.replace(/m$/, ''))
  }
  return data
}

/** @returns the fault of the content of a type without `data` */
export function contentFault(type: DnsRecordType, content: string): string | undefined {
  if (/[\r\n\0]/.test(content)) return 'it holds a line break'
  if (type === 'A') return isIPv4(content) ? undefined : 'it must be an IPv4 address'
  if (type === 'AAAA')
    return isIPv6(content) && !content.includes('%') ? undefined : 'it must be an IPv6 address'
  if (type === 'TXT' || type === 'OPENPGPKEY') return content === '' ? 'it is empty' : undefined
  if (type === 'MX' && content === '.') return undefined
  if (isIP(content) !== 0) return 'it must be a host name, not an address'
  return isHostName(content) ? undefined : 'it must be a host name'
}

/** A name with labels of 1 to 63 letters, digits, `-` and `_`; the final dot of a complete name may be there. */
export function isHostName(typed: string): boolean {
  const name = asciiName(typed.replace(/\.$/, ''))
  return name.length <= 253 && name.split('.').every(label => hostLabel.test(label))
}

/** A host name, or `*.` before one. */
export function isNameOrWildcard(name: string): boolean {
  return isHostName(name.replace(/^\*\./, ''))
}

export function isWithin(name: string, zoneName: string): boolean {
  return name === zoneName || name.endsWith(`.${zoneName}`)
}

/** In lower case; international names as `xn--…`. */
export function asciiName(typed: string): string {
  return /^[\u0000-\u007f]*$/.test(typed) ? typed.toLowerCase() : domainToASCII(typed)
}

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
