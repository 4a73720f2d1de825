import { recordFields, recordHead } from '../../bus/index.ts'
import type { SequencedRecord } from '../../bus/port.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { samplingLimits } from '../../model/limits.ts'
import { whatIfSamplesDataset } from '../../model/what-if-sample.ts'
import { analyticsLimits } from '../limits.ts'
import type { TimeRange } from '../positions.ts'
import { holding } from '../values.ts'
import { type SampleSeen, sampleSeen } from '../what-if/seen.ts'
import type { Rows, Value } from './port.ts'
import { type ColumnType, type Table, type TableName, tables } from './tables.ts'

/** A row by the names of its columns; missing ones have the empty value of their type. */
type Row = { readonly [column: string]: unknown }

/**
 * Reads records of the log into rows. Records of other datasets are left out, and so are invalid ones: on a shared server
 * any user may have written them.
 * @param times of rows that are kept: older ones would be removed at once, and ones far in the future never
 */
export function decode(
  partition: string,
  records: readonly SequencedRecord[],
  times: TimeRange,
): readonly Rows[] {
  const decoded = new Map<TableName, Builder>()
  const base = idBase(partition)
  for (const { sequence, record } of records) {
    const row = rowOf(record)
    if (row === undefined || row.timeMs < times.sinceMs || row.timeMs >= times.untilMs) continue
    let builder = decoded.get(row.table)
    if (builder === undefined) {
      builder = new Builder(tables[row.table], records.length)
      decoded.set(row.table, builder)
    }
    builder.add(row, base + (sequence % sequencesOfPartition))
  }
  return [...decoded.values()].map(builder => builder.rows())
}

/** Bits of an id: 13 of its partition, and 40 of its sequence, so that it is an exact number. */
export const sequencesOfPartition = 2 ** 40
const partitionHashes = 2 ** 13

/** Two partitions of the same hash would have to give the same sequence to the same millisecond to share an id. */
export function idBase(partition: string): number {
  let hash = 0
  for (let at = 0; at < partition.length; at++)
    hash = (hash * 31 + partition.charCodeAt(at)) % partitionHashes
  return hash * sequencesOfPartition
}

interface Decoded {
  readonly table: TableName
  readonly zone: string
  readonly account: string
  readonly timeMs: number
  readonly own: Row
  readonly fields: LogRecord
}

function rowOf(record: string): Decoded | undefined {
  try {
    const { zone, account, dataset } = recordHead(record)
    if (typeof zone !== 'string' || typeof account !== 'string') return undefined
    const owner = { zone, account }
    if (dataset === 'http_requests') return requestRow(owner, recordFields(record))
    if (dataset === 'firewall_events') return eventRow(owner, recordFields(record))
    if (dataset === whatIfSamplesDataset) return sampleRow(owner, sampleSeen(zone, recordFields(record)))
    return undefined
  } catch {
    return undefined
  }
}

type Owner = Pick<Decoded, 'zone' | 'account'>

function requestRow(owner: Owner, fields: LogRecord): Decoded | undefined {
  const timeMs = millisecondsOf(fields['EdgeStartTimestamp'])
  if (timeMs === undefined) return undefined
  const action = textOf(fields['SecurityAction'])
  const mitigated = action !== '' && holding.has(action.toLowerCase())
  const own = {
    mitigated,
    mitigated_by: mitigated ? sourceOf(action, fields) : '',
    rules: rulesOfRequest(fields),
    EdgeResponseBytes: boundedBytes(fields['EdgeResponseBytes']),
    ClientRequestBytes: boundedBytes(fields['ClientRequestBytes']),
  }
  return { table: 'http_requests', ...owner, timeMs, own, fields }
}

/** So that no sum of rows exceeds a column. */
const byteBound = 1e12

function boundedBytes(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? Math.min(value, byteBound)
    : 0
}

/** Source of the last action of the same name: the action that ends a request comes last. */
function sourceOf(action: string, fields: LogRecord): string {
  const actions = fields['SecurityActions']
  const sources = fields['SecuritySources']
  if (!Array.isArray(actions) || !Array.isArray(sources)) return ''
  return textOf(sources[actions.lastIndexOf(action)]).toLowerCase()
}

const noRules: readonly string[] = []

/** Solved challenges are listed with an empty rule. */
function rulesOfRequest(fields: LogRecord): readonly string[] {
  const { SecurityRuleIDs: acted, MatchedRules: matched } = fields
  if (acted === undefined && matched === undefined) return noRules
  const names = new Set<string>()
  for (const id of listOf(acted)) addName(names, id, '')
  for (const run of listOf(matched))
    for (const rule of listOf(run?.rules)) addName(names, rule?.id, rule?.metadata?.ref)
  return [...names]
}

function eventRow(owner: Owner, fields: LogRecord): Decoded | undefined {
  const timeMs = millisecondsOf(fields['Datetime'])
  if (timeMs === undefined || !/^[0-9a-f]{16}$/.test(textOf(fields['RayID']))) return undefined
  const action = textOf(fields['Action']).toLowerCase()
  const own = {
    mitigated: holding.has(action),
    rules: matchedRules(fields['Metadata']),
    Action: action,
    Source: textOf(fields['Source']).toLowerCase(),
  }
  return { table: 'firewall_events', ...owner, timeMs, own, fields }
}

function matchedRules(metadata: unknown): readonly string[] {
  const { rules } = (metadata ?? {}) as { readonly rules?: unknown }
  if (rules === undefined) return noRules
  const names = new Set<string>()
  for (const rule of listOf(rules)) addName(names, rule?.id, rule?.ref)
  return [...names]
}

