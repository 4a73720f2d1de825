import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { openSqliteDatabase, openSqliteStore, type Store } from '../index.ts'
import { migrations } from '../migrations/list.ts'
import { aJob, anAccount, refusal, scopeOf, testCipher, zoneIn } from '../testing/data.ts'
import { storeSuite } from '../testing/suite.ts'
import { migrationSuite, oldCredentials } from '../testing/suite-migration.ts'
import { copySuite, type UpgradableDatabase, upgradeSuite } from '../testing/suite-upgrade.ts'
import { nodeSqliteDialect } from './dialect.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-store-'))
after(() => rmSync(directory, { recursive: true, force: true }))

describe('store on SQLite', () => {
  const path = join(directory, 'suite', 'state.db')
  let store: Store
  before(async () => {
    store = await openSqliteStore(path, { migrate: true, cipher: testCipher })
  })
  after(() => store.close())
  storeSuite({
    store: () => store,
    another: (cipher = testCipher) => openSqliteStore(path, { migrate: false, cipher }),
  })

  test('credentials are not in the files of the database', async () => {
    const scope = scopeOf(await zoneIn(store))
    const secret = 'hunter2-of-a-job'
    const destinationConf = `s3://bucket?secret-access-key=${secret}`
    const job = await store.jobs.insert(aJob(scope, { destinationConf, name: 'beside it' }))
    await store.jobs.update({ ...job, destinationConf: `${destinationConf}2` })
    assert.ok(holds(path, 'beside it'))
    assert.ok(!holds(path, secret))
  })

  test('only the owner can read the file', () => {
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })
})

describe('migration on SQLite', () => {
  const path = join(directory, 'old.db')
  migrationSuite(
    async () => ({
      dialect: nodeSqliteDialect(path),
      open: (migrate, cipher) => openSqliteStore(path, { migrate, cipher }),
    }),
    () => assert.ok(!holds(path, oldCredentials)),
  )
})

describe('upgrades on SQLite', () => {
  upgradeSuite(
    migrations.map(({ number }) => number),
    sqliteAt,
  )
  copySuite('from SQLite to SQLite', sqliteAt, sqliteAt)
})

async function sqliteAt(name: string): Promise<UpgradableDatabase> {
  const path = join(directory, `${name}.db`)
  return {
    dialect: () => nodeSqliteDialect(path),
    store: migrate => openSqliteStore(path, { migrate, cipher: testCipher }),
    database: async () => openSqliteDatabase(path),
  }
}

/** Whether a text stands in one of the files of a database. */
function holds(path: string, text: string): boolean {
  return [path, `${path}-wal`].some(file => existsSync(file) && readFileSync(file).includes(text))
}

test('several processes that open an empty file build the schema once', async () => {
  const path = join(directory, 'empty.db')
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openSqliteStore(path, { migrate: true, cipher: testCipher })),
  )
  for (const store of stores) await store.close()
  const database = new DatabaseSync(path)
  const applied = database.prepare('select count(*) as n from schema_migrations').get()
  assert.equal(applied?.['n'], migrations.length)
  database.close()
})

test('a schema that is not ready, or not known, is refused', async () => {
  const path = join(directory, 'schema.db')
  const unavailable = refusal('unavailable')
  await assert.rejects(openSqliteStore(path, { migrate: false, cipher: testCipher }), unavailable)
  await (await openSqliteStore(path, { migrate: true, cipher: testCipher })).close()
  const database = new DatabaseSync(path)
  database.exec("insert into schema_migrations values (99, 'later', '')")
  database.close()
  for (const migrate of [true, false])
    await assert.rejects(openSqliteStore(path, { migrate, cipher: testCipher }), refusal('newer'))
  const notDatabase = join(directory, 'not.db')
  writeFileSync(notDatabase, 'this is not a database, but it is long enough to be read as one'.repeat(20))
  await assert.rejects(openSqliteStore(notDatabase, { migrate: true, cipher: testCipher }), unavailable)
  await assert.rejects(openSqliteStore(directory, { migrate: true, cipher: testCipher }), unavailable)
})

test('old changes are deleted, except the newest of each resource and the last one for every edge', async () => {
  const path = join(directory, 'prune.db')
  const store = await openSqliteStore(path, { migrate: true, cipher: testCipher })
  const quiet = anAccount()
  await store.accounts.insert(quiet)
  const database = new DatabaseSync(path)
  database.exec(`
    with recursive n(i) as (select 2 union all select i + 1 from n where i < 11999)
    insert into changes (sequence, kind, resource_id) select i, 'crs', '' from n;
    update counters set value = 11999 where name = 'change'`)
  database.close()
  const { rollout, revision } = await store.rollout.get()
  await store.rollout.put({ ...rollout, state: 'halted', everywhere: 7 }, revision)
  await store.crs.setSetup('x')
  const [first, everywhere, second] = await store.changes.after(0)
  assert.equal(everywhere?.sequence, 7, 'edges go back to it')
  assert.deepEqual({ ...first, mark: '' }, { sequence: 1, kind: 'account', id: quiet.id, mark: '' })
  assert.deepEqual(second, { sequence: 2001, kind: 'crs', id: '', mark: '' })
  assert.equal((await store.changes.after(0)).length, 1000)
  await store.close()
})

test('writers in two processes do not disturb each other', async () => {
  const path = join(directory, 'writers.db')
  const written = await Promise.all([startWriter(path, 30).ended, startWriter(path, 30).ended])
  const store = await openSqliteStore(path, { migrate: false, cipher: testCipher })
  assert.deepEqual(
    (await store.zones.list()).map(zone => zone.id).sort(),
    written.flatMap(({ zones }) => zones).sort(),
  )
  assert.equal(await store.changes.head(), 2 + 60 * 3)
  await store.close()
})

test('a writer killed in mid-write leaves an intact database', async () => {
  const path = join(directory, 'killed.db')
  const acknowledged: string[] = []
  for (const killAfter of [1, 7, 12]) {
    const writer = startWriter(path, 100_000, killAfter)
    const { zones, signal } = await writer.ended
    assert.equal(signal, 'SIGKILL')
    acknowledged.push(...zones)
  }
  const store = await openSqliteStore(path, { migrate: true, cipher: testCipher })
  for (const id of acknowledged) {
    const [ruleset] = await store.rulesets.list({ kind: 'zone', id })
    assert.equal(ruleset?.version, 2)
  }
  assert.equal((await store.changes.after(0)).length, await store.changes.head())
  await store.close()
  const database = new DatabaseSync(path)
  assert.equal(Object.values(database.prepare('pragma integrity_check').get()!)[0], 'ok')
  assert.deepEqual(database.prepare('pragma foreign_key_check').all(), [])
  database.close()
})

interface Ended {
  readonly zones: readonly string[]
  readonly signal: NodeJS.Signals | null
}

function startWriter(
  path: string,
  count: number,
  killAfter = Number.POSITIVE_INFINITY,
): { ended: Promise<Ended> } {
  const script = join(import.meta.dirname, '../testing/writer.ts')
  const child = spawn(process.execPath, [script, path, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const zones: string[] = []
  const lines = createInterface({ input: child.stdout })
  lines.on('line', line => {
    zones.push(line)
    if (zones.length === killAfter) child.kill('SIGKILL')
  })
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')]).then(([[, signal]]) => ({
    zones,
    signal: signal as NodeJS.Signals | null,
  }))
  return { ended }
}
