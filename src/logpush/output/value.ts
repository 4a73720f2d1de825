import type { DatasetField, FieldType } from '../../model/dataset.ts'
import { type TimestampFormat, timestampWriter } from './timestamp.ts'

/** Writes the value of one field; a record without the field gets the empty value of its type. */
export type ValueWriter = (value: unknown) => string

/** Text that JSON leaves as it is: no quote, backslash, control character or surrogate. */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** As JSON: text quoted, numbers and booleans bare. */
export function ndjsonWriter(field: DatasetField, timestamps: TimestampFormat): ValueWriter {
  if (field.type === 'timestamp') return timestampWriter(timestamps)
  const empty = emptyValue(field.type)
  return value => {
    // Calling JSON costs more than the work that it does here.
    if (typeof value === 'string' && plain.test(value)) return `"${value}"`
    if (typeof value === 'number' && Number.isSafeInteger(value)) return `${value}`
    if (Array.isArray(value) && value.length === 0) return '[]'
    return value === undefined || value === null ? empty : JSON.stringify(value)
  }
}

/**
 * As a CSV field: text in double quotes with quotes doubled, numbers and booleans bare, arrays and objects as quoted
 * JSON.
 * @source RFC 4180 section 2
 */
export function csvWriter(field: DatasetField, timestamps: TimestampFormat): ValueWriter {
  if (field.type === 'timestamp') return timestampWriter(timestamps)
  const empty = emptyValue(field.type)
  const emptyField = empty.startsWith('"') ? empty : isBare(field.type) ? empty : quoted(empty)
  return value => {
    if (value === undefined || value === null) return emptyField
    if (typeof value === 'string') return quoted(value)
    return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value)
  }
}

function quoted(text: string): string {
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`
}

function isBare(type: FieldType): boolean {
  return type === 'int' || type === 'float' || type === 'bool'
}

/** The empty value of a field, as JSON. */
function emptyValue(type: Exclude<FieldType, 'timestamp'>): string {
  switch (type) {
    case 'string':
      return '""'
    case 'int':
    case 'float':
      return '0'
    case 'bool':
      return 'false'
    case 'object':
      return '{}'
    default:
      return '[]'
  }
}
