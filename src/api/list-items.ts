import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { newId } from '../kit/ids.ts'
import { listLimits } from '../kit/limits.ts'
import type { AuditEntry, JsonObject, List, ListItem } from '../model/resource.ts'
import type { Store } from '../store/port.ts'
import { type AuditedChange, auditEntry } from './audit.ts'
import { type Api, accountOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { cursorPage, type Envelope, success } from './envelope.ts'
import { refusal } from './errors.ts'
import { readItemIds, readListItems } from './list-item-input.ts'
import type { ListOperations } from './list-operations.ts'
import { type ListPath, listOf } from './list-paths.ts'
import { badCursor, cursorText, readCursor } from './list-query.ts'
import { listItemToWire, listOperationToWire } from './list-wire.ts'
import { requireIds } from './ruleset-paths.ts'

const itemsQuery = Type.Object({
  // Clients send empty texts for what they do not ask.
  cursor: Type.Optional(Type.String()),
  search: Type.Optional(Type.String({ maxLength: listLimits.urlCharactersMax })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: listLimits.itemsPerPageMax })),
})

interface ItemsQuery {
  readonly cursor?: string
  readonly search?: string
  readonly per_page?: number
}

/** Items of lists. Changes of them are answered before they are done; see ListOperations. */
export function listItemRoutes(app: Api, { store }: ApiDeps, operations: ListOperations): void {
  const named = { onRequest: requireIds }

  app.get<ListPath & { Querystring: ItemsQuery }>(
    '/rules/lists/:list_id/items',
    { ...named, schema: { querystring: itemsQuery } },
    async request => {
      const list = await listOf(store, request, request.params.list_id)
      return pageOf(store, list, request.query)
    },
  )

  app.get<{ Params: { list_id: string; item_id: string } }>(
    '/rules/lists/:list_id/items/:item_id',
    named,
    async request => {
      const list = await listOf(store, request, request.params.list_id)
      const item = await store.lists.item(list.id, request.params.item_id)
      if (item === undefined) throw refusal('listItemNotFound', { id: request.params.item_id })
      return success(listItemToWire(item))
    },
  )

  app.get<{ Params: { operation_id: string } }>(
    '/rules/lists/bulk_operations/:operation_id',
    named,
    async request => {
      const { operation_id: id } = request.params
      const operation = await store.lists.operation(accountOf(request).id, id)
      if (operation === undefined) throw refusal('operationNotFound', { id })
      return success(listOperationToWire(operation))
    },
  )

  app.post<ListPath>('/rules/lists/:list_id/items', named, request => put(request, 'create', false))

  app.put<ListPath>('/rules/lists/:list_id/items', named, request => put(request, 'update', true))

  app.delete<ListPath>(
    '/rules/lists/:list_id/items',
    { ...named, config: { readsBody: true } },
    async request => {
      const list = await listOf(store, request, request.params.list_id)
      const ids = readItemIds(request.body)
      const audit = itemsAudit(
        request,
        list,
        'delete',
        ids.map(id => ({ id })),
        null,
      )
      const operation_id = await operations.begin(list, now =>
        store.lists.deleteItems({ ...list, modifiedOn: now }, ids, audit),
      )
      return success({ operation_id })
    },
  )

  async function put(
    request: FastifyRequest<ListPath>,
    action: 'create' | 'update',
    replace: boolean,
  ): Promise<Envelope> {
    const list = await listOf(store, request, request.params.list_id)
    const contents = readListItems(request.body, list.kind)
    const audit = itemsAudit(request, list, action, null, contents)
    const operation_id = await operations.begin(list, now =>
      store.lists.putItems({ ...list, modifiedOn: now }, itemsOf(list, contents, now), replace, audit),
    )
    return success({ operation_id })
  }
}

function itemsOf(list: List, contents: readonly JsonObject[], now: string): readonly ListItem[] {
  return contents.map(content => ({
    id: newId(),
    listId: list.id,
    content,
    createdOn: now,
    modifiedOn: now,
  }))
}

/** Made while the request is there; written when the change is. */
function itemsAudit(
  request: FastifyRequest,
  list: List,
  action: AuditedChange['action'],
  before: readonly object[] | null,
  after: readonly object[] | null,
): AuditEntry {
  return auditEntry(request, {
    action,
    resource: { kind: 'list_item', id: list.id },
    before: audited(before),
    after: audited(after),
  })
}

/** Many items are only counted: the audit trail keeps no values of that size. */
function audited(items: readonly object[] | null): unknown {
  return items === null || items.length <= listLimits.itemsAuditedMax ? items : { items: items.length }
}

async function pageOf(store: Store, list: List, query: ItemsQuery): Promise<Envelope> {
  const size = query.per_page ?? listLimits.itemsPerPageDefault
  const search = query.search ? { search: query.search } : {}
  const items = query.cursor
    ? await itemsAfter(store, list, query.cursor, size + 1, search)
    : await store.lists.items(list.id, { limit: size + 1, ...search })
  const shown = items.slice(0, size)
  const last = shown.at(-1)
  const next = items[size]
  const more = last !== undefined && next !== undefined
  return cursorPage(
    shown.map(listItemToWire),
    more ? cursorText({ last: last.id, next: next.id }) : undefined,
  )
}

/** Clients take items away while they page through them: when the last one is gone, the page begins with the next. */
async function itemsAfter(
  store: Store,
  list: List,
  cursor: string,
  limit: number,
  search: { readonly search?: string },
): Promise<readonly ListItem[]> {
  const { last, next } = readCursor(cursor)
  if ((await store.lists.item(list.id, last)) !== undefined) {
    return store.lists.items(list.id, { after: last, limit, ...search })
  }
  const first = await store.lists.item(list.id, next)
  if (first === undefined) throw badCursor(cursor)
  return [first, ...(await store.lists.items(list.id, { after: next, limit: limit - 1, ...search }))]
}
