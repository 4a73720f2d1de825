import { type TableName, tables } from '../records/tables.ts'
import type { NeededColumns } from './protocol.ts'

/**
 * The columns that a parsed statement can read, so that only these are exported. A statement can use a column without
 * its name: `*`, a whole row, a position, an alias, a natural join, a summary. Then all columns of all tables are
 * needed.
 * @param parsed the answer of DuckDB's `json_serialize_sql`, without sources that `foreignSource` refuses
 */
export function neededColumns(parsed: unknown): NeededColumns {
  const named = new Named()
  named.visit(parsed)
  const needed: { [T in TableName]?: readonly string[] } = {}
  for (const { name, columns } of Object.values(tables)) {
    if (!named.everything && !named.tables.has(name)) continue
    const known = columns.map(column => column.name)
    const own = named.everything ? known : known.filter(column => named.columns.has(column.toLowerCase()))
    // A table without columns cannot be written; rows are counted by any.
    needed[name] = own.length === 0 ? ['time'] : own
  }
  return needed
}

/** The names in the nodes of a statement, in lower case. */
class Named {
  readonly columns = new Set<string>()
  /** Names and aliases. */
  readonly tables = new Set<string>()
  readonly #last = new Set<string>()
  #implicit = false

  get everything(): boolean {
    return this.#implicit || [...this.#last].some(name => this.tables.has(name))
  }

  visit(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) this.visit(one)
    else if (typeof node === 'object' && node !== null) this.#visitObject(node as Node)
  }

  #visitObject(node: Node): void {
    if (node.class === 'STAR' || node.class === 'POSITIONAL_REFERENCE') this.#implicit = true
    if (node.type === 'SHOW_REF' || node.type === 'PIVOT' || node.ref_type === 'NATURAL')
      this.#implicit = true
    // `from t as u(a, b)` names columns by their position.
    if (node.type === 'BASE_TABLE' && node.column_name_alias?.length) this.#implicit = true
    // An expression has a class, what stands after FROM has none.
    if (node.class === undefined)
      for (const name of [node.table_name, node.alias])
        if (typeof name === 'string' && name !== '') this.tables.add(name.toLowerCase())
    const names = (node.column_names ?? node.using_columns ?? []).map(name => name.toLowerCase())
    for (const name of names) this.columns.add(name)
    if (names.length > 0) this.#last.add(names.at(-1)!)
    for (const child of Object.values(node)) this.visit(child)
  }
}

interface Node {
  readonly class?: string
  readonly type?: string
  readonly ref_type?: string
  readonly table_name?: string
  readonly alias?: string
  readonly column_name_alias?: readonly string[]
  readonly column_names?: readonly string[]
  readonly using_columns?: readonly string[]
}
