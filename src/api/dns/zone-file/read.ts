import { type DnsRecordType, dnsRecordTypes } from '../../../model/dns-record.ts'
import { dataOf, hasData, typesWithPriority } from '../content.ts'
import type { RecordInput } from '../input.ts'
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
}

/**
 * The records of a zone file. SOA records and the NS records of the zone itself are left out: they belong to name
 * servers.
 * @param proxied for records that can be proxied and do not say it themselves
 * @source RFC 1035 5.1, RFC 2308 4 ($TTL); Cloudflare docs, import and export records
 * @throws ZoneFileError
 */
export function* readZoneFile(file: string, zoneName: string, proxied: boolean): Generator<FileRecord> {
  const state: State = { origin: zoneName, ttl: 1, name: zoneName }
  for (const entry of entriesOf(file)) {
    const [first, ...others] = entry.fields
    const directive = first!.quoted || entry.continues ? '' : first!.text.toUpperCase()
    if (directive === '$GENERATE') {
      const [range, ...template] = others
      for (const number of numbersOf(range?.text ?? '', entry.line)) {
        const fields = template.map(field => ({ ...field, text: filled(field.text, number) }))
        yield* recordOf({ ...entry, fields }, state, zoneName, proxied)
      }
    } else if (directive.startsWith('$')) direct(state, directive, others[0]?.text, entry.line)
    else yield* recordOf(entry, state, zoneName, proxied)
  }
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
function* recordOf(
  entry: FileEntry,
  state: State,
  zoneName: string,
  proxied: boolean,
): Generator<FileRecord> {
  const fields = [...entry.fields]
  if (!entry.continues) state.name = completed(fields.shift()!.text, state.origin)
  let { ttl } = state
  let type = ''
  for (let field = fields.shift(); field !== undefined; field = fields.shift()) {
    const text = field.text.toUpperCase()
    if (text === 'IN') continue
    const seconds = secondsOf(text)
    if (seconds === undefined) {
      type = text
      break
    }
    ttl = seconds
  }
  if (type === 'SOA' || (type === 'NS' && state.name === zoneName)) return
  if (!isKnown(type)) throw new ZoneFileError(entry.line, `unknown record type ${type.slice(0, 20)}`)
  const { comment, tags, flags } = remarkOf(entry)
  const own = flags.get('cf-proxied')
  const flattens = flags.get('cf-flatten-cname')
  yield {
    line: entry.line,
    input: {
      name: state.name,
      type,
      // Zone files have short times that the API refuses.
      ttl: ttl === 1 ? 1 : Math.min(86_400, Math.max(30, ttl)),
      ...rdataOf(type, fields, state.origin, entry.line),
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
