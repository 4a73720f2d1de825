import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { nodeSqliteDialect } from '../sqlite/dialect.ts'
import { testCipher } from '../testing/data.ts'
import { publicRuleIds } from './024-public-rule-ids.ts'
import { migrations } from './list.ts'

test('stored rulesets name a rule by its public id, and nothing else in them changes', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-migration-'))
  t.after(() => rm(directory, { recursive: true }))
  const db = new Kysely<Schema>({ dialect: nodeSqliteDialect(join(directory, 'sluice.db')) })
  t.after(() => db.destroy())
  const at = migrations.findIndex(({ up }) => up === publicRuleIds)
  for (const { up } of migrations.slice(0, at)) await up(db, testCipher)
  const stored = (id: string) => JSON.stringify([{ other: 'a'.repeat(32) }, { id, enabled: false }])
  await sql`insert into accounts (id, name, created_on) values ('a', 'a', '')`.execute(db)
  await sql`insert into rulesets values
    ('r', 'a', null, 'root', 'http_request_firewall_managed', 1, 1, '{}', ${stored('0e117c4cb126e6fdc7c35d813df7dbf4')})`.execute(
    db,
  )
  await publicRuleIds(db)
  const { rules } = await db.selectFrom('rulesets').select('rules').executeTakeFirstOrThrow()
  assert.equal(rules, stored('8ac8bc2a661e475d940980f9317f28e1'))
})
