import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Addresses of IPv6 in access rules are in long form, as new ones are. Their keys have the 32 digits: `6 20010db8…`. */
export async function longAddresses(db: Kysely<Schema>): Promise<void> {
  const groups = Array.from({ length: 8 }, (_, at) => `substr(key, ${3 + 4 * at}, 4)`)
  await sql
    .raw(
      `update access_rules set value = ${groups.join(" || ':' || ")}
       where target in ('ip', 'ip6') and key like '6 %'`,
    )
    .execute(db)
}
