import { type Kysely, sql } from 'kysely'
import type { AuditEntry } from '../../model/resource.ts'
import type { Schema } from '../schema.ts'

const readAtOnce = 500

/** The audit trail is filtered by kind of resource and by actor; existing entries get both from their JSON. */
export async function auditFilters(db: Kysely<Schema>): Promise<void> {
  for (const column of ['resource_kind', 'actor_id'])
    await sql.raw(`alter table audit_entries add column ${column} text not null default ''`).execute(db)
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('audit_entries')
      .select(['position', 'entry'])
      .where('position', '>', last)
      .orderBy('position')
      .limit(readAtOnce)
      .execute()
    if (rows.length === 0) return
    for (const { position, entry } of rows) {
      const { resource, actor } = JSON.parse(entry) as AuditEntry
      await db
        .updateTable('audit_entries')
        .set({ resource_kind: resource.kind, actor_id: actor.id })
        .where('position', '=', position)
        .execute()
      last = position
    }
  }
}
