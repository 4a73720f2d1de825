import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { newId } from '../../kit/ids.ts'
import type { Schema } from '../schema.ts'
import { nodeSqliteDialect } from '../sqlite/dialect.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { testCipher } from '../testing/data.ts'
import { migrations } from './list.ts'

test('entries from before the filters get them from their content', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-migration-'))
  t.after(() => rm(directory, { recursive: true }))
  const path = join(directory, 'sluice.db')
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(path) })
  await sql`create table schema_migrations (
    number integer primary key, name text not null, applied_on text not null)`.execute(db)
  for (const { number, name, up } of migrations.slice(0, 8)) {
    await up(db, testCipher)
    await sql`insert into schema_migrations values (${number}, ${name}, '')`.execute(db)
  }
  // More than are read at once.
  for (let position = 1; position <= 501; position++) {
    const kind = position === 501 ? 'token' : 'zone'
    const entry = { id: newId(), actor: { kind: 'user', id: 'u', ip: '::1' }, resource: { kind, id: 'r' } }
    await sql`insert into audit_entries (position, id, account_id, at, action, actor_ip, entry)
      values (${position}, ${entry.id}, 'a', '2026-01-01', 'update', '::1', ${JSON.stringify(entry)})`.execute(
      db,
    )
  }
  await db.destroy()

  const store = await openSqliteStore(path, { migrate: true, cipher: testCipher })
  t.after(() => store.close())
  const count = async (filter: { resourceKind?: string; actorId?: string }) =>
    (await store.audit.list('a', { offset: 0, limit: 1000, ...filter })).length
  assert.deepEqual(
    [
      await count({ resourceKind: 'token' }),
      await count({ resourceKind: 'zone' }),
      await count({ actorId: 'u' }),
    ],
    [1, 500, 501],
  )
})
