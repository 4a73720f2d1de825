import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import { columnsOf, openEngine, serveTables, writeResult } from './engine.ts'

describe('the engine for statements of users', () => {
  const outer = mkdtempSync(join(tmpdir(), 'sluice-sql-engine-'))
  const folder = join(outer, "it's own")
  const secret = join(outer, 'secret.csv')
  const outside = join(outer, 'outside')
  let connection: DuckDBConnection
  before(async () => {
    mkdirSync(folder)
    writeFileSync(secret, 'hunter2\n')
    connection = await openEngine(128)
    await connection.run(
      `copy (select epoch_ms(0) as time) to '${folder.replace("'", "''")}/http_requests.parquet'`,
    )
    await serveTables(connection, folder, { http_requests: ['time'] })
  })
  after(() => {
    connection.closeSync()
    rmSync(outer, { recursive: true })
  })

  async function ask(text: string): Promise<unknown> {
    await columnsOf(connection, text)
    return (await connection.runAndReadAll(text)).getRowsJson()
  }

  test('its rows are read', async () => {
    assert.deepEqual(await ask('select time, zone from http_requests'), [['1970-01-01 00:00:00', '']])
    await writeResult(connection, 'select 1 -- ;', 1, folder)
    assert.deepEqual(readdirSync(folder), ['http_requests.parquet', 'result.parquet'])
  })

  test('nothing else is read, and nothing is written', async () => {
    const statements = [
      `select * from read_text('${secret}')`,
      `select * from read_blob('${secret}')`,
      `select * from read_csv('${secret}')`,
      `select * from sniff_csv('${secret}')`,
      `select * from '${secret}'`,
      `select * from glob('${outer}/*')`,
      `select * from '../secret.csv'`,
      `select * from 'http://127.0.0.1:9/x.csv'`,
      `select * from query('select * from read_text(''${secret}'')')`,
      `select * from query_table('${secret}')`,
      `select * from json_execute_serialized_sql(json_serialize_sql('select * from read_text(''${secret}'')'))`,
      `select (select content from read_text('${secret}'))`,
      `with http_requests as (from read_text('${secret}')) from http_requests`,
      `select * from read_parquet('${secret}')`,
      `select * from read_json('${secret}')`,
      `select * from sqlite_scan('${secret}', 'x')`,
      'select * from positions',
      `select getenv('PATH')`,
      `copy (select 1) to '${outside}'`,
      `copy http_requests to '${outside}'`,
      `attach '${outside}'`,
      `export database '${outside}'`,
      `import database '${outer}'`,
      `create table t as select 1`,
      `create or replace view http_requests as select 1`,
      `drop view http_requests`,
      `insert into http_requests select * from http_requests`,
      `set enable_external_access = true`,
      `set lock_configuration = false`,
      `set allowed_paths = ['${secret}']`,
      `reset enable_external_access`,
      `pragma enable_external_access`,
      `install httpfs`,
      `load httpfs`,
      `call enable_logging()`,
      `checkpoint`,
      `begin`,
      `prepare a as select 1`,
      `select 1; select 2`,
      `select 1; set enable_external_access = true`,
      `select 1) to '${outside}'; --`,
      `explain analyze select 1`,
      '',
      ';',
      'select',
    ]
    for (const text of statements) {
      await assert.rejects(ask(text), text)
      await assert.rejects(writeResult(connection, text, 1, folder), text)
    }
    assert.deepEqual(readdirSync(outer).sort(), ["it's own", 'secret.csv'])
  })

  test('statements see no table of the product', async () => {
    assert.deepEqual(await ask('select distinct table_name from information_schema.tables order by 1'), [
      ['firewall_events'],
      ['http_requests'],
      ['what_if_samples'],
    ])
  })

  const namesOf = async (text: string) =>
    (await connection.runAndReadAll(text)).getRowsJS().map(([name]) => name as string)

  test('statements see nothing that the engine knows about the server', async () => {
    const kinds = "function_type in ('table', 'table_macro', 'pragma')"
    const relations = [
      ...(await namesOf(`select distinct function_name || '()' from duckdb_functions() where ${kinds}`)),
      ...(await namesOf("select schema_name || '.' || view_name from duckdb_views() where internal")),
      ...(await namesOf('select view_name from duckdb_views() where internal')),
    ]
    const own =
      /^((generate_series|json_each|json_tree|range|repeat|unnest)\(\)|information_schema\.(tables|columns))$/
    const others = relations.filter(name => !own.test(name))
    assert.ok(others.length > 100)
    for (const name of others)
      for (const text of [`from ${name}`, `from system.${name}`, `select (select max(a) from ${name} t(a))`])
        await assert.rejects(columnsOf(connection, text), { name: 'NotReadingError' }, text)
    const statements = [
      "select current_setting('allowed_paths')",
      "select system.main.Current_Setting('allowed_paths')",
      "select 'allowed_paths'.current_setting()",
      "select json_serialize_plan('select time from http_requests')",
      'select pg_catalog.pg_get_viewdef(1)',
      'with a as (with sqlite_master as (select 1) select 1) from sqlite_master',
      'with SQLITE_MASTER as (select 1) from sqlite_master',
      'describe sqlite_master',
      'summarize duckdb_views',
      'show databases',
      'show all tables',
      `from '${folder}/http_requests.parquet'`,
      'from other.http_requests',
    ]
    for (const text of statements)
      await assert.rejects(columnsOf(connection, text), { name: 'NotReadingError' }, text)
  })

  test('no function of the engine answers with a folder of the server', async () => {
    const short = 'coalesce(len(parameters), 0) <= 1'
    const kinds = "function_type in ('scalar', 'macro', 'aggregate')"
    const names = await namesOf(
      `select distinct function_name from duckdb_functions() where ${kinds} and ${short} and function_name ~ '^\\w+$'`,
    )
    assert.ok(names.length > 100)
    for (const name of names)
      for (const call of [`${name}()`, `${name}('allowed_paths')`]) {
        const answer = await ask(`select ${call}`).catch((error: Error) => error.message)
        assert.ok(!JSON.stringify(answer).includes(outer), call)
      }
  })

  test('statements show tables and columns, and call functions that read their own arguments', async () => {
    const rows: readonly (readonly [string, unknown])[] = [
      ['show tables', [['firewall_events'], ['http_requests'], ['what_if_samples']]],
      ['select column_name from (describe select time from http_requests)', [['time']]],
      ["select count(*) from information_schema.columns where column_name = 'RayID'", [['2']]],
      ['select count(*) from memory.main.HTTP_requests', [['1']]],
      ['with recursive a as (select 1 as n union all select n + 1 from A where n < 2) from a', [[1], [2]]],
      ["select value from json_each('[7]')", [['7']]],
    ]
    for (const [text, want] of rows) assert.deepEqual(await ask(text), want, text)
  })

  test('a statement needs the columns that it names, and all where it names none', async () => {
    const rows: readonly (readonly [string, Record<string, readonly string[]> | 'all'])[] = [
      ['select count(*) from http_requests', { http_requests: ['time'] }],
      [
        'select clientip as client, r."RayID" from http_requests r join firewall_events e using (zone) order by client',
        { http_requests: ['zone', 'ClientIP', 'RayID'], firewall_events: ['zone', 'ClientIP', 'RayID'] },
      ],
      ['with a as (select zone from what_if_samples) select zone from a', { what_if_samples: ['zone'] }],
      ['select 1 from range(3)', {}],
      ['select * from http_requests', 'all'],
      ['from http_requests', 'all'],
      ["select columns('Client.*') from http_requests", 'all'],
      ['select r from http_requests r', 'all'],
      ['select #1 from http_requests', 'all'],
      ['summarize http_requests', 'all'],
      ['select a from http_requests as t(a, b)', 'all'],
      ['select n from range(3) as t(n)', {}],
      ["select * from json_each('[1]')", 'all'],
      ['select value from http_requests, json_each(RequestHeaders)', { http_requests: ['RequestHeaders'] }],
      ['select a.zone from firewall_events a natural join http_requests', 'all'],
    ]
    for (const [text, want] of rows) {
      const columns = await columnsOf(connection, text)
      if (want !== 'all') assert.deepEqual(columns, want, text)
      else assert.ok(columns.http_requests!.length > 50 && columns.what_if_samples!.length > 10, text)
    }
  })
})
