import type { DuckDBConnection } from '@duckdb/node-api'
import { RecordStoreError } from '../port.ts'
import { type ColumnType, type Table, tables, tablesVersion } from '../tables.ts'

export const duckdbTypes: { readonly [T in ColumnType]: string } = {
  text: 'varchar',
  int: 'bigint',
  float: 'double',
  bool: 'boolean',
  ms: 'timestamp',
  ns: 'timestamp_ns',
  texts: 'varchar[]',
  ints: 'bigint[]',
  json: 'varchar',
}

export const emptyValues: { readonly [T in ColumnType]: string } = {
  text: "''",
  int: '0',
  float: '0',
  bool: 'false',
  ms: 'epoch_ms(0)',
  ns: 'make_timestamp_ns(0)',
  texts: '[]',
  ints: '[]',
  json: "''",
}

/** The functions of queries (`Sql`) as DuckDB has them. They are in the file, so that other programs can use them on it too. */
export const functions = [
  "groupDigits(text) as array_to_string(list_transform(list_filter(string_split(text, ':'), lambda one: one <> ''), lambda one: lpad(one, 4, '0')), '')",
  'toUnixTimestamp64Milli(t) as epoch_ms(t)',
  'toUnixTimestamp64Nano(t) as epoch_ns(t)',
  'fromUnixTimestamp64Milli(ms) as epoch_ms(ms::bigint)',
  'intDiv(a, b) as a // b',
  'has(list, value) as list_contains(list, value)',
  'hasPrefix(list, prefix) as len(list_filter(list, lambda one: starts_with(one, prefix))) > 0',
  'arrayJoin(list) as unnest(list)',
  'startsWith(text, part) as starts_with(text, part)',
  'endsWith(text, part) as ends_with(text, part)',
  'positionUTF8(text, part) as instr(text, part)',
  'toString(value) as value::varchar',
  'matchesRE2(text, pattern) as regexp_matches(text, pattern)',
  String.raw`hostName(text) as regexp_replace(
    translate(text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'),
    '^(\[[^\]]*\]|[^:]+?)\.?(:.*)?$', '\1')`,
  `addressDigits(text) as case
    when contains(text, ':') then '6' || groupDigits(split_part(text, '::', 1))
      || repeat('0', 32 - len(groupDigits(split_part(text, '::', 1))) - len(groupDigits(split_part(text, '::', 2))))
      || groupDigits(split_part(text, '::', 2))
    else '4' || array_to_string(list_transform(string_split(text, '.'),
      lambda byte: format('{:02x}', coalesce(try_cast(byte as integer), 0))), '') end`,
  'countIf(condition) as count(*) filter (where condition)',
  "JSONExtractString(json, name) as coalesce(try_cast(nullif(json, '') as json) ->> name, '')",
]

/**
 * Creates the tables that are absent, adds columns that are new, and replaces tables of an older version: they are a copy
 * of what the record log still has.
 * @throws RecordStoreError `newer`
 */
export async function prepareTables(connection: DuckDBConnection): Promise<void> {
  await connection.run('begin')
  await connection.run('create table if not exists tables_version (version integer)')
  const version = await versionOf(connection)
  if (version !== undefined && version > tablesVersion)
    throw new RecordStoreError(
      'newer',
      `the tables of analytics have version ${version}, this program knows ${tablesVersion}; move the file away to begin a new one`,
    )
  if (version !== tablesVersion) {
    for (const name of [...Object.keys(tables), 'positions'])
      await connection.run(`drop table if exists ${name}`)
    await connection.run('delete from tables_version')
    await connection.run(`insert into tables_version values (${tablesVersion})`)
  }
  await connection.run(
    'create table if not exists positions (partition varchar primary key, sequence bigint, missing bigint)',
  )
  for (const table of Object.values(tables)) await prepareTable(connection, table)
  for (const text of functions) await connection.run(`create or replace macro ${text}`)
  await connection.run('commit')
}

async function versionOf(connection: DuckDBConnection): Promise<number | undefined> {
  const reader = await connection.runAndReadAll('select version from tables_version')
  return reader.getRowsJS()[0]?.[0] as number | undefined
}

async function prepareTable(connection: DuckDBConnection, { name, columns }: Table): Promise<void> {
  const written = columns.map(column => `"${column.name}" ${duckdbTypes[column.type]}`)
  await connection.run(`create table if not exists ${name} (${written.join()})`)
  const reader = await connection.runAndReadAll(
    'select column_name from duckdb_columns() where table_name = $1 and not internal',
    [name],
  )
  const existing = new Set(reader.getRowsJS().map(([column]) => column))
  for (const [at, column] of columns.entries())
    if (!existing.has(column.name))
      await connection.run(
        `alter table ${name} add column ${written[at]} default ${emptyValues[column.type]}`,
      )
}
