import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { nodeSqliteDialect } from '../sqlite/dialect.ts'
import { testCipher } from '../testing/data.ts'
import { longAddresses } from './031-long-addresses.ts'
import { migrations } from './list.ts'

test('stored access rules for IPv6 addresses get the long form, and others stay', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-migration-'))
  t.after(() => rm(directory, { recursive: true }))
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(join(directory, 'sluice.db')) })
  t.after(() => db.destroy())
  const at = migrations.findIndex(({ up }) => up === longAddresses)
  for (const { up } of migrations.slice(0, at)) await up(db, testCipher)
  await sql`insert into accounts (id, name, created_on) values ('a', 'a', '')`.execute(db)
  const rows = [
    ['ip', '2001:DB8::99', '6 20010db8000000000000000000000099', '2001:0db8:0000:0000:0000:0000:0000:0099'],
    ['ip6', '::1', '6 00000000000000000000000000000001', '0000:0000:0000:0000:0000:0000:0000:0001'],
    ['ip', '192.0.2.1', '4 c0000201', '192.0.2.1'],
    ['ip_range', '2001:db8::/32', '6 20010db8/', '2001:db8::/32'],
  ] as const
  for (const [at, [target, value, key]] of rows.entries())
    await sql`insert into access_rules values
      (${String(at)}, 'a', null, 0, ${target}, ${value}, ${key}, 'block', '""', '', '', '')`.execute(db)
  await longAddresses(db)
  const stored = await db.selectFrom('access_rules').select('value').orderBy('id').execute()
  assert.deepEqual(
    stored.map(({ value }) => value),
    rows.map(([, , , long]) => long),
  )
})
