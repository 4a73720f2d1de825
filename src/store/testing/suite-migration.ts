import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dialect, Kysely, sql } from 'kysely'
import { type Cipher, newCipher } from '../../kit/cipher.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { migrations } from '../migrations/list.ts'
import type { Store } from '../port.ts'
import type { Schema } from '../schema.ts'
import { aBatch, aJob, live, refusal, testCipher } from './data.ts'

export interface EmptyDatabase {
  readonly dialect: Dialect
  readonly open: (migrate: boolean, cipher: Cipher) => Promise<Store>
}

/** Stands in destinations and nowhere else. */
export const oldCredentials = 'hunter2-in-the-clear'

/**
 * The migration of a database that an older program has left.
 * @param check looks at the files of the database once it is migrated
 */
export function migrationSuite(empty: () => Promise<EmptyDatabase>, check: () => void = () => {}): void {
  test('a database from before accounts had jobs keeps its jobs, their positions and open batches', async () => {
    const { dialect, open } = await empty()
    await writeOld(dialect)
    await assert.rejects(open(false, testCipher), refusal('unavailable'))
    const store = await open(true, testCipher)
    check()
    const scope = { kind: 'zone', id: 'z' } as const
    assert.deepEqual(await store.jobs.list(scope), [jobOf(3), jobOf(9)])
    assert.deepEqual((await store.jobs.listEnabled()).length, jobsBefore)
    assert.deepEqual(
      await store.delivery.cursors(live(9)),
      new Map([
        ['a', 4],
        ['b', 2 ** 40],
      ]),
    )
    assert.equal(await store.delivery.openBatchOf(live(3)), undefined)
    const shape = {
      scope,
      dataset: 'http_requests',
      filter: null,
      logpullOptions: null,
      outputOptions: { a: 1 },
    }
    const batch = aBatch(live(9), {
      ranges: [{ partition: 'b', first: 2 ** 40 + 1, last: 2 ** 40 + 2 }],
      objectName: '9 b',
      shape: JSON.stringify(shape),
      lines: 0,
      openedOn: '2026-01-01T00:00:00.000Z',
    })
    assert.deepEqual(await store.delivery.openBatchOf(live(9)), batch)
    assert.equal(await store.delivery.closeBatch(batch), true)
    await store.delivery.openBatch(aBatch(live(9), { ranges: [{ partition: 'a', first: 5, last: 7 }] }), 1)
    const { id } = await store.jobs.insert(aJob(scope))
    assert.equal(id, 2000)
    assert.equal(await store.zones.delete('z'), true)
    assert.deepEqual(await store.delivery.cursors(live(9)), new Map())
    await store.close()
    await (await open(false, testCipher)).close()
    const otherKey = newCipher(new Uint8Array(32).fill(8))
    for (const migrate of [true, false]) await assert.rejects(open(migrate, otherKey), refusal('unavailable'))
  })
}

/** More than one page of them. */
const jobsBefore = 1002

function jobOf(id: number): LogpushJob {
  const health = {
    lastComplete: '2026-01-01T00:00:00.000Z',
    lastError: null,
    errorMessage: 'no \0 bucket',
  }
  const scope = { kind: 'zone', id: id < 10 ? 'z' : 'y' } as const
  const destinationConf = `s3://bucket?secret-access-key=${oldCredentials}`
  return { ...aJob(scope), ...health, id, name: 'NUL \0', destinationConf, revision: 1, paused: false }
}

/** As the program of schema 5 wrote it. */
async function writeOld(dialect: Dialect): Promise<void> {
  const db = new Kysely<Schema>({ dialect })
  await sql`create table schema_migrations (
    number integer primary key, name text not null, applied_on text not null)`.execute(db)
  for (const { number, name, up } of migrations.slice(0, 5)) {
    await up(db, testCipher)
    await sql`insert into schema_migrations values (${number}, ${name}, '')`.execute(db)
  }
  await sql`insert into accounts values ('a', '"a"', '')`.execute(db)
  for (const zone of ['z', 'y']) {
    await sql`insert into zones values (${zone}, 'a', ${zone}, '', 0, '', '')`.execute(db)
  }
  const ids = [3, 9, ...Array.from({ length: jobsBefore - 2 }, (_, n) => 1000 + n)]
  for (const id of ids) await writeOldJob(db, jobOf(id))
  await sql`update counters set value = 1999 where name = 'job'`.execute(db)
  for (const [id, partition, sequence] of [
    [3, 'a', 1],
    [9, 'a', 4],
    [9, 'b', 2 ** 40],
  ] as const)
    await sql`insert into delivery_cursors values (${id}, ${partition}, ${sequence})`.execute(db)
  const shape = JSON.stringify({
    zoneId: 'z',
    dataset: 'http_requests',
    filter: null,
    logpullOptions: null,
    outputOptions: { a: 1 },
  })
  for (const [partition, first, day] of [
    ['a', 5, 2],
    ['b', 2 ** 40 + 1, 1],
    ['c', 1, 1],
  ] as const) {
    const openedOn = `2026-01-0${day}T00:00:00.000Z`
    await sql`insert into delivery_batches
      values (9, ${partition}, ${first}, ${first + 1}, ${`9 ${partition}`}, ${shape}, ${openedOn})`.execute(
      db,
    )
  }
  await db.destroy()
}

async function writeOldJob(db: Kysely<Schema>, job: LogpushJob): Promise<void> {
  const { id, scope, enabled, revision, lastComplete, lastError, errorMessage, paused, ...settings } = job
  const health = JSON.stringify({ lastComplete, lastError, errorMessage })
  await sql`insert into jobs values (${id}, ${scope.id}, 1, ${JSON.stringify(settings)}, ${health})`.execute(
    db,
  )
}
