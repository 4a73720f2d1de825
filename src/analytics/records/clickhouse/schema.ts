import type { ClickHouseClient } from '@clickhouse/client'
import { RecordStoreError } from '../port.ts'
import { type Column, type ColumnType, type Table, tables, tablesVersion } from '../tables.ts'
import { asked, rowsOf } from './connect.ts'

const clickhouseTypes: { readonly [T in ColumnType]: string } = {
  text: 'String',
  int: 'Int64',
  float: 'Float64',
  bool: 'Bool',
  ms: "DateTime64(3, 'UTC')",
  ns: "DateTime64(9, 'UTC')",
  texts: 'Array(String)',
  ints: 'Array(Int64)',
  json: 'String',
}

/** They begin the sorting key, and few values repeat in all rows. */
const keyColumns = new Set(['account', 'zone'])

/**
 * The server remembers the deduplication tokens of this many inserts of a table, for a week. Each batch makes one for each
 * day that it has rows of.
 */
const deduplication = `non_replicated_deduplication_window = 10000, replicated_deduplication_window = 10000,
  replicated_deduplication_window_seconds = 604800`

/**
 * Creates the tables that are absent, adds columns that are new, and replaces tables of an older version: they are a copy
 * of what the record log still has. The server removes rows that are older than the retention. The engine is the user's `default_table_engine`, so that an operator chooses replicas.
 * @param mayReplace one process at a time, so that the others need not try
 * @throws RecordStoreError `newer`, and `busy` when another process has to replace the tables
 */
export async function prepareTables(
  client: ClickHouseClient,
  ageMs: number,
  mayReplace: () => boolean,
): Promise<void> {
  const run = (query: string) => asked(client.command({ query }))
  await run('create table if not exists tables_version (version Int64) order by version')
  // Before the version: new tables come after a new version, so these have this version or an older one.
  const existing = await tablesOf(client)
  const version = await versionOf(client)
  refuseNewer(version)
  // A new database has none, and another process may be creating them too.
  if (version !== 0 && version < tablesVersion) {
    if (!mayReplace())
      throw new RecordStoreError(
        'busy',
        'the tables of analytics have an older version, and the process that reads the record log has not replaced them yet; try again later',
      )
    await setAside(client, existing, version)
  }
  if (version < tablesVersion) {
    await run(`insert into tables_version values (${tablesVersion})`)
    // A later program may have replaced the tables meanwhile.
    refuseNewer(await versionOf(client))
  }
  await run(
    `create table if not exists positions
      (partition String, sequence Int64, begun Int64, missing Int64, version Int64) order by (partition, version)
      settings ${deduplication}`,
  )
  for (const table of Object.values(tables)) await prepareTable(client, table, ageMs)
}

function refuseNewer(version: number): void {
  if (version > tablesVersion)
    throw new RecordStoreError(
      'newer',
      `the tables of analytics have version ${version}, this program knows ${tablesVersion}; use another database to begin new ones`,
    )
}

/** Codes of the server's TABLE_ALREADY_EXISTS and UNKNOWN_TABLE. */
const setAsideBefore: readonly unknown[] = ['57', '60']

/**
 * Renames tables of an older version, and frees their space. Their empty rest is a fence: a process that was suspended in
 * the middle cannot rename the tables that another one has made since, because the name is taken. The rests of versions
 * before that one are dropped.
 */
async function setAside(
  client: ClickHouseClient,
  existing: readonly string[],
  version: number,
): Promise<void> {
  const run = (query: string) => asked(client.command({ query }))
  for (const name of [...Object.keys(tables), 'positions']) {
    const rest = `${name}_v${version}`
    if (existing.includes(name))
      await run(`rename table ${name} to "${rest}"`).catch((error: RecordStoreError) => {
        if (!setAsideBefore.includes((error.cause as { readonly code?: unknown }).code)) throw error
      })
    for (const old of existing)
      if (old !== rest && old.startsWith(`${name}_v`)) await run(`drop table if exists "${old}" sync`)
    if (existing.includes(name) || existing.includes(rest))
      await run(`alter table "${rest}" drop partition all`)
  }
}

async function tablesOf(client: ClickHouseClient): Promise<readonly string[]> {
  const query = 'select name from system.tables where database = currentDatabase()'
  return (await rowsOf<{ name: string }>(client, query)).map(({ name }) => name)
}

async function versionOf(client: ClickHouseClient): Promise<number> {
  const query = 'select max(version) as version from tables_version'
  return (await rowsOf<{ version: number }>(client, query))[0]!.version
}

async function prepareTable(
  client: ClickHouseClient,
  { name, columns }: Table,
  ageMs: number,
): Promise<void> {
  const ttl = `toDateTime(time) + toIntervalSecond(${Math.ceil(ageMs / 1000)})`
  await asked(
    client.command({
      query: `create table if not exists ${name} (${columns.map(written).join()})
        partition by toDate(time) order by (account, zone, time, id) ttl ${ttl} settings ${deduplication}`,
    }),
  )
  await addColumns(client, name, columns)
  const [table] = await rowsOf<{ statement: string }>(
    client,
    'select create_table_query as statement from system.tables where database = currentDatabase() and name = {name:String}',
    { name },
  )
  // The server applies a changed TTL to all rows, so it is changed only with the setting.
  if (!table!.statement.includes(`TTL ${ttl} `))
    await asked(client.command({ query: `alter table ${name} modify ttl ${ttl}` }))
}

async function addColumns(client: ClickHouseClient, table: string, columns: Table['columns']): Promise<void> {
  const existing = await rowsOf<{ name: string }>(
    client,
    'select name from system.columns where database = currentDatabase() and table = {table:String}',
    { table },
  )
  const names = new Set(existing.map(({ name }) => name))
  for (const column of columns)
    if (!names.has(column.name))
      await asked(
        client.command({ query: `alter table ${table} add column if not exists ${written(column)}` }),
      )
}

function written({ name, type }: Column): string {
  return `"${name}" ${keyColumns.has(name) ? 'LowCardinality(String)' : clickhouseTypes[type]}`
}
