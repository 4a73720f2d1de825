import { tables } from '../records/tables.ts'

/**
 * Finds sources of a parsed statement that are not for users: views and functions of the engine that tell about the
 * server, such as its folders, its settings and its memory.
 * @param parsed the answer of DuckDB's `json_serialize_sql`
 * @param views names of the engine's own views, in lower case; a part of the statement may not hide behind one
 * @returns why it is refused; undefined when it reads rows and catalogs of the account only
 */
export function foreignSource(parsed: unknown, views: ReadonlySet<string>): string | undefined {
  const sources = new Sources()
  sources.visit(parsed)
  const hiding = [...sources.parts].find(name => views.has(name))
  if (hiding !== undefined) return `a WITH cannot be named '${hiding}', which the engine has a view of`
  const foreign = sources.relations.find(relation => !isOwn(relation, sources.parts))
  if (foreign !== undefined) return `${foreign.name} cannot be read; ${readable}`
  return sources.refused
}

const readable = `a statement reads ${Object.keys(tables).join(', ')}, information_schema.tables and information_schema.columns`

/** Table functions whose rows come from their own arguments. */
const tableFunctions = new Set(['generate_series', 'json_each', 'json_tree', 'range', 'repeat', 'unnest'])

/** Functions that read what the engine knows, or run a text as a statement. */
const refusedFunctions = new Set(['current_setting', 'getenv', 'json_serialize_plan', 'pg_get_viewdef'])

/** Views that name tables and columns, and nothing of the server. */
const catalogs = new Set(['information_schema.columns', 'information_schema.tables'])

interface Relation {
  readonly name: string
  readonly schema: string
  readonly catalog: string
}

function isOwn({ name, schema, catalog }: Relation, parts: ReadonlySet<string>): boolean {
  if (catalog !== '' && catalog !== 'memory') return false
  if (schema === '' && parts.has(name)) return true
  if (schema === '' || schema === 'main') return Object.hasOwn(tables, name)
  return catalogs.has(`${schema}.${name}`)
}

/** The sources in the nodes of a statement. Names are in lower case, as the engine compares them. */
class Sources {
  readonly relations: Relation[] = []
  /** Of `with`. */
  readonly parts = new Set<string>()
  refused: string | undefined

  visit(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) this.visit(one)
    else if (typeof node === 'object' && node !== null) this.#visitObject(node as Node)
  }

  #visitObject(node: Node): void {
    for (const { key } of node.cte_map?.map ?? []) this.parts.add(key.toLowerCase())
    if (node.type === 'BASE_TABLE')
      this.relations.push({
        name: node.table_name!.toLowerCase(),
        schema: node.schema_name!.toLowerCase(),
        catalog: node.catalog_name!.toLowerCase(),
      })
    const shown = node.type === 'SHOW_REF' && node.query === null ? node.table_name : undefined
    if (shown !== undefined && shown !== '"tables"') this.#refuse(`SHOW ${shown.replaceAll('"', '')}`)
    const source = node.type === 'TABLE_FUNCTION' ? node.function!.function_name.toLowerCase() : undefined
    if (source !== undefined && !tableFunctions.has(source)) this.#refuse(`${source}()`)
    const called = node.class === 'FUNCTION' ? node.function_name?.toLowerCase() : undefined
    if (called !== undefined && refusedFunctions.has(called)) this.#refuse(`${called}()`)
    for (const child of Object.values(node)) this.visit(child)
  }

  #refuse(what: string): void {
    this.refused ??= `${what} is not for statements; ${readable}. Functions after FROM are ${[...tableFunctions].join(', ')}`
  }
}

interface Node {
  readonly class?: string
  readonly type?: string
  readonly table_name?: string
  readonly schema_name?: string
  readonly catalog_name?: string
  readonly query?: unknown
  readonly function?: { readonly function_name: string }
  readonly function_name?: string
  readonly cte_map?: { readonly map: readonly { readonly key: string }[] }
}
