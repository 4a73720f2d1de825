import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { newId } from '../../kit/ids.ts'
import type { AuditEntry, JsonObject, List, ListItem } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { cursorPage, type Envelope, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { badCursor, cursorText, readCursor } from '../http/list-query.ts'
import { requireIds } from '../http/path-ids.ts'
import { operationsOf } from '../openapi/operation.ts'
import { readItemIds, readListItems } from './item-input.ts'
import { listRequestLimits } from './limits.ts'
import type { ListOperations } from './operations.ts'
import { type ListPath, listOf } from './paths.ts'
import {
  listItemIdsSchema,
  listItemSchema,
  listItemsSchema,
  listItemToWire,
  listOperationSchema,
  listOperationToWire,
  operationIdSchema,
} from './wire.ts'

const itemsQuery = Type.Object({
  // Clients send empty strings for unset parameters.
  cursor: Type.Optional(Type.String()),
  search: Type.Optional(Type.String({ maxLength: listRequestLimits.urlCharactersMax })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: listRequestLimits.itemsPerPageMax })),
})

interface ItemsQuery {
  readonly cursor?: string
  readonly search?: string
  readonly per_page?: number
}

const operation = operationsOf('Lists')
const described = {
  list: operation('listItems', 'List the items of a list', ['accountLists', 'read'], {
    result: Type.Array(listItemSchema),
  }),
  add: operation('addItems', 'Add items to a list', ['accountLists', 'write'], {
    result: operationIdSchema,
    body: listItemsSchema,
    example: [{ ip: '198.51.100.7', comment: 'build server' }, { ip: '2001:db8::/48' }],
  }),
  replace: operation('replaceItems', 'Replace all items of a list', ['accountLists', 'write'], {
    result: operationIdSchema,
    body: listItemsSchema,
    example: [{ ip: '198.51.100.7' }],
  }),
  delete: operation('deleteItems', 'Delete items from a list', ['accountLists', 'write'], {
    result: operationIdSchema,
    body: listItemIdsSchema,
    example: { items: [{ id: '2c0fc9fa937b11eaa1b71c4d701ab86e' }] },
  }),
  get: operation('getItem', 'Get an item of a list', ['accountLists', 'read'], { result: listItemSchema }),
  operation: operation('getListOperation', 'Get the status of a bulk operation', ['accountLists', 'read'], {
    result: listOperationSchema,
  }),
}

/** Items of lists. Changes are answered before they are applied; see ListOperations. */
export function listItemRoutes(app: Api, { store }: ApiDeps, operations: ListOperations): void {
  const onRequest = requireIds

  app.get<ListPath & { Querystring: ItemsQuery }>(
    '/rules/lists/:list_id/items',
    { config: described.list, onRequest, schema: { querystring: itemsQuery } },
    async request => {
      const list = await listOf(store, request, request.params.list_id)
      return pageOf(store, list, request.query)
    },
  )

  app.get<{ Params: { list_id: string; item_id: string } }>(
    '/rules/lists/:list_id/items/:item_id',
    { config: described.get, onRequest },
    async request => {
      const list = await listOf(store, request, request.params.list_id)
      const item = await store.lists.item(list.id, request.params.item_id)
      if (item === undefined) throw refusal('listItemNotFound', { id: request.params.item_id })
      return success(listItemToWire(item))
    },
  )

  app.get<{ Params: { operation_id: string } }>(
    '/rules/lists/bulk_operations/:operation_id',
    { config: described.operation, onRequest },
    async request => {
      const { operation_id: id } = request.params
      const operation = await store.lists.operation(accountOf(request).id, id)
      if (operation === undefined) throw refusal('operationNotFound', { id })
      return success(listOperationToWire(operation))
    },
  )

  app.post<ListPath>('/rules/lists/:list_id/items', { config: described.add, onRequest }, request =>
    put(request, 'create', false),
  )

  app.put<ListPath>('/rules/lists/:list_id/items', { config: described.replace, onRequest }, request =>
    put(request, 'update', true),
  )

  app.delete<ListPath>(
    '/rules/lists/:list_id/items',
    { config: { ...described.delete, readsBody: true }, onRequest },
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

/** Created with the request; written with the change. */
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

/** Large changes are only counted: the audit trail stores no values of that size. */
function audited(items: readonly object[] | null): unknown {
  return items === null || items.length <= listRequestLimits.itemsAuditedMax ? items : { items: items.length }
}

async function pageOf(store: Store, list: List, query: ItemsQuery): Promise<Envelope> {
  const size = query.per_page ?? listRequestLimits.itemsPerPageDefault
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

/** Clients delete items while they page: if the last item is gone, the page begins with the next one. */
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
