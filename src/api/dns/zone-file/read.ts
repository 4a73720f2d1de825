import { type DnsRecordType, dnsRecordTypes } from '../../../model/dns-record.ts'
import { dataOf, hasData, typesWithPriority } from '../content.ts'
import type { RecordInput } from '../input.ts'
import { dnsLimits } from '../limits.ts'
import { isProxiable } from '../wire.ts'
import { filled, numbersOf } from './generate.ts'
import { entriesOf, type FileEntry, type FileField, ZoneFileError } from './lines.ts'
import { asTxtStrings } from './quote.ts'

export interface FileRecord {
  readonly line: number
  readonly input: RecordInput
}

interface State {
  origin: string
  ttl: number
  name: string
  /** Numbers of what was made so far. */
  records: number
  generatedCharacters: number
}

/**
 * The records of a zone file. SOA records and the NS records of the zone itself are left out: they belong to name
 * servers.
 * @param proxied for records that can be proxied and do not say it themselves
 * @source RFC 1035 5.1, RFC 2308 4 ($TTL); Cloudflare docs, import and export records
 * @throws ZoneFileError
 */
export function* readZoneFile(file: string, zoneName: string, proxied: boolean): Generator<FileRecord> {
  const state: State = { origin: zoneName, ttl: 1, name: zoneName, records: 0, generatedCharacters: 0 }
  for (const entry of entriesOf(file)) {
    const [first, ...others] = entry.fields
    const directive = first!.quoted || entry.continues ? '' : first!.text.toUpperCase()
    if (directive === '$GENERATE') {
      const [range, ...template] = others
      const numbers = numbersOf(range?.text ?? '', entry.line)
      countGenerated(state, { ...entry, fields: template }, numbers.length)
      for (const number of numbers) {
        const fields = template.map(field => ({ ...field, text: filled(field.text, number) }))
        const record = recordOf({ ...entry, fields }, state, zoneName, proxied)
        if (record !== undefined) yield record
      }
    } else if (directive.startsWith('$')) direct(state, directive, others[0]?.text, entry.line)
    else {
      const record = recordOf(entry, state, zoneName, proxied)
      if (record === undefined) continue
      countRecords(state, entry, 1)
      yield record
    }
  }
}

/** @throws ZoneFileError when the file has too many records */
function countRecords(state: State, { line }: FileEntry, count: number): void {
  const { recordsPerZoneMax } = dnsLimits
  state.records += count
  if (state.records > recordsPerZoneMax)
    throw new ZoneFileError(line, `the file has more than ${recordsPerZoneMax} records`)
}

/** Before any of them is made, because a short file could make gigabytes. @throws ZoneFileError */
function countGenerated(state: State, template: FileEntry, count: number): void {
  const { generatedCharactersMax } = dnsLimits
  countRecords(state, template, count)
  const characters = template.fields.reduce((sum, { text }) => sum + text.length + 1, template.remark.length)
  state.generatedCharacters += characters * count
  if (state.generatedCharacters > generatedCharactersMax)
    throw new ZoneFileError(template.line, `$GENERATE makes more than ${generatedCharactersMax} characters`)
}

function direct(state: State, directive: string, value: string | undefined, line: number): void {
  if (directive === '$INCLUDE') throw new ZoneFileError(line, '$INCLUDE directive not allowed')
  if (value === undefined) throw new ZoneFileError(line, `${directive.slice(0, 20)} has no value`)
  if (directive === '$ORIGIN') state.origin = completed(value, state.origin)
  else if (directive === '$TTL') {
    const ttl = secondsOf(value)
    if (ttl === undefined) throw new ZoneFileError(line, `$TTL is not a time: ${value.slice(0, 20)}`)
    state.ttl = ttl
  } else throw new ZoneFileError(line, `unknown directive ${directive.slice(0, 20)}`)
}

