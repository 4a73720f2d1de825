import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function certificates(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table certificates (
      id text primary key,
      zone_id text not null references zones (id) on delete cascade,
      source text not null,
      certificate text not null,
      private_key text not null,
      facts text not null,
      expires_on text not null,
      uploaded_on text not null,
      modified_on text not null,
      revision bigint not null)`,
    'create index certificates_zone on certificates (zone_id, uploaded_on, id)',
  ])
    await sql.raw(statement).execute(db)
}
