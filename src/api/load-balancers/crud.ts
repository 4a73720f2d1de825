import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { newId } from '../../kit/ids.ts'
import type { LoadBalancer, LoadBalancing, Monitor, Pool } from '../../model/load-balancing.ts'
import type { Json } from '../../model/resource.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import type { Kind } from './kinds.ts'
import type { Changed, LoadBalancingWrites } from './writes.ts'

/** The routes to list, create, read, replace, change and delete resources of a kind. */
export function crudRoutes<T extends Monitor | Pool | LoadBalancer, Input extends object>(
  app: Api,
  writes: LoadBalancingWrites,
  kind: Kind<T, Input>,
): void {
  const described = describedOf(kind)
  const one = `${kind.path}/:${kind.kind}_id`
  const resources = new Resources(writes, kind)

  app.get(kind.path, { config: described.list }, async request => {
    const state = await writes.read(request)
    const { monitor } = request.query as { readonly monitor?: unknown }
    const shown = kind
      .all(state)
      .filter(resource => kind.covers(resource, request))
      .filter(resource => monitor === undefined || !('origins' in resource) || resource.monitor === monitor)
    return success(shown.map(resource => kind.toWire(resource, request)))
  })

  const creation = { config: described.create, schema: { body: kind.body } }
  app.post(kind.path, creation, async request =>
    success(
      await writes.write(request, state => {
        if (kind.all(state).length >= kind.max)
          throw refusal('tooManyLbResources', { limit: String(kind.max), kind: kind.words })
        return resources.put(request, state, request.body as Input, undefined)
      }),
    ),
  )

  app.get(one, { config: described.get, onRequest: requireIds }, async request =>
    success(kind.toWire(resources.found(request, await writes.read(request)), request)),
  )

  const replacement = { config: described.replace, onRequest: requireIds, schema: { body: kind.body } }
  app.put(one, replacement, async request =>
    success(
      await writes.write(request, state =>
        resources.put(request, state, request.body as Input, resources.found(request, state)),
      ),
    ),
  )

  const edit = { config: described.edit, onRequest: requireIds, schema: { body: kind.patch } }
  app.patch(one, edit, async request =>
    success(
      await writes.write(request, state => {
        const former = resources.found(request, state)
        const input = { ...kind.toWire(former, request), ...(request.body as object) } as Input
        return resources.put(request, state, input, former)
      }),
    ),
  )

  app.delete(one, { config: described.delete, onRequest: requireIds }, async request =>
    success(await writes.write(request, state => resources.delete(request, state))),
  )
}

/** The changes of one kind. */
class Resources<T extends Monitor | Pool | LoadBalancer, Input extends object> {
  readonly #writes: LoadBalancingWrites
  readonly #kind: Kind<T, Input>

  constructor(writes: LoadBalancingWrites, kind: Kind<T, Input>) {
    this.#writes = writes
    this.#kind = kind
  }

  /** @throws ApiError 404 */
  found(request: FastifyRequest, state: LoadBalancing): T {
    const { all, covers, kind, words } = this.#kind
    const id = (request.params as Readonly<Record<string, string>>)[`${kind}_id`]!
    const resource = all(state).find(one => one.id === id && covers(one, request))
    if (resource === undefined) throw refusal('lbNotFound', { kind: words, id })
    return resource
  }

  async put(
    request: FastifyRequest,
    state: LoadBalancing,
    input: Input,
    former: T | undefined,
  ): Promise<Changed<object>> {
    const { kind, from, toWire, change } = this.#kind
    const { now } = this.#writes
    const dates = { id: former?.id ?? newId(), createdOn: former?.createdOn ?? now, modifiedOn: now }
    const resource = await from(input, dates, state, request)
    this.#requireFreeName(resource, state)
    const result = toWire(resource, request)
    return {
      change: change(resource, resource),
      result,
      audit: {
        action: former === undefined ? 'create' : 'update',
        resource: { kind, id: resource.id },
        before: former === undefined ? null : toWire(former, request),
        after: result,
      },
    }
  }

  delete(request: FastifyRequest, state: LoadBalancing): Changed<object> {
    const resource = this.found(request, state)
    const { kind, words, users, toWire, change } = this.#kind
    const using = users(resource, state).map(({ name }) => name)
    const shown = using.slice(0, usersShown).join(', ')
    const more = using.length > usersShown ? ` and ${using.length - usersShown} more` : ''
    if (using.length > 0) throw refusal('lbInUse', { kind: words, users: shown + more })
    return {
      change: change(resource, undefined),
      result: { id: resource.id },
      audit: {
        action: 'delete',
        resource: { kind, id: resource.id },
        before: toWire(resource, request),
        after: null,
      },
    }
  }

  #requireFreeName(resource: T, state: LoadBalancing): void {
    const { all, nameOf, words } = this.#kind
    const name = nameOf(resource)
    if (name === undefined) return
    const isTaken = all(state).some(other => other.id !== resource.id && nameOf(other) === name)
    if (isTaken) throw refusal('lbNameTaken', { kind: words, name }, '/name')
  }
}

const usersShown = 5

function describedOf<T extends Monitor | Pool | LoadBalancer, Input extends object>({
  noun,
  words,
  area,
  schema: result,
  example,
}: Kind<T, Input>) {
  const operation = operationsOf('Load balancing')
  const write = { result, example: example as Json }
  return {
    list: operation(`list${noun}s`, `List the ${words}s`, [area, 'read'], { result: Type.Array(result) }),
    create: operation(`create${noun}`, `Create a ${words}`, [area, 'write'], write),
    get: operation(`get${noun}`, `Get a ${words}`, [area, 'read'], { result }),
    replace: operation(`replace${noun}`, `Replace a ${words}`, [area, 'write'], write),
    edit: operation(`edit${noun}`, `Change members of a ${words}`, [area, 'write'], {
      result,
      example: { description: 'new' },
    }),
    delete: operation(`delete${noun}`, `Delete a ${words}`, [area, 'write'], { result: idSchema }),
  }
}
