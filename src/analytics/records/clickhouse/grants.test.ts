import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { requestRecord } from '../../testing/fill.ts'
import { sql } from '../sql.ts'
import { noClickHouse } from '../testing/clickhouse-server.ts'
import { batchOf } from '../testing/suite.ts'
import { clientOf } from './connect.ts'
import { clickHouseState } from './state.ts'
import { openClickHouseStore } from './store.ts'

/** The statements of `docs/guides/scale-out.md` for ClickHouse, as they are written there. */
const guide = readFileSync(new URL('../../../../docs/guides/scale-out.md', import.meta.url), 'utf8')
const [setup = '', panel = ''] = [...guide.matchAll(/```sql\n(.*?)```/gs)].map(([, block]) => block!)
const statements = setup
  .split(';')
  .map(statement => statement.trim())
  .filter(Boolean)
const grants = statements.filter(statement => statement.startsWith('GRANT'))
/**
 * The engine's only user has the rights of the user that the page creates. It also creates the database, as an
 * administrator would, and the tests' server needs `use`.
 */
const more = ['GRANT CREATE DATABASE ON sluice.*', 'GRANT SHOW DATABASES ON default.*']
const users = `<clickhouse>
<profiles><default/></profiles><quotas><default/></quotas>
<users><default>
  <password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
  <grants>${[...more, ...grants.map(grant => grant.replace(' TO sluice', ''))]
    .map(grant => `<query>${grant}</query>`)
    .join('')}</grants>
</default></users>
</clickhouse>`

describe('the user of the page on ClickHouse', { skip: noClickHouse }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-grants-'))
  const dayMs = 24 * 3_600_000
  let child: ChildProcess
  let url: string
  before(async () => {
    writeFileSync(join(folder, 'users.xml'), users)
    writeFileSync(
      join(folder, 'config.xml'),
      `<clickhouse><users_config>${join(folder, 'users.xml')}</users_config></clickhouse>`,
    )
    const script = fileURLToPath(new URL('../testing/granted-server.ts', import.meta.url))
    child = fork(script, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    url = (await answer())['url'] as string
  })
  after(async () => {
    child.disconnect()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })

  async function answer(): Promise<Record<string, unknown>> {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => assert.fail('the engine has ended')),
    ])
    return message
  }

  test('its rights are enough for all that Sluice does, and for the panel', async () => {
    const server = { url: `${url}/sluice` }
    const open = (days: number) => openClickHouseStore(server, days * dayMs, () => true)
    const now = Date.now()
    const first = await open(30)
    assert.equal(await first.append(batchOf([requestRecord(now - 40 * dayMs), requestRecord(now)])), true)
    await first.close()
    const client = await clientOf(server, 'sluice')
    await client.command({ query: 'alter table tables_version drop partition all' })
    await client.command({ query: 'insert into tables_version values (-1)' })
    // With another retention, and tables of an older version.
    const store = await open(60)
    assert.equal(await store.append(batchOf([requestRecord(now - 40 * dayMs), requestRecord(now)])), true)
    await store.removeBefore(now - dayMs)
    await store.expire(0)
    assert.ok((await store.usedBytes()) > 0)
    assert.deepEqual(await store.rows(sql`select count(*) as n from http_requests`), [{ n: 1 }])
    const selection = { table: 'http_requests', rows: sql`from http_requests`, columns: ['zone'] } as const
    assert.equal(await store.exportRows({ ...selection, rowsMax: 10 }, join(folder, 'rows.parquet')), 1)
    await store.close()
    assert.ok((await clickHouseState(server)).bytes > 0)
    await client.query({ query: panel, format: 'JSONEachRow' }).then(rows => rows.json())
    await assert.rejects(client.command({ query: 'create database other' }), { code: '497' })
    await client.close()
  })

  test('it may read the system tables that Sluice reads', async () => {
    child.send('seen')
    const granted = grants.flatMap(grant => /SELECT ON (system\.\w+)/.exec(grant)?.[1] ?? [])
    assert.deepEqual(((await answer())['systemTables'] as string[]).sort(), granted.toSorted())
  })

  test('the statements that need an administrator are well-formed', async () => {
    const client = await clientOf({ url }, 'default')
    const format = async (statement: string) => {
      const query = 'select formatQuery({statement:String}) as formatted'
      return (await client.query({ query, query_params: { statement }, format: 'JSONEachRow' })).json()
    }
    for (const statement of statements) await format(statement)
    await assert.rejects(format('GRANT SELECT ON sluice.* TO'))
    await client.close()
  })
})
