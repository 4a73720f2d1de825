import type { DatasetField } from '../../model/dataset.ts'
import type { LineFormat } from './format.ts'
import { type TimestampFormat, timestampWriter } from './timestamp.ts'
import type { ValueWriter } from './value.ts'

/** A column of a Parquet file. */
export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

/**
 * Columns have text, numbers, booleans, JSON as text, lists, or times. `digits` are times as numbers; `millis` and `nanos`
 * count from 1970.
 */
export type ColumnKind =
  | 'string'
  | 'int'
  | 'float'
  | 'bool'
  | 'json'
  | 'strings'
  | 'ints'
  | 'digits'
  | 'millis'
  | 'nanos'

/** The columns of a job that writes Parquet. */
export function columnsOf({ fields, timestamps }: Pick<LineFormat, 'fields' | 'timestamps'>): Column[] {
  return fields.map(field => ({ name: field.name, kind: kindOf(field, timestamps) }))
}

const kinds: Readonly<Record<Exclude<DatasetField['type'], 'timestamp'>, ColumnKind>> = {
  string: 'string',
  int: 'int',
  float: 'float',
  bool: 'bool',
  object: 'json',
  'array[object]': 'json',
  'array[string]': 'strings',
  'array[int]': 'ints',
}

function kindOf({ type }: DatasetField, timestamps: TimestampFormat): ColumnKind {
  if (type !== 'timestamp') return kinds[type]
  if (timestamps === 'unixnano' || timestamps === 'unix') return 'digits'
  return timestamps === 'rfc3339ns' ? 'nanos' : 'millis'
}

/**
 * Writes values for the file as JSON, in the one form that reading the file gives back. Values of another type than
 * the field's become its type. Integers of 64 bits are text, because JSON's numbers are doubles.
 */
export function columnWriter(field: DatasetField, timestamps: TimestampFormat): ValueWriter {
  if (field.type === 'timestamp') return timeWriter(timestamps)
  switch (kinds[field.type]) {
    case 'string':
      return value => (value === undefined || value === null ? '""' : JSON.stringify(textOf(value)))
    case 'int':
      return value => String(integerOf(value))
    case 'float':
      return value => (typeof value === 'number' && Number.isFinite(value) ? JSON.stringify(value) : '0')
    case 'bool':
      return value => String(value === true)
    case 'strings':
      return value => JSON.stringify(Array.isArray(value) ? value.map(textOf) : [])
    case 'ints':
      return value => JSON.stringify(Array.isArray(value) ? value.map(integerOf) : [])
    default: {
      const empty = field.type === 'object' ? {} : []
      return value => JSON.stringify(jsonOf(value ?? empty))
    }
  }
}

/** Files hold UTF-8, which has no single surrogates. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : jsonOf(value)
}

function jsonOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  // Well-formed characters are not escaped.
  if (!text.includes('\\ud')) return text
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part))
}

function integerOf(value: unknown): number {
  const whole = Math.trunc(Number(value))
  return Number.isSafeInteger(whole) ? whole + 0 : 0
}

/** The largest nanoseconds of 64 bits with a sign, in 2262. */
const nanosecondsMax = '9223372036854775807'

function timeWriter(timestamps: TimestampFormat): ValueWriter {
  const nanoseconds = timestampWriter('unixnano')
  // Digits that a file of this precision leaves out.
  const dropped = { unixnano: 0, rfc3339ns: 0, rfc3339ms: 6, rfc3339: 9, unix: 9 }[timestamps]
  // Whole seconds are a number, or a time of milliseconds.
  const appended = timestamps === 'rfc3339' ? '000' : ''
  return value => {
    const digits = nanoseconds(value)
    const isOutside = digits.length === nanosecondsMax.length && digits > nanosecondsMax
    const kept = isOutside || digits.length <= dropped ? '0' : digits.slice(0, digits.length - dropped)
    return `"${BigInt(kept + appended)}"`
  }
}
