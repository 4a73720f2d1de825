import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dialect, Kysely, sql } from 'kysely'
import { checkDatabase, copyDatabase, type Database, type Store } from '../index.ts'
import { tables } from '../maintenance/tables.ts'
import { migrations } from '../migrations/list.ts'
import type { Schema } from '../schema.ts'
import { live, refusal, testCipher } from './data.ts'
import { oldIds, writeDatabaseOf } from './old-rows.ts'

/** A database that does not exist yet. */
export interface UpgradableDatabase {
  readonly dialect: () => Dialect
  readonly store: (migrate: boolean) => Promise<Store>
  readonly database: () => Promise<Database>
}

/**
 * Upgrades of databases of earlier programs.
 * @param schemas numbers of the schemas to begin with
 */
export function upgradeSuite(
  schemas: readonly number[],
  create: (name: string) => Promise<UpgradableDatabase>,
): void {
  for (const schema of schemas)
    test(`a database of schema ${schema} opens with all its data`, async () => {
      const { dialect, store: open, database } = await create(`schema_${schema}`)
      await writeOld(schema, dialect())
      const store = await open(true)
      await readAll(store, schema)
      await store.close()
      const opened = await database()
      assert.deepEqual(await checkDatabase(opened, testCipher), [])
      await opened.close()
    })

  test('a database of a newer version is refused with an explanation, and not changed', async () => {
    const { dialect, store: open, database } = await create('newer')
    await (await open(true)).close()
    const db = new Kysely<Schema>({ dialect: dialect() })
    const number = migrations.length + 1
    await sql`insert into schema_migrations values (${number}, 'of the future', '')`.execute(db)
    await db.destroy()
    const explained = new RegExp(
      `newer version of Sluice .* schema ${number}, and this one knows ${migrations.length}: start that version again.*backup`,
    )
    for (const migrate of [true, false]) await assert.rejects(open(migrate), explained)
    const opened = await database()
    const [problem, ...others] = await checkDatabase(opened, testCipher)
    assert.deepEqual(others, [])
    assert.match(`${problem?.found}: ${problem?.remedy}`, explained)
    await opened.close()
  })
}

async function writeOld(schema: number, dialect: Dialect): Promise<void> {
  const db = new Kysely<Schema>({ dialect })
  await writeDatabaseOf(schema, db)
  await db.destroy()
}

/** Reads the documents as the parts of the product do. */
async function readAll(store: Store, schema: number): Promise<void> {
  const { account, zone, job, list } = oldIds
  const scope = { kind: 'zone', id: zone } as const
  assert.equal((await store.zones.get(zone))?.name, 'shop.test')
  assert.equal((await store.accounts.get(account))?.name, 'Team')
  assert.equal((await store.rulesets.all(scope)).length, 1)
  const [stored] = await store.jobs.list(scope)
  assert.equal(stored?.id, job)
  assert.ok(stored.destinationConf.length > 0)
  assert.equal((await store.delivery.cursors(live(job))).get('edge-1'), 41)
  assert.ok((await store.plans.documents([zone])).has(zone))
  assert.equal((await store.crs.active())?.crsVersion, '4.0.0')
  assert.equal(await store.secrets.get('clearance-key'), 'secret')
  if (schema >= 2) assert.equal((await store.lists.contents(list)).length, 1)
  if (schema >= 3) assert.equal((await store.audit.list(account, { offset: 0, limit: 9 })).length, 1)
  if (schema >= 18) assert.equal((await store.certificates.served(zone)).length, 1)
  if (schema >= 26) {
    const { policies, webhooks } = await store.notifications.read(account)
    assert.deepEqual(policies, await store.notifications.enabled())
    assert.equal(policies[0]?.alertType, 'universal_ssl_event_type')
    assert.equal(webhooks[0]?.url, 'https://hooks.shop.test/')
  }
  if (schema >= 27) assert.equal((await store.accessRules.page('', 9)).length, 1)
}

/** Copies between two databases, of the same kind or not. */
export function copySuite(
  name: string,
  create: (name: string) => Promise<UpgradableDatabase>,
  createTarget: (name: string) => Promise<UpgradableDatabase>,
): void {
  test(`a copy ${name} has every row of every table, and only an empty database takes it`, async () => {
    const source = await create('copied')
    const target = await createTarget('copy')
    await writeOld(migrations.length, source.dialect())
    const [from, to] = [await source.database(), await target.database()]
    const counts = await copyDatabase(from, to, testCipher)
    for (const table of tables) {
      const rows = await Promise.all([from, to].map(one => rowsOf(one, table)))
      assert.ok(rows[0]!.length > 0, `testing/old-rows.ts has no row for the table ${table}`)
      assert.deepEqual(rows[1], rows[0], table)
      assert.equal(counts.get(table), rows[0]!.length)
    }
    assert.deepEqual(await checkDatabase(to, testCipher), [])
    await assert.rejects(copyDatabase(from, to, testCipher), refusal('conflict'))
    await from.close()
    await to.close()
    const store = await target.store(false)
    await readAll(store, migrations.length)
    await store.close()
  })
}

/** In the same order and form from both databases. */
async function rowsOf({ backend, transactions }: Database, table: keyof Schema): Promise<readonly string[]> {
  return transactions.snapshot(async db => {
    const texts: string[] = []
    for await (const part of backend.maintenance.rows(db, table))
      for (const row of part)
        texts.push(
          JSON.stringify(
            Object.entries(row)
              .sort()
              .map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
          ),
        )
    return texts.sort()
  })
}
