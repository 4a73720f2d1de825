import { sql } from 'kysely'
import { rowsPerStatement } from '../queries/parts.ts'
import type { Maintenance, Row } from '../transactions.ts'

/** A foreign key; all of ours are of one column. */
interface ForeignKey {
  readonly table: string
  readonly column: string
  readonly parent: string
  readonly parentColumn: string
}

/** @source PostgreSQL manual: DECLARE, FETCH, pg_constraint */
export const postgresMaintenance: Maintenance = {
  beginReading: 'begin isolation level repeatable read read only',
  async *rows(db, table) {
    await sql`declare all_rows no scroll cursor for select * from ${sql.table(table)}`.execute(db)
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsPerStatement)} from all_rows`.execute(db)
      if (rows.length === 0) break
      yield rows
    }
    await sql`close all_rows`.execute(db)
  },
  /** The server enforces the keys, but a restore without triggers does not check them. */
  async orphans(db) {
    const { rows: keys } = await sql<ForeignKey>`
      select c.conrelid::regclass::text as table, a.attname as column,
        c.confrelid::regclass::text as parent, p.attname as "parentColumn"
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute p on p.attrelid = c.confrelid and p.attnum = c.confkey[1]
      where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`.execute(db)
    const found = []
    for (const { table, column, parent, parentColumn } of keys) {
      const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)} child
        where child.${sql.ref(column)} is not null and not exists (
          select 1 from ${sql.table(parent)} parent where parent.${sql.ref(parentColumn)} = child.${sql.ref(column)}
        )`.execute(db)
      const { count } = rows[0]!
      if (count > 0) found.push({ table, parent, rows: count })
    }
    return found
  },
  damage: async () => [],
}
