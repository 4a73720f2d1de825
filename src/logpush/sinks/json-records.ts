import type { RecordsPart } from './parts.ts'
import { type BatchFrame, SinkError } from './sink.ts'

const brace = '{'.charCodeAt(0)

/** The records of a part as one JSON array; undefined unless they are NDJSON. */
export function jsonArray(part: RecordsPart, frame: BatchFrame): string | undefined {
  if (!isNdjson(part, frame)) return undefined
  return `[${part.records.map(trimmed).join(',')}]`
}

/**
 * The records of a part, each a JSON object without line end.
 * @throws SinkError when the job writes another format
 */
export function jsonObjects(part: RecordsPart, frame: BatchFrame): string[] {
  if (!isNdjson(part, frame))
    throw new SinkError(
      'format',
      'never',
      'this destination accepts JSON objects, one per line: set output_options to ndjson without prefixes and delimiters',
    )
  return part.records.map(trimmed)
}

function isNdjson({ records }: RecordsPart, { prefix, delimiter, suffix }: BatchFrame): boolean {
  const bare = `${prefix}${suffix}`.trim() === '' && delimiter.trim() === ''
  return bare && records.every(record => record[0] === brace)
}

function trimmed(record: Buffer): string {
  return record.toString('utf8').trimEnd()
}
