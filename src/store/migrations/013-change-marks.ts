import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The mark of the last change tells a follower whether the history is still the one that it followed. */
export async function changeMarks(db: Kysely<Schema>): Promise<void> {
  await sql.raw(`alter table changes add column mark text not null default ''`).execute(db)
}
