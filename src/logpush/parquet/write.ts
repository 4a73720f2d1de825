import { Readable } from 'node:stream'
import { createGunzip, zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { logpushLimits } from '../limits.ts'
import type { Column, ColumnKind } from '../output/columns.ts'
import { schemaOf } from './schema.ts'

/**
 * Makes a Parquet file of rows: JSON arrays of column values, one on each line. The rows are cut into row groups by
 * their size as text. So the same rows give the same bytes, and memory holds one row group of values.
 * @param gzip the rows, compressed
 */
export async function writeParquet(gzip: Uint8Array, columns: readonly Column[]): Promise<Uint8Array> {
  const output = new ByteWriter()
  const file = new ParquetWriter({
    writer: output,
    schema: schemaOf(columns),
    codec: 'ZSTD',
    compressors: { ZSTD: bytes => zstdCompressSync(bytes) },
    createdBy: 'Sluice',
  })
  const group = new RowGroup(columns)
  for await (const line of linesOf(gzip)) {
    group.add(line)
    if (group.characters >= logpushLimits.rowGroupCharacters) group.writeTo(file)
  }
  if (group.characters > 0) group.writeTo(file)
  file.finish()
  return output.getBytes().slice()
}

async function* linesOf(gzip: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of Readable.from([gzip]).pipe(createGunzip())) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}

/** Rows as columns, until they are written. */
class RowGroup {
  /** Of the rows as text. */
  characters = 0
  readonly #columns: readonly Column[]
  readonly #values: unknown[][]
  #rows = 0

  constructor(columns: readonly Column[]) {
    this.#columns = columns
    this.#values = columns.map(() => [])
  }

  add(line: string): void {
    const row = JSON.parse(line) as unknown[]
    for (let index = 0; index < row.length; index++)
      this.#values[index]!.push(stored(this.#columns[index]!.kind, row[index]))
    this.characters += line.length
    this.#rows++
  }

  writeTo(file: ParquetWriter): void {
    const columnData = this.#columns.map(({ name, kind }, index) => {
      // The first and the last of such texts help no search, and can be long.
      return { name, data: this.#values[index]!, statistics: kind !== 'json' }
    })
    // The output is memory, so nothing is left to wait for.
    void file.write({ columnData, rowGroupSize: this.#rows })
    for (const values of this.#values) values.length = 0
    this.characters = 0
    this.#rows = 0
  }
}

/** A value of a row, as the file's physical type takes it. */
function stored(kind: ColumnKind, value: unknown): unknown {
  switch (kind) {
    case 'int':
      return BigInt(value as number)
    case 'ints':
      return (value as number[]).map(BigInt)
    case 'digits':
    case 'millis':
    case 'nanos':
      return BigInt(value as string)
    case 'json':
      // The library writes it as the same text.
      return JSON.parse(value as string)
    default:
      return value
  }
}
