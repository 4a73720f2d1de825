import { randomBytes } from 'node:crypto'
import type { DuckDBConnection } from '@duckdb/node-api'
import { RecordStoreError, type Rows, type Value } from '../port.ts'
import { type ColumnType, tables } from '../tables.ts'

/**
 * Appends the rows in the transaction of the connection. A column is handed over as one text that the engine splits,
 * because each value that is handed over separately costs a call into the engine; a column of equal values is one value.
 */
export async function appendRows(
  connection: DuckDBConnection,
  { table, count, columns }: Rows,
): Promise<void> {
  const ends = { value: unguessable(), item: unguessable() }
  const parameters: string[] = []
  const split: string[] = []
  const selected = tables[table].columns.map(({ type }, at) => {
    const values = columns[at]!
    const texts = sameThroughout(values) ? [values[0]!] : values
    parameters.push(textOf(type, texts, ends))
    const parameter = `$${parameters.length}`
    if (texts.length === 1) return fromText[type](parameter, ends)
    split.push(`unnest(string_split(${parameter}, '${ends.value}')) as c${at}`)
    return fromText[type](`c${at}`, ends)
  })
  const from = split.length === 0 ? `range(${count})` : `(select ${split.join()})`
  const inserted = await connection.run(
    `insert into ${table} select ${selected.join()} from ${from}`,
    parameters,
  )
  if (inserted.rowsChanged !== count)
    throw new RecordStoreError('failed', `${table} took ${inserted.rowsChanged} rows of ${count}`)
}

interface Ends {
  readonly value: string
  readonly item: string
}

/**
 * Separates texts that clients wrote, so it is not known before; the engine finds eight bytes fastest. It has letters,
 * digits, `-` and `_`, so that it can stand in a statement.
 */
function unguessable(): string {
  return randomBytes(6).toString('base64url')
}

function sameThroughout(values: readonly Value[]): boolean {
  const [first] = values
  return Array.isArray(first)
    ? values.every(value => (value as readonly unknown[]).length === 0)
    : values.every(value => value === first)
}

/** Values between separators; every item of a list ends with one. */
function textOf(type: ColumnType, values: readonly Value[], ends: Ends): string {
  if (type !== 'texts' && type !== 'ints') return values.join(ends.value)
  const lists = values as readonly (readonly unknown[])[]
  return lists.map(items => (items.length === 0 ? '' : items.join(ends.item) + ends.item)).join(ends.value)
}

function itemsOf(text: string, { item }: Ends): string {
  return `list_slice(string_split(${text}, '${item}'), 1, -2)`
}

/** The value of a column from its text. */
const fromText: { readonly [T in ColumnType]: (text: string, ends: Ends) => string } = {
  text: text => text,
  json: text => text,
  int: text => `${text}::bigint`,
  float: text => `${text}::double`,
  bool: text => `${text}::boolean`,
  ms: text => `epoch_ms(${text}::bigint)`,
  ns: text => `make_timestamp_ns(${text}::bigint)`,
  texts: itemsOf,
  ints: (text, ends) => `${itemsOf(text, ends)}::bigint[]`,
}
