import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { listLimits } from '../kit/limits.ts'
import type { List } from '../model/resource.ts'
import { type Store, StoreError } from '../store/port.ts'
import { auditEntry } from './audit.ts'
import { type Api, accountOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'
import { listItemRoutes } from './list-items.ts'
import { ListOperations } from './list-operations.ts'
import { type ListPath, listNotFound, listOf } from './list-paths.ts'
import { type ListReference, listReferences } from './list-references.ts'
import { listToWire } from './list-wire.ts'
import { requireIds } from './ruleset-paths.ts'
import { Turns } from './turns.ts'

const description = Type.Union([Type.String({ maxLength: listLimits.descriptionCharactersMax }), Type.Null()])
const createBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: listLimits.nameCharactersMax,
      pattern: '^[a-z0-9_]+$',
    }),
    kind: Type.Enum(['ip', 'hostname', 'asn', 'redirect']),
    description: Type.Optional(description),
  },
  { additionalProperties: false },
)
/** Name and kind never change; clients may send them back. */
const updateBody = Type.Object(
  {
    description: Type.Optional(description),
    name: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

/**
 * Custom lists below an account.
 * @source Cloudflare's Lists API
 */
export function listRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const turns = new Turns()
  const operations = new ListOperations(deps)
  app.addHook('onReady', () => operations.failAbandoned())
  app.addHook('onClose', () => operations.drain())
  const named = { onRequest: requireIds }

  async function show(list: List): Promise<object> {
    return listToWire(list, (await referencesOf(store, list)).length)
  }

  app.get('/rules/lists', named, async request => {
    const { id } = accountOf(request)
    const [lists, references] = await Promise.all([store.lists.list(id), listReferences(store, id)])
    return success(lists.map(list => listToWire(list, references.get(list.name)?.length ?? 0)))
  })

  app.post('/rules/lists', { ...named, schema: { body: createBody } }, async request => {
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
    return turns.run(accountId, async () => {
      const known = await store.lists.list(accountId)
      if (known.some(other => other.name === name)) throw listExists(name)
      if (known.length >= listLimits.listsPerAccountMax) {
        throw refusal('tooManyLists', { limit: String(listLimits.listsPerAccountMax) })
      }
      const shown = await show(list)
      const audit = auditEntry(request, {
        action: 'create',
        resource: { kind: 'list', id: list.id },
        before: null,
        after: shown,
      })
      await store.lists.insert(list, audit).catch(error => {
        throw error instanceof StoreError && error.code === 'conflict' ? listExists(name) : error
      })
      return success(shown)
    })
  })

  app.get<ListPath>('/rules/lists/:list_id', named, async request =>
    success(await show(await listOf(store, request, request.params.list_id))),
  )

  app.put<ListPath & { Body: { description?: string | null; name?: string; kind?: string } }>(
    '/rules/lists/:list_id',
    { ...named, schema: { body: updateBody } },
    async request => {
      const list = await listOf(store, request, request.params.list_id)
      const { description } = request.body
      requireUnchanged('name', request.body.name, list.name)
      requireUnchanged('kind', request.body.kind, list.kind)
      const changed: List = {
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
      await unlessGone(list.id, store.lists.update(changed, audit))
      return success(after)
    },
  )

  app.delete<ListPath>('/rules/lists/:list_id', named, async request => {
    const { list_id: id } = request.params
    const list = await listOf(store, request, id)
    const references = await referencesOf(store, list)
    if (references.length > 0) throw refusal('listInUse', { rules: ruleNames(references) })
    const audit = auditEntry(request, {
      action: 'delete',
      resource: { kind: 'list', id },
      before: listToWire(list, 0),
      after: null,
    })
    if (!(await store.lists.delete(list.accountId, id, audit))) throw listNotFound(id)
    return success({ id })
  })

  listItemRoutes(app, deps, operations)
}

async function referencesOf(store: Store, list: List): Promise<readonly ListReference[]> {
  return (await listReferences(store, list.accountId)).get(list.name) ?? []
}

async function unlessGone<T>(id: string, write: Promise<T>): Promise<T> {
  return write.catch(error => {
    throw error instanceof StoreError && error.code === 'stale' ? listNotFound(id) : error
  })
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

function listExists(name: string): Error {
  return refusal('listExists', { name }, '/name')
}
