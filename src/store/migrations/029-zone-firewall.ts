import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export async function zoneFirewall(db: Kysely<Schema>): Promise<void> {
  for (const statement of [
    `create table zone_firewall_rules (
      id text primary key,
      zone_id text not null references zones (id) on delete cascade,
      kind text not null,
      created_on text not null,
      document text not null)`,
    'create index zone_firewall_rules_zone on zone_firewall_rules (zone_id)',
  ])
    await sql.raw(statement).execute(db)
}
