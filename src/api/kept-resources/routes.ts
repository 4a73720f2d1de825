import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import {
  isSingleton,
  type KeptCollection,
  type KeptKind,
  type KeptSingleton,
  keptCollections,
  keptLimits,
  keptSingletons,
} from '../../coverage/index.ts'
import type { KeptResource } from '../../model/kept-resource.ts'
import type { JsonObject, Scope } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { requireIds } from '../http/path-ids.ts'
import { id, idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { areaOfKept } from './areas.ts'
import { hostnameSettingRoutes } from './hostname-settings.ts'
import { KeptWrites, keptNotFound } from './kept-writes.ts'

/** The routes of every kind of resource that is stored without being enforced. */
export function keptResourceRoutes(app: Api, deps: ApiDeps, scope: Scope['kind']): void {
  const writes = new KeptWrites(deps)
  for (const kind of keptCollections) if (kind.scope === scope) collectionRoutes(app, kind, writes)
  for (const kind of keptSingletons) if (kind.scope === scope) singletonRoutes(app, kind, writes)
  if (scope === 'zone') hostnameSettingRoutes(app, writes)
}

const listQuery = Type.Object({ page: pageQuery.page, per_page: pageQuery.per_page })

function collectionRoutes(app: Api, kind: KeptCollection, writes: KeptWrites): void {
  const described = describedOf(kind)
  const one = `${kind.path}/:${kind.kind}_id`
  const perPage = kind.paged === true ? apiLimits.perPageDefault : keptLimits.keptResourcesMax
  const idOf = (request: FastifyRequest) =>
    (request.params as Readonly<Record<string, string>>)[`${kind.kind}_id`]!
  const stored = (request: FastifyRequest) => (all: readonly KeptResource[]) => {
    const found = all.find(resource => resource.id === idOf(request))
    if (found === undefined) throw keptNotFound(kind, idOf(request))
    return found
  }
  const answer = (resource: KeptResource) => toWire(resource, kind)
  const whole = ({ body }: FastifyRequest) => ({ ...kind.defaults, ...(body as JsonObject) })

  const list = { config: described.list, schema: { querystring: listQuery } }
  app.get(kind.path, list, async request => {
    const { page: number = 1, per_page: size = perPage } = request.query
    return page(await writes.list(request, kind), number, size, resource => toWire(resource, kind))
  })
  const created = kind.isOrdered === true ? `${kind.path}/order` : kind.path
  app.post(created, { config: described.create, schema: { body: kind.body } }, async request =>
    writes.write(
      request,
      kind,
      () => undefined,
      () => whole(request),
      answer,
    ),
  )
  app.get(one, { config: described.get, onRequest: requireIds }, async request =>
    success(toWire(await writes.get(request, kind, idOf(request)), kind)),
  )
  app.delete(one, { config: described.delete, onRequest: requireIds }, async request =>
    writes.delete(request, kind, idOf(request)),
  )
  if (kind.isOrdered !== true) {
    const replacement = { config: described.replace, onRequest: requireIds, schema: { body: kind.body } }
    app.put(one, replacement, async request =>
      writes.write(request, kind, stored(request), () => whole(request), answer),
    )
  }
  const edit = { config: described.edit, onRequest: requireIds, schema: { body: Type.Partial(kind.body) } }
  app.patch(one, edit, async request => {
    const change = request.body as JsonObject
    return writes.write(
      request,
      kind,
      stored(request),
      before => ({ ...before?.document, ...change }),
      answer,
    )
  })
}

/** A singleton exists with its defaults before it is written. */
function singletonRoutes(app: Api, kind: KeptSingleton, writes: KeptWrites): void {
  const described = describedOf(kind)
  app.get(kind.path, { config: described.get }, async request => {
    const [resource = neverWritten(kind)] = await writes.list(request, kind)
    return success(toWire(resource, kind))
  })
  const change = { config: described.edit, schema: { body: kind.body } }
  app.route({
    method: kind.write,
    url: kind.path,
    ...change,
    handler: async request =>
      writes.write(
        request,
        kind,
        ([resource]) => resource,
        before => ({ ...kind.defaults, ...before?.document, ...(request.body as JsonObject) }),
        resource => toWire(resource, kind),
      ),
  })
  if (kind.isReset !== true) return
  app.delete(kind.path, { config: described.reset }, async request => writes.reset(request, kind))
}

function neverWritten({ kind, defaults }: KeptSingleton): KeptResource {
  return { kind, id: '', createdOn: '', modifiedOn: '', document: defaults }
}

function toWire(resource: KeptResource, kind: KeptKind): JsonObject {
  return {
    ...(isSingleton(kind) ? {} : { id: resource.id }),
    ...resource.document,
    ...kind.computed(resource),
  }
}

function describedOf(kind: KeptKind) {
  const operation = operationsOf('Not enforced')
  const words = kind.noun.replace(/^a /, '')
  const name = kind.kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const area = areaOfKept(kind)
  const result = wireSchema(kind)
  const write = { result }
  return {
    list: operation(`list${name}s`, `List each ${words}`, [area, 'read'], { result: Type.Array(result) }),
    create: operation(`create${name}`, `Store ${kind.noun}; it is not enforced`, [area, 'write'], write),
    get: operation(`get${name}`, `Get ${kind.noun}`, [area, 'read'], { result }),
    replace: operation(`replace${name}`, `Replace ${kind.noun}; it is not enforced`, [area, 'write'], write),
    edit: operation(`edit${name}`, `Change ${kind.noun}; it is not enforced`, [area, 'write'], write),
    delete: operation(`delete${name}`, `Delete ${kind.noun}`, [area, 'write'], { result: idSchema }),
    reset: operation(`reset${name}`, `Put ${kind.noun} back to the default`, [area, 'write'], {
      result: Type.Literal(''),
    }),
  }
}

function wireSchema(kind: KeptKind): TObject {
  return Type.Object({ ...(isSingleton(kind) ? {} : { id }), ...kind.body.properties })
}
