import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** The year of a CRS release, to recognise outdated ones. */
export async function releaseYears(db: Kysely<Schema>): Promise<void> {
  await sql.raw('alter table crs_releases add column released_year integer').execute(db)
}
