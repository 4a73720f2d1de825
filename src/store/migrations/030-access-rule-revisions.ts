import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Edges ask for the newest rules of an account or a zone, which may have 50,000. */
export async function accessRuleRevisions(db: Kysely<Schema>): Promise<void> {
  for (const owner of ['account', 'zone'])
    await sql
      .raw(`create index access_rules_${owner}_revision on access_rules (${owner}_id, revision)`)
      .execute(db)
}
