import type { DuckDBConnection } from '@duckdb/node-api'
import { loadDuckDB } from '../records/duckdb/load.ts'
import { duckdbTypes, emptyValues, functions } from '../records/duckdb/schema.ts'
import { type Column, type Table, tables } from '../records/tables.ts'
import { fileOf, resultOf } from './files.ts'
import { neededColumns } from './needed-columns.ts'
import type { NeededColumns } from './protocol.ts'
import { foreignSource } from './sources.ts'

/** An engine without data, in memory. */
export async function openEngine(memoryMib: number): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await loadDuckDB()
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${memoryMib}MiB`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
  const connection = await instance.connect()
  await connection.run("set TimeZone = 'UTC'")
  return connection
}

/** The text is not one statement that reads what is the account's. */
export class NotReadingError extends Error {
  override readonly name = 'NotReadingError'
}

/**
 * The columns that a statement reads; it is parsed by the engine that runs it.
 * @throws NotReadingError
 */
export async function columnsOf(connection: DuckDBConnection, text: string): Promise<NeededColumns> {
  const reader = await connection.runAndReadAll('select json_serialize_sql($1::varchar)::varchar', [text])
  const parsed = JSON.parse(reader.getRowsJS()[0]![0] as string)
  if (parsed.error_type === 'not implemented')
    throw new NotReadingError(
      'a statement has to be a SELECT: rows can be read, and nothing else. A PIVOT is one if it names its values with IN',
    )
  if (parsed.error) throw new NotReadingError(parsed.error_message)
  if (parsed.statements.length !== 1)
    throw new NotReadingError(`there are ${parsed.statements.length} statements; write one`)
  const views = await connection.runAndReadAll('select lower(view_name) from duckdb_views() where internal')
  const foreign = foreignSource(parsed, new Set(views.getRowsJS().map(([name]) => name as string)))
  if (foreign !== undefined) throw new NotReadingError(foreign)
  return neededColumns(parsed)
}

/**
 * Gives the engine its tables, from the Parquet files of a folder. From then on, only these files and the result's file can
 * be reached, and no statement can change that.
 */
export async function serveTables(
  connection: DuckDBConnection,
  folder: string,
  columns: NeededColumns,
): Promise<void> {
  const paths = [...Object.keys(columns).map(name => fileOf(folder, name)), resultOf(folder)]
  for (const text of functions) await connection.run(`create macro ${text}`)
  await connection.run(`set allowed_paths = [${paths.map(literal).join()}]`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
  for (const table of Object.values(tables)) await connection.run(viewOf(table, columns, folder))
}

/** The table with all its columns; columns that the statement does not read are empty. */
function viewOf({ name, columns }: Table, needed: NeededColumns, folder: string): string {
  const own = needed[name]
  const selected = columns.map(column => {
    const value = own?.includes(column.name) ? exportedValue(column) : emptyValues[column.type]
    return `cast(${value} as ${duckdbTypes[column.type]}) as "${column.name}"`
  })
  const from = own === undefined ? 'where false' : `from read_parquet(${literal(fileOf(folder, name))})`
  return `create view ${name} as select ${selected.join()} ${from}`
}

/** Engines export times of nanoseconds as numbers; see `exportRows`. */
function exportedValue({ name, type }: Column): string {
  return type === 'ns' ? `make_timestamp_ns("${name}")` : `"${name}"`
}

/** Writes the rows of a statement as Parquet. */
export async function writeResult(
  connection: DuckDBConnection,
  text: string,
  rowsMax: number,
  folder: string,
): Promise<void> {
  // A statement within another has no semicolon, and may end in a comment.
  const statement = `${text.replace(/[;\s]+$/, '')}\n`
  await connection.run(
    `copy (select * from (${statement}) limit ${rowsMax}) to ${literal(resultOf(folder))} (format parquet)`,
  )
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