/** `[name] [ttl] [class] type data`, with time and class in any order. */
function recordOf(
  entry: FileEntry,
  state: State,
  zoneName: string,
  proxied: boolean,
): FileRecord | undefined {
  const { fields } = entry
  if (!entry.continues) state.name = completed(fields[0]!.text, state.origin)
  let { ttl } = state
  let at = entry.continues ? 0 : 1
  for (const typeAtMost = at + 2; at < typeAtMost; at++) {
    const text = fields[at]?.text ?? ''
    const seconds = secondsOf(text)
    if (seconds === undefined && text.toUpperCase() !== 'IN') break
    ttl = seconds ?? ttl
  }
  const type = fields[at]?.text.toUpperCase() ?? ''
  if (type === 'SOA' || (type === 'NS' && state.name === zoneName)) return undefined
  if (!isKnown(type)) throw new ZoneFileError(entry.line, `unknown record type ${type.slice(0, 20)}`)
  const { comment, tags, flags } = remarkOf(entry)
  const own = flags.get('cf-proxied')
  const flattens = flags.get('cf-flatten-cname')
  return {
    line: entry.line,
    input: {
      name: state.name,
      type,
      // Zone files have short times that the API refuses.
      ttl: ttl === 1 ? 1 : Math.min(86_400, Math.max(30, ttl)),
      ...rdataOf(type, fields.slice(at + 1), state.origin, entry.line),
      proxied: isProxiable(type) && (own === undefined ? proxied : own === 'true'),
      ...(flattens === undefined ? {} : { settings: { flatten_cname: flattens === 'true' } }),
      comment,
      tags,
    },
  }
}

function isKnown(type: string): type is DnsRecordType {
  return (dnsRecordTypes as readonly string[]).includes(type)
}

function rdataOf(
  type: DnsRecordType,
  fields: readonly FileField[],
  origin: string,
  line: number,
): Pick<RecordInput, 'content' | 'data' | 'priority'> {
  const rest = [...fields]
  let priority = {}
  if (typesWithPriority.has(type)) {
    const number = rest.shift()?.text ?? ''
    if (!/^\d{1,5}$/.test(number)) throw new ZoneFileError(line, `${type} has no priority`)
    priority = { priority: Number(number) }
  }
  if (rest.length === 0) throw new ZoneFileError(line, `${type} has no content`)
  const texts = rest.map(field => field.text)
  if (type === 'SRV') texts.push(completed(texts.pop()!, origin))
  if (hasData(type)) {
    const data = dataOf(type, texts)
    if (data === undefined) throw new ZoneFileError(line, `${type} has too few parts`)
    return { data, ...priority }
  }
  if (type === 'TXT') return { content: texts.map(asTxtStrings).join(' ') }
  const content = texts.join('')
  const isName = type === 'CNAME' || type === 'MX' || type === 'NS' || type === 'PTR'
  return { content: isName ? completed(content, origin) : content, ...priority }
}

/** Without the final dot; a name without one is below the origin. */
function completed(name: string, origin: string): string {
  if (name === '@') return origin
  if (name === '.') return name
  return name.endsWith('.') ? name.slice(0, -1) : `${name}.${origin}`
}

const units = { '': 1, S: 1, M: 60, H: 3600, D: 86_400, W: 604_800 } as const

/** `3600`, `1h30m` */
function secondsOf(text: string): number | undefined {
  if (!/^\d{1,9}$|^(?:\d{1,9}[smhdw])+$/i.test(text)) return undefined
  let seconds = 0
  for (const [, number, unit] of text.matchAll(/(\d+)([smhdw]?)/gi))
    seconds += Number(number) * units[unit!.toUpperCase() as keyof typeof units]
  return seconds
}

const marksBegin = 'cf_tags='

interface Remark {
  readonly comment: string | null
  readonly tags: string[]
  readonly flags: ReadonlyMap<string, string>
}

/** `comment cf_tags=tag,name:value,cf-proxied:true` */
function remarkOf({ remark }: FileEntry): Remark {
  const at = remark.lastIndexOf(marksBegin)
  const comment = (at < 0 ? remark : remark.slice(0, at)).trim()
  const tags: string[] = []
  const flags = new Map<string, string>()
  const marks = at < 0 ? '' : remark.slice(at + marksBegin.length)
  for (const [mark] of marks.matchAll(/[^,":]+(?::(?:"(?:[^"\\]|\\.)*"|[^,]*))?/g)) {
    const colon = mark.indexOf(':')
    const name = (colon < 0 ? mark : mark.slice(0, colon)).trim()
    const value = colon < 0 ? undefined : unquoted(mark.slice(colon + 1).trim())
    if (name.startsWith('cf-')) flags.set(name, value ?? '')
    else if (name !== '') tags.push(value === undefined ? name : `${name}:${value}`)
  }
  return { comment: comment === '' ? null : comment, tags, flags }
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}
