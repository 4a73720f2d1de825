import type { Selection } from './port.ts'
import { joined, type Sql, sql, trusted } from './sql.ts'
import { tables } from './tables.ts'

/** The number of the rows as `n`. */
export function countOf({ rows }: Selection): Sql {
  return sql`select count(*) as n ${rows}`
}

/** The rows as `exportRows` writes them. */
export function exported({ table, rows, columns }: Selection): Sql {
  const written = columns.map(name => {
    const type = tables[table].columns.find(column => column.name === name)?.type
    return trusted(type === 'ns' ? `toUnixTimestamp64Nano("${name}") as "${name}"` : `"${name}"`)
  })
  return sql`select ${joined(written, ', ')} ${rows} order by time, id`
}
