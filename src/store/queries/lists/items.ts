import { createHash } from 'node:crypto'
import { type Expression, type SqlBool, sql } from 'kysely'
import { nextTurn } from '../../../kit/turns.ts'
import { redirectSourceText } from '../../../model/redirect-source.ts'
import type { JsonObject, List, ListItem, ListKind } from '../../../model/resource.ts'
import { listLimits } from '../../limits.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { ListItemRow } from '../../schema.ts'
import type { Tx } from '../../transactions.ts'
import { parts, rowsPerStatement } from '../parts.ts'

type Page = Parameters<Store['lists']['items']>[1]

export async function itemsPage(db: Tx, listId: string, page: Page): Promise<readonly ListItem[]> {
  // No searched text contains NUL, and PostgreSQL accepts none.
  if (page.search?.includes('\0')) return []
  let query = db.selectFrom('list_items').selectAll().where('list_id', '=', listId)
  if (page.after !== undefined) {
    const last = await db
      .selectFrom('list_items')
      .select('position')
      .where('id', '=', page.after)
      .where('list_id', '=', listId)
      .executeTakeFirst()
    query = query.where('position', '>', last?.position ?? 0)
  }
  if (page.search) query = query.where(await found(db, listId, page.search.toLowerCase()))
  const rows = await query.orderBy('position').limit(page.limit).execute()
  return rows.map(itemOf)
}

/**
 * Addresses match by prefix, AS numbers by equality, host names and redirects by substring. LIKE is not used: its
 * escapes differ between the dialects.
 * @source Cloudflare's Lists API, "Get list items"
 */
async function found(db: Tx, listId: string, text: string): Promise<Expression<SqlBool>> {
  const list = await db.selectFrom('lists').select('kind').where('id', '=', listId).executeTakeFirst()
  if (list?.kind === 'asn') return sql<SqlBool>`search_text = ${text}`
  if (list?.kind === 'ip') return sql<SqlBool>`substr(search_text, 1, ${sql.lit(text.length)}) = ${text}`
  return sql<SqlBool>`replace(search_text, ${text}, '') <> search_text`
}

/**
 * Reads in parts, so that other work gets its turn. If the list changes meanwhile, one statement reads it again, so that
 * no part of a change is seen.
 */
export async function itemContents(db: Tx, listId: string): Promise<readonly ListItem['content'][]> {
  const stateBefore = await listState(db, listId)
  const contents: ListItem['content'][] = []
  const add = (row: ContentRow): void => void contents.push(JSON.parse(row.content) as ListItem['content'])
  for (let after = 0; ; await nextTurn()) {
    const rows = await contentRows(db, listId).where('position', '>', after).limit(rowsPerStatement).execute()
    rows.forEach(add)
    if (rows.length < rowsPerStatement) break
    after = rows.at(-1)!.position
  }
  if ((await listState(db, listId)) === stateBefore) return contents
  contents.length = 0
  const rows = await contentRows(db, listId).execute()
  rows.forEach(add)
  return contents
}

type ContentRow = Pick<ListItemRow, 'content' | 'position'>

function contentRows(db: Tx, listId: string) {
  return db
    .selectFrom('list_items')
    .select(['content', 'position'])
    .where('list_id', '=', listId)
    .orderBy('position')
}

/** Differs after a change of items. */
async function listState(db: Tx, listId: string): Promise<string> {
  const list = await db
    .selectFrom('lists')
    .select(['modified_on', 'num_items'])
    .where('id', '=', listId)
    .executeTakeFirst()
  return `${list?.modified_on} ${list?.num_items}`
}

/** @throws StoreError `stale` when the list is gone, `conflict` when it would have too many items */
export async function putItems(
  tx: Tx,
  list: List,
  items: readonly ListItem[],
  replace: boolean,
): Promise<void> {
  const rows = await rowsToPut(tx, list, items)
  if (replace) await deleteOthers(tx, list.id, new Set(rows.map(row => row.item_key)))
  for (const part of parts(rows)) {
    await tx
      .insertInto('list_items')
      .values(part)
      .onConflict(on =>
        on.columns(['list_id', 'item_key']).doUpdateSet(eb => ({
          search_text: eb.ref('excluded.search_text'),
          content: eb.ref('excluded.content'),
          modified_on: eb.ref('excluded.modified_on'),
        })),
      )
      .execute()
    await nextTurn()
  }
  const { count } = await tx
    .selectFrom('list_items')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('list_id', '=', list.id)
    .executeTakeFirstOrThrow()
  if (count > listLimits.itemsPerListMax) {
    throw new StoreError('conflict', `a list holds at most ${listLimits.itemsPerListMax} items`)
  }
}

export async function deleteItems(tx: Tx, list: List, ids: readonly string[]): Promise<void> {
  for (const part of parts(ids)) {
    await tx.deleteFrom('list_items').where('list_id', '=', list.id).where('id', 'in', part).execute()
    await nextTurn()
  }
}

/** One row for each identity: of items with the same identity, the last one counts, at the position of the first. */
async function rowsToPut(tx: Tx, list: List, items: readonly ListItem[]): Promise<readonly ListItemRow[]> {
  const known = await tx.selectFrom('lists').select('kind').where('id', '=', list.id).executeTakeFirst()
  if (known === undefined) throw new StoreError('stale', `list ${list.id} is gone`)
  const last = await tx
    .selectFrom('list_items')
    .select(eb => eb.fn.max('position').as('position'))
    .where('list_id', '=', list.id)
    .executeTakeFirst()
  let position = last?.position ?? 0
  const rows = new Map<string, ListItemRow>()
  for (const item of items) {
    const row = rowOf(list, item)
    rows.set(row.item_key, { ...row, position: rows.get(row.item_key)?.position ?? ++position })
  }
  return [...rows.values()]
}

async function deleteOthers(tx: Tx, listId: string, kept: ReadonlySet<string>): Promise<void> {
  const rows = await tx
    .selectFrom('list_items')
    .select(['id', 'item_key'])
    .where('list_id', '=', listId)
    .execute()
  const ids = rows.filter(row => !kept.has(row.item_key)).map(row => row.id)
  for (const part of parts(ids)) {
    await tx.deleteFrom('list_items').where('id', 'in', part).execute()
    await nextTurn()
  }
}

function rowOf(list: List, item: ListItem): Omit<ListItemRow, 'position'> {
  const { identity, searched } = textsOf(list.kind, item.content)
  return {
    id: item.id,
    list_id: list.id,
    item_key: createHash('sha256').update(identity).digest('hex'),
    search_text: searched.toLowerCase().replaceAll('\0', ''),
    content: JSON.stringify(item.content),
    created_on: item.createdOn,
    modified_on: item.modifiedOn,
  }
}

/** Two items are the same if they have the same address, network, host name or source URL. */
function textsOf(kind: ListKind, content: JsonObject): { identity: string; searched: string } {
  if (kind === 'ip' || kind === 'asn') {
    const text = String(content[kind])
    return { identity: text, searched: text }
  }
  const value = content[kind] as JsonObject
  if (kind === 'hostname') {
    const name = String(value['url_hostname']).toLowerCase()
    return { identity: name, searched: name }
  }
  const source = String(value['source_url'])
  return { identity: redirectSourceText(source), searched: `${source} ${String(value['target_url'])}` }
}

export function itemOf(row: ListItemRow): ListItem {
  return {
    id: row.id,
    listId: row.list_id,
    content: JSON.parse(row.content) as ListItem['content'],
    createdOn: row.created_on,
    modifiedOn: row.modified_on,
  }
}
