import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function originCertificates(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table origin_certificates (
      id text primary key,
      zone_id text not null references zones (id) on delete cascade,
      kind text not null,
      certificate text not null,
      private_key text,
      facts text not null,
      expires_on text not null,
      uploaded_on text not null)`,
    'create index origin_certificates_zone on origin_certificates (zone_id, uploaded_on, id)',
  ])
    await sql.raw(statement).execute(db)
}
