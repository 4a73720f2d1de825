import type { LogRecord } from '../../model/dataset.ts'
import { columnWriter } from './columns.ts'
import { defused } from './defuse.ts'
import type { LineFormat } from './format.ts'
import { csvWriter, ndjsonWriter, type ValueWriter } from './value.ts'

/** Writes one record: its prefix, its fields or template, its suffix. */
export type LineEncoder = (record: LogRecord) => string

/** One field of the output, with its preceding text. */
interface Column {
  readonly before: string
  readonly name: string
  readonly write: ValueWriter
  /** The output, with the preceding text, for a record without the field. */
  readonly empty: string
}

/** Compiled once per job; encoding a record takes one pass over the job's fields. */
export function lineEncoder(format: LineFormat): LineEncoder {
  const { columns, rest } = format.template === undefined ? listedColumns(format) : templateColumns(format)
  const end = rest + format.texts.recordSuffix
  const encode: LineEncoder = record => {
    let line = ''
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index]!
      const value = record[column.name]
      // Piece by piece, so that each is copied once into the line.
      if (value === undefined || value === null) line += column.empty
      else {
        line += column.before
        line += column.write(value)
      }
    }
    return line + end
  }
  return format.defuse ? record => defused(encode(record)) : encode
}

interface Columns {
  readonly columns: readonly Column[]
  /** The text after the last field. */
  readonly rest: string
}

function listedColumns(format: LineFormat): Columns {
  const { recordPrefix, fieldDelimiter } = format.texts
  const columns = format.fields.map((field, index) => {
    const name = format.type === 'ndjson' ? `${JSON.stringify(field.name)}:` : ''
    return columnOf(format, field.name, (index === 0 ? recordPrefix : fieldDelimiter) + name)
  })
  return { columns, rest: columns.length === 0 ? recordPrefix : '' }
}

function templateColumns(format: LineFormat): Columns {
  const columns: Column[] = []
  let before = format.texts.recordPrefix
  for (const piece of format.template!) {
    if (piece.kind === 'text') before += piece.text
    else {
      columns.push(columnOf(format, piece.name, before))
      before = ''
    }
  }
  return { columns, rest: before }
}

function columnOf(format: LineFormat, name: string, before: string): Column {
  const write = writerOf(format, name)
  return { before: flat(before), name, write, empty: flat(before + write(undefined)) }
}

/** Flattens a concatenated string: otherwise it is flattened for every line that contains it. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}

const writers = { ndjson: ndjsonWriter, csv: csvWriter, parquet: columnWriter }

/**
 * A field that the job does not list is null, and so is a field that the dataset does not have: only templates name
 * such fields.
 */
function writerOf(format: LineFormat, name: string): ValueWriter {
  const field = format.fields.find(listed => listed.name === name)
  if (field === undefined) return () => 'null'
  return writers[format.type](field, format.timestamps)
}
