import { zstdDecompressSync } from 'node:zlib'
import { type ParquetParsers, parquetMetadata, parquetRead } from 'hyparquet'
import { logpushLimits } from '../limits.ts'
import type { Column, ColumnKind } from '../output/columns.ts'

/** Every value as it is stored. */
const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: millis => millis,
  timestampFromNanoseconds: nanos => nanos,
  jsonFromBytes: bytes => Buffer.from(bytes).toString(),
}

/**
 * No page that `writeParquet` made is larger: one character of a row group becomes at most eight bytes. A page of another
 * file could decompress to gigabytes.
 */
const longestPage = 8 * logpushLimits.rowGroupCharacters

/**
 * The rows of a file that `writeParquet` made, as the same text.
 * @param bytesMax of the text
 * @throws when it is no such file, or a longer text
 */
export async function readParquet(
  bytes: Uint8Array,
  columns: readonly Column[],
  bytesMax: number,
): Promise<Buffer> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const metadata = parquetMetadata(file)
  const compressors = {
    ZSTD: (input: Uint8Array, length: number) =>
      zstdDecompressSync(input, { maxOutputLength: Math.min(Math.max(length, 1), longestPage) }),
  }
  const parts: Buffer[] = []
  let size = 0
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    let text = ''
    await parquetRead({
      file,
      metadata,
      columns: columns.map(({ name }) => name),
      rowStart,
      rowEnd,
      compressors,
      parsers,
      onComplete: rows => {
        for (const row of rows) text += lineOf(columns, row as unknown as readonly unknown[])
      },
    })
    const part = Buffer.from(text)
    size += part.length
    if (size > bytesMax) throw new RangeError('the file is longer than any batch')
    parts.push(part)
    rowStart = rowEnd
  }
  return Buffer.concat(parts)
}

function lineOf(columns: readonly Column[], row: readonly unknown[]): string {
  return `[${columns.map(({ kind }, index) => written(kind, row[index])).join()}]\n`
}

function written(kind: ColumnKind, value: unknown): string {
  switch (kind) {
    case 'int':
      return String(value)
    case 'ints':
      return `[${(value as bigint[]).join()}]`
    case 'digits':
    case 'millis':
    case 'nanos':
      return `"${value}"`
    default:
      return JSON.stringify(value)
  }
}