/** Rules without an id are helpers of the sources, and cannot be overridden. */
function addName(names: Set<string>, id: unknown, ref: unknown): void {
  if (typeof id === 'string' && id !== '' && names.size < analyticsLimits.matchedRulesMax)
    names.add(`${id} ${textOf(ref)}`)
}

// biome-ignore lint/suspicious/noExplicitAny: on a shared server, any client may have written anything
function listOf(value: unknown): readonly any[] {
  return Array.isArray(value) ? value.slice(0, analyticsLimits.matchedRulesMax) : []
}

function sampleRow(owner: Owner, seen: SampleSeen | undefined): Decoded | undefined {
  if (seen === undefined) return undefined
  const { scores, rules, leftOut, cpuMicros, ...sample } = seen.sample
  const [s1, s2, s3, s4] = scores
  const own = { mitigated: holding.has(sample.action), s1, s2, s3, s4 }
  const fields = {
    ...sample,
    left_out: leftOut,
    cpu_us: cpuMicros,
    matches: rules.slice(0, samplingLimits.matchesMax),
  }
  return { table: 'what_if_samples', ...owner, timeMs: seen.timeMs, own, fields }
}

/** Collects the values of rows by column. Most columns stay empty: those of a type are one list then. */
class Builder {
  readonly #table: Table
  readonly #most: number
  readonly #columnIndexes: ReadonlyMap<string, number>
  readonly #columns: (Value[] | undefined)[]
  #count = 0

  /** @param most rows that will be added */
  constructor(table: Table, most: number) {
    this.#table = table
    this.#most = most
    this.#columnIndexes = columnIndexes[table.name]
    this.#columns = new Array(table.columns.length).fill(undefined)
  }

  add({ zone, account, timeMs, own, fields }: Decoded, id: number): void {
    const row = this.#count++
    for (const name in fields) this.#set(row, name, fields[name])
    // These replace fields of the same name.
    for (const name in own) this.#set(row, name, own[name])
    this.#column(0)[row] = zone
    this.#column(1)[row] = account
    this.#column(2)[row] = timeMs
    this.#column(3)[row] = id
  }

  #set(row: number, name: string, value: unknown): void {
    const at = this.#columnIndexes.get(name)
    if (at === undefined) return
    const { type } = this.#table.columns[at]!
    const written = columnValue(type, value)
    if (this.#columns[at] !== undefined || written !== emptyValues[type]) this.#column(at)[row] = written
  }

  #column(at: number): Value[] {
    this.#columns[at] ??= emptyColumn(this.#table.columns[at]!.type, this.#most)
    return this.#columns[at]
  }

  rows(): Rows {
    const empty = new Map<ColumnType, readonly Value[]>()
    const columns = this.#table.columns.map(({ type }, at) => {
      const values = this.#columns[at]
      if (values !== undefined) return values.slice(0, this.#count)
      if (!empty.has(type)) empty.set(type, emptyColumn(type, this.#count))
      return empty.get(type)!
    })
    return { table: this.#table.name, count: this.#count, columns }
  }
}

const noList: readonly never[] = []

const emptyValues: { readonly [T in ColumnType]: Value } = {
  text: '',
  int: 0,
  float: 0,
  bool: false,
  ms: 0,
  ns: 0n,
  texts: noList,
  ints: noList,
  json: '',
}

function emptyColumn(type: ColumnType, rows: number): Value[] {
  return new Array<Value>(rows).fill(emptyValues[type])
}

function indexesByName({ columns }: Table): ReadonlyMap<string, number> {
  return new Map(columns.map(({ name }, at) => [name, at]))
}

/** Indexes of the columns of each table by their names. */
const columnIndexes: { readonly [T in TableName]: ReadonlyMap<string, number> } = {
  http_requests: indexesByName(tables.http_requests),
  firewall_events: indexesByName(tables.firewall_events),
  what_if_samples: indexesByName(tables.what_if_samples),
}

/** The value in its column's type; the empty one for a value of another type. */
function columnValue(type: ColumnType, value: unknown): Value {
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : ''
    case 'int':
    case 'ms':
      return Number.isSafeInteger(value) ? (value as number) : 0
    case 'float':
      return typeof value === 'number' ? value : 0
    case 'bool':
      return value === true
    case 'ns':
      return nanosecondsOf(value) ?? 0n
    case 'texts':
      return Array.isArray(value) ? value.filter(one => typeof one === 'string') : noList
    case 'ints':
      return Array.isArray(value) ? value.filter(one => Number.isSafeInteger(one)) : noList
    case 'json':
      return typeof value === 'object' && value !== null ? jsonOf(value) : ''
  }
}

/** Empty for a value that is nested too deeply, which no edge writes. */
function jsonOf(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}

/** Engines keep microseconds in 64 bits, and their last value is infinity. It has 19 digits. */
const endOfTime = '9223372036854775000'

/** Text of the nanoseconds since the epoch, with as many digits as the times of requests. */
function digitsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return /^\d{18,19}$/.test(text) && (text.length < endOfTime.length || text < endOfTime) ? text : undefined
}

function nanosecondsOf(value: unknown): bigint | undefined {
  const digits = digitsOf(value)
  return digits === undefined ? undefined : BigInt(digits)
}

function millisecondsOf(value: unknown): number | undefined {
  const digits = digitsOf(value)
  return digits === undefined ? undefined : Number(digits.slice(0, -6))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
