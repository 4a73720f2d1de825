import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { nodeSqliteDialect } from '../sqlite/dialect.ts'
import { openSqliteStore } from '../sqlite/open.ts'
import { testCipher } from '../testing/data.ts'
import { initial } from './001-initial.ts'

test('tokens from before permissions existed keep all rights and get their owner', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-migration-'))
  t.after(() => rm(directory, { recursive: true }))
  const path = join(directory, 'sluice.db')
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(path) })
  await initial(db)
  await sql`create table schema_migrations (
    number integer primary key, name text not null, applied_on text not null)`.execute(db)
  await sql`insert into schema_migrations values (1, 'initial', '')`.execute(db)
  await sql`insert into users values ('u', 'a@example.com', 'k')`.execute(db)
  await sql`insert into tokens (id, name, hash, created_on) values ('t', '"old"', 'h', '2026-01-01')`.execute(
    db,
  )
  await db.destroy()

  const store = await openSqliteStore(path, { migrate: true, cipher: testCipher })
  t.after(() => store.close())
  const token = await store.tokens.byHash('h')
  assert.deepEqual(token, {
    id: 't',
    name: 'old',
    hash: 'h',
    userId: 'u',
    status: 'active',
    policies: [
      {
        id: '5a1c0de00000000000000000000000b1',
        effect: 'allow',
        permissionGroups: [{ id: '5a1c0de00000000000000000000000a1' }],
        resources: {
          'com.cloudflare.api.account.*': '*',
          'com.cloudflare.api.account.zone.*': '*',
          'com.cloudflare.api.user.*': '*',
        },
      },
    ],
    createdOn: '2026-01-01',
    modifiedOn: '2026-01-01',
    revision: 1,
  })
})
