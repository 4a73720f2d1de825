import { sql } from 'kysely'
import { rowsPerStatement } from '../queries/parts.ts'
import type { Maintenance, Row } from '../transactions.ts'

/** @source SQLite, "PRAGMA Statements" */
export const sqliteMaintenance: Maintenance = {
  beginReading: 'begin',
  async *rows(db, table) {
    let part: Row[] = []
    for await (const row of db.selectFrom(table).selectAll().stream(rowsPerStatement)) {
      part.push(row)
      if (part.length < rowsPerStatement) continue
      yield part
      part = []
    }
    if (part.length > 0) yield part
  },
  async orphans(db) {
    const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
    const counts = Map.groupBy(rows, ({ table, parent }) => `${table} ${parent}`)
    return [...counts.values()].map(of => ({ ...of[0]!, rows: of.length }))
  },
  async damage(db) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
    return rows.map(row => row.integrity_check).filter(text => text !== 'ok')
  },
}
