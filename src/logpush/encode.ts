import type { DatasetField, FieldType, LogRecord } from '../model/dataset.ts'
import type { LineFormat, TimestampFormat } from './format.ts'

/** Writes a record as one line of NDJSON, with its line feed. */
export type LineEncoder = (record: LogRecord) => string

/** Made once a job; a line costs one pass over the job's fields. */
export function lineEncoder(format: LineFormat): LineEncoder {
  const columns = format.fields.map(field => ({
    prefix: `${JSON.stringify(field.name)}:`,
    name: field.name,
    write: writer(field, format.timestamps),
  }))
  return record => {
    let line = '{'
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]!
      line += `${index === 0 ? '' : ','}${column.prefix}${column.write(record[column.name])}`
    }
    line += '}\n'
    return format.defuse ? line.replaceAll('${', 'x{') : line
  }
}

function writer(field: DatasetField, timestamps: TimestampFormat): (value: unknown) => string {
  if (field.type === 'timestamp') return timestampWriter(timestamps)
  const empty = emptyValue(field.type)
  return value => (value === undefined || value === null ? empty : JSON.stringify(value))
}

/** What a line shows for a field without a value. */
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

/** Nanoseconds exceed 2^53, so they stay decimal text until they are written bare. */
function timestampWriter(format: TimestampFormat): (value: unknown) => string {
  switch (format) {
    case 'unixnano':
      return value => (typeof value === 'string' && value !== '' ? value : '0')
    case 'unix':
      return value => (typeof value === 'string' && value.length > 9 ? value.slice(0, -9) : '0')
    case 'rfc3339':
      return value => {
        const seconds = typeof value === 'string' && value.length > 9 ? Number(value.slice(0, -9)) : 0
        return `"${new Date(seconds * 1000).toISOString().slice(0, 19)}Z"`
      }
  }
}
