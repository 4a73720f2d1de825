import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { type CustomPage, type CustomPageId, customPageIds } from '../../model/custom-page.ts'
import type { Scope } from '../../model/resource.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountIdOf, scopeOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { operationsOf } from '../openapi/operation.ts'
import { customAssetRoutes } from './asset-routes.ts'
import { fetchPage } from './fetch-page.ts'
import { customPageBody, customPageSchema, customPageToWire } from './wire.ts'

const operation = operationsOf('Custom pages')

/** Accounts and zones have the same routes; each has its own operation ids and permissions. */
function describedFor(scope: Scope['kind']) {
  const [at, whose, area] =
    scope === 'zone'
      ? (['Zone', 'of a zone', 'zonePages'] as const)
      : (['Account', 'of an account', 'accountPages'] as const)
  return {
    list: operation(`listCustomPages${at}`, `List the custom pages ${whose}`, [area, 'read'], {
      result: Type.Array(customPageSchema),
    }),
    get: operation(`getCustomPage${at}`, `Get a custom page ${whose}`, [area, 'read'], {
      result: customPageSchema,
    }),
    update: operation(
      `updateCustomPage${at}`,
      `Set a custom page ${whose}; it is fetched now`,
      [area, 'write'],
      { result: customPageSchema },
    ),
  }
}

interface PagePath {
  Params: { readonly identifier: string }
}
type PageUpdate = PagePath & { Body: Static<typeof customPageBody> }
const path = '/custom_pages/:identifier'

/** @source Cloudflare API, custom pages */
export function customPageRoutes(app: Api, deps: ApiDeps, scopeKind: Scope['kind']): void {
  const { store, clock, destinations } = deps
  const described = describedFor(scopeKind)
  const writes = new KeyedQueue()
  // One page of an account at a time: each fetch holds a connection and a page for up to ten seconds.
  const fetches = new KeyedQueue()
  customAssetRoutes(app, deps, scopeKind, { writes, fetches })

  app.get('/custom_pages', { config: described.list }, async request => {
    const stored = await store.customPages.list(scopeOf(request))
    return page(customPageIds, 1, customPageIds.length, id => customPageToWire(id, pageIn(stored, id)))
  })

  app.get<PagePath>(path, { config: described.get }, async request => {
    const id = identifierOf(request)
    return success(customPageToWire(id, pageIn(await store.customPages.list(scopeOf(request)), id)))
  })

  const update = { config: described.update, schema: { body: customPageBody } }
  app.put<PageUpdate>(path, update, async request => {
    const id = identifierOf(request)
    const scope = scopeOf(request)
    const { state, url = null } = request.body
    const content =
      state === 'default'
        ? ''
        : await fetches.run(accountIdOf(request), () => fetchPage(id, requiredUrl(url), destinations.reach))
    return writes.write(scope.id, async () => {
      const stored = await store.customPages.list(scope)
      const before = pageIn(stored, id)
      const modifiedOn = timestampOf(clock.nowMs())
      const after = { id, state, url, content, createdOn: before?.createdOn ?? modifiedOn, modifiedOn }
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'custom_page', id },
        before: customPageToWire(id, before),
        after: customPageToWire(id, after),
      })
      await store.customPages.put(scope, after, audit, { before: stored })
      return success(customPageToWire(id, after))
    })
  })
}

function requiredUrl(url: string | null): string {
  if (url === null || url === '') throw refusal('missingField', { field: 'url' }, '/url')
  return url
}

function identifierOf(request: FastifyRequest): CustomPageId {
  const { identifier } = request.params as PagePath['Params']
  const id = customPageIds.find(known => known === identifier)
  if (id === undefined)
    throw refusal('customPageUnknown', { id: identifier, known: customPageIds.join(', ') })
  return id
}

function pageIn(stored: readonly CustomPage[], id: CustomPageId): CustomPage | undefined {
  return stored.find(one => one.id === id)
}
