import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { List, Ruleset } from '../../model/resource.ts'
import { listLimits } from '../../store/limits.ts'
import { StoreError } from '../../store/port/error.ts'
import type { Store } from '../../store/port.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema, strict, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { listItemRoutes } from './items.ts'
import { listRequestLimits } from './limits.ts'
import { ListOperations } from './operations.ts'
import { type ListPath, listOf } from './paths.ts'
import { type ListReference, listReferences, referencesIn } from './references.ts'
import { listSchema, listToWire } from './wire.ts'

const description = Type.Union([
  Type.String({ maxLength: listRequestLimits.descriptionCharactersMax }),
  Type.Null(),
])
const createBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: listRequestLimits.nameCharactersMax,
      pattern: '^[a-z0-9_]+$',
    }),
    kind: Type.Enum(['ip', 'hostname', 'asn', 'redirect']),
    description: Type.Optional(description),
  },
  strict,
)
/** Name and kind never change; clients may echo them. */
const updateBody = Type.Object(
  {
    description: Type.Optional(description),
    name: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String()),
  },
  strict,
)

const operation = operationsOf('Lists')
const described = {
  list: operation('listLists', 'List the lists', ['accountLists', 'read'], {
    result: Type.Array(listSchema),
  }),
  create: operation('createList', 'Create a list', ['accountLists', 'write'], {
    result: listSchema,
    example: { name: 'partners', kind: 'ip', description: 'Addresses of partners' },
  }),
  get: operation('getList', 'Get a list', ['accountLists', 'read'], { result: listSchema }),
  update: operation('updateList', 'Change the description of a list', ['accountLists', 'write'], {
    result: listSchema,
  }),
  delete: operation('deleteList', 'Delete a list with its items', ['accountLists', 'write'], {
    result: idSchema,
  }),
}

/**
 * Custom lists below an account.
 * @source Cloudflare's Lists API
 */
export function listRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const writes = new KeyedQueue()
  const operations = new ListOperations(deps)
  app.addHook('onReady', async () => operations.watch())
  app.addHook('onClose', () => operations.close())

  async function show(list: List): Promise<Wire<typeof listSchema>> {
    return listToWire(list, (await referencesOf(store, list)).length)
  }

  app.get('/rules/lists', { config: described.list }, async request => {
    const { id } = accountOf(request)
    const [lists, references] = await Promise.all([store.lists.list(id), listReferences(store, id)])
    return success(lists.map(list => listToWire(list, references.get(list.name)?.length ?? 0)))
  })

  app.post('/rules/lists', { config: described.create, schema: { body: createBody } }, async request => {
    const { name, kind, description } = request.body
    const accountId = accountOf(request).id
    const now = timestampOf(clock.nowMs())
    const list: List = {
      id: newId(),
      accountId,
      name,
      description: description ?? '',
      kind,
      numItems: 0,
      createdOn: now,
      modifiedOn: now,
    }
    const shown = await show(list)
    const audit = auditEntry(request, {
      action: 'create',
      resource: { kind: 'list', id: list.id },
      before: null,
      after: shown,
    })
    await store.lists.insert(list, audit).catch(error => {
      throw error instanceof StoreError ? refusalOfNew(name, error) : error
    })
    return success(shown)
  })

  app.get<ListPath>(
    '/rules/lists/:list_id',
    { config: described.get, onRequest: requireIds },
    async request => success(await show(await listOf(store, request, request.params.list_id))),
  )

  app.put<ListPath & { Body: { description?: string | null; name?: string; kind?: string } }>(
    '/rules/lists/:list_id',
    { config: described.update, onRequest: requireIds, schema: { body: updateBody } },
    async request =>
      writes.write(request.params.list_id, async () => {
        const list = await listOf(store, request, request.params.list_id)
        const { description } = request.body
        requireUnchanged('name', request.body.name, list.name)
        requireUnchanged('kind', request.body.kind, list.kind)
        const changed = {
          ...list,
          description: description === undefined ? list.description : (description ?? ''),
          modifiedOn: timestampOf(clock.nowMs()),
        }
        const [before, after] = [await show(list), await show(changed)]
        const audit = auditEntry(request, {
          action: 'update',
          resource: { kind: 'list', id: list.id },
          before,
          after,
        })
        await store.lists.update(changed, audit)
        return success(after)
      }),
  )

  const deletion = { config: described.delete, onRequest: requireIds }
  app.delete<ListPath>('/rules/lists/:list_id', deletion, async request => {
    const { list_id: id } = request.params
    return writes.write(id, async () => {
      const list = await listOf(store, request, id)
      const audit = auditEntry(request, {
        action: 'delete',
        resource: { kind: 'list', id },
        before: listToWire(list, 0),
        after: null,
      })
      const requireUnused = (naming: readonly Ruleset[]) => {
        const references = referencesIn(naming).get(list.name) ?? []
        if (references.length > 0) throw refusal('listInUse', { rules: ruleNames(references) })
      }
      await store.lists.delete(list.accountId, id, audit, requireUnused, list.revision)
      return success({ id })
    })
  })

  listItemRoutes(app, deps, operations)
}

async function referencesOf(store: Store, list: List): Promise<readonly ListReference[]> {
  return (await listReferences(store, list.accountId)).get(list.name) ?? []
}

function requireUnchanged(field: string, sent: string | undefined, kept: string): void {
  if (sent === undefined || sent === kept) return
  const reason = `the ${field} of a list cannot be changed`
  throw refusal('badValue', { value: sent.slice(0, 100), field, reason }, `/${field}`)
}

const referencesShown = 5

function ruleNames(references: readonly ListReference[]): string {
  const shown = references
    .slice(0, referencesShown)
    .map(
      ({ ruleset, rule }) =>
        `rule ${rule.id} of ruleset ${ruleset.id} (${ruleset.scope.kind} ${ruleset.scope.id})`,
    )
  const more = references.length - shown.length
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function refusalOfNew(name: string, error: StoreError): Error {
  if (error.code === 'conflict') return refusal('listExists', { name }, '/name')
  if (error.code !== 'full') return error
  return refusal('tooManyLists', { limit: String(listLimits.listsPerAccountMax) })
}
