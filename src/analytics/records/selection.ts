import type { Selection } from './port.ts'
import { joined, type Sql, sql, trusted } from './sql.ts'
import { tables } from './tables.ts'

/** The number of the rows as `n`. */
export function countOf({ rows }: Selection): Sql {
  return sql`select count(*) as n ${rows}`
}

/**
 * The rows as `exportRows` writes them. They are selected inside, because ClickHouse takes a name in a condition for the
 * converted column of that name.
 */
export function exported({ table, rows, columns }: Selection): Sql {
  const written = columns.map(name => {
    const type = tables[table].columns.find(column => column.name === name)?.type
    return trusted(type === 'ns' ? `toUnixTimestamp64Nano("${name}") as "${name}"` : `"${name}"`)
  })
  return sql`select ${joined(written, ', ')} from (select * ${rows}) as selected`
}
