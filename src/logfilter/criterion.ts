import type { DatasetField, LogRecord } from '../model/dataset.ts'
import type { FilterKind } from './operators.ts'
import type { LogPredicate } from './types.ts'

export type CriterionOutcome =
  | { readonly ok: true; readonly test: LogPredicate }
  /** `at` is a JSON pointer below `value`. */
  | { readonly ok: false; readonly at: string; readonly message: string }

/**
 * Compiles one comparison. A record without the field is read as the type's empty value ("" / 0 / false / []),
 * as its log line would show it.
 */
export function criterion(
  field: DatasetField,
  kind: FilterKind,
  operator: string,
  value: unknown,
): CriterionOutcome {
  const negated = operator.startsWith('!')
  const plain = negated ? operator.slice(1) : operator
  const compiled = plain === 'in' ? membership(field, kind, value) : comparison(field, kind, plain, value)
  if (!compiled.ok || !negated) return compiled
  const { test } = compiled
  return { ok: true, test: record => !test(record) }
}

function comparison(
  field: DatasetField,
  kind: FilterKind,
  operator: string,
  value: unknown,
): CriterionOutcome {
  if (Array.isArray(value))
    return { ok: false, at: '', message: `"${operator}" compares with one value; arrays are for in and !in` }
  const wanted = operand(field, kind, value)
  if (wanted === undefined) return { ok: false, at: '', message: expected(field, kind, value) }
  const { name } = field
  switch (kind) {
    case 'string':
      return { ok: true, test: textTest(name, operator, wanted as string) }
    case 'bool':
      return { ok: true, test: record => (record[name] ?? false) === wanted }
    case 'number':
      return { ok: true, test: orderTest(operator, record => numberIn(record, name), wanted as number) }
    case 'nanoseconds':
      return { ok: true, test: orderTest(operator, record => nanosecondsIn(record, name), wanted as bigint) }
    default:
      return { ok: true, test: record => arrayIn(record, name).includes(wanted) }
  }
}

function membership(field: DatasetField, kind: FilterKind, value: unknown): CriterionOutcome {
  if (!Array.isArray(value)) return { ok: false, at: '', message: '"in" and "!in" need an array of values' }
  if (value.length === 0) return { ok: false, at: '', message: 'the array is empty' }
  const set = new Set<unknown>()
  for (const [index, element] of value.entries()) {
    const wanted = operand(field, kind, element)
    if (wanted === undefined) return { ok: false, at: `/${index}`, message: expected(field, kind, element) }
    set.add(wanted)
  }
  const { name } = field
  switch (kind) {
    case 'string':
      return { ok: true, test: record => set.has(textIn(record, name)) }
    case 'number':
      return { ok: true, test: record => set.has(numberIn(record, name)) }
    case 'nanoseconds':
      return { ok: true, test: record => set.has(nanosecondsIn(record, name)) }
    default:
      return { ok: true, test: record => arrayIn(record, name).some(element => set.has(element)) }
  }
}

function textTest(name: string, operator: string, wanted: string): LogPredicate {
  switch (operator) {
    case 'startsWith':
      return record => textIn(record, name).startsWith(wanted)
    case 'endsWith':
      return record => textIn(record, name).endsWith(wanted)
    case 'contains':
      return record => textIn(record, name).includes(wanted)
    default:
      return record => textIn(record, name) === wanted
  }
}

function orderTest<T extends number | bigint>(
  operator: string,
  read: (record: LogRecord) => T,
  wanted: T,
): LogPredicate {
  switch (operator) {
    case 'lt':
      return record => read(record) < wanted
    case 'leq':
      return record => read(record) <= wanted
    case 'gt':
      return record => read(record) > wanted
    case 'geq':
      return record => read(record) >= wanted
    default:
      return record => read(record) === wanted
  }
}

/** What the filter's value means for the field; undefined when it does not fit. */
function operand(
  field: DatasetField,
  kind: FilterKind,
  value: unknown,
): string | number | bigint | boolean | undefined {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : undefined
    case 'bool':
      return value === true || value === 'true'
        ? true
        : value === false || value === 'false'
          ? false
          : undefined
    case 'number':
      return field.type === 'float' ? floatOperand(value) : intOperand(value)
    case 'nanoseconds':
      return nanosecondsOperand(value)
    default:
      return field.type === 'array[int]' ? intOperand(value) : typeof value === 'string' ? value : undefined
  }
}

/** Numbers may be given as text. */
function intOperand(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  if (typeof value !== 'string' || !/^-?\d{1,16}$/.test(value)) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : undefined
}

function floatOperand(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d{1,17}(?:\.\d{1,17})?$/.test(value) ? Number(value) : undefined
}

/** Nanoseconds since the epoch as a number or text, or an RFC 3339 time. */
function nanosecondsOperand(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  if (/^\d{1,19}$/.test(value)) return BigInt(value)
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(value)
  const milliseconds = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3]}`)
  if (match === null || Number.isNaN(milliseconds)) return undefined
  return BigInt(milliseconds) * 1_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'))
}

function expected(field: DatasetField, kind: FilterKind, value: unknown): string {
  const shown = JSON.stringify(value)
  switch (kind) {
    case 'string':
      return `${field.name} is a string, ${shown} is not`
    case 'bool':
      return `${field.name} is a boolean, ${shown} is neither true nor false`
    case 'number':
      return `${field.name} is a number, ${shown} is none`
    case 'nanoseconds':
      return `${field.name} is a time: nanoseconds since 1970 or RFC 3339 text, ${shown} is neither`
    default:
      return `the elements of ${field.name} are of type ${field.type === 'array[int]' ? 'int' : 'string'}, ${shown} is not`
  }
}

function textIn(record: LogRecord, name: string): string {
  const value = record[name]
  return typeof value === 'string' ? value : ''
}

function numberIn(record: LogRecord, name: string): number {
  const value = record[name]
  return typeof value === 'number' ? value : 0
}

function nanosecondsIn(record: LogRecord, name: string): bigint {
  const value = record[name]
  return typeof value === 'string' && value !== '' ? BigInt(value) : 0n
}

function arrayIn(record: LogRecord, name: string): readonly unknown[] {
  const value = record[name]
  return Array.isArray(value) ? value : []
}
