import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import type { CustomAsset } from '../../model/custom-asset.ts'
import type { Scope } from '../../model/resource.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountIdOf, scopeOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import type { KeyedQueue } from '../http/keyed-queue.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { noContent, operationsOf } from '../openapi/operation.ts'
import { assetCreateBody, assetUpdateBody, customAssetSchema, customAssetToWire } from './asset-wire.ts'
import { fetchAsset } from './fetch-page.ts'
import { customPageLimits } from './limits.ts'

const operation = operationsOf('Custom pages')

/** Accounts and zones have the same routes; each has its own operation ids and permissions. */
function describedFor(scope: Scope['kind']) {
  const [at, whose, area] =
    scope === 'zone'
      ? (['Zone', 'of a zone', 'zonePages'] as const)
      : (['Account', 'of an account', 'accountPages'] as const)
  const result = customAssetSchema
  return {
    list: operation(`listCustomAssets${at}`, `List the custom error assets ${whose}`, [area, 'read'], {
      result: Type.Array(result),
    }),
    create: operation(
      `createCustomAsset${at}`,
      `Create a custom error asset ${whose}; it is fetched now`,
      [area, 'write'],
      { result },
    ),
    get: operation(`getCustomAsset${at}`, `Get a custom error asset ${whose}`, [area, 'read'], { result }),
    update: operation(
      `updateCustomAsset${at}`,
      `Change a custom error asset ${whose}; it is fetched again`,
      [area, 'write'],
      { result },
    ),
    delete: operation(`deleteCustomAsset${at}`, `Delete a custom error asset ${whose}`, [area, 'write'], {
      answers: noContent,
    }),
  }
}

interface AssetPath {
  Params: { readonly asset_name: string }
}
type Create = { Body: Static<typeof assetCreateBody> }
type Update = AssetPath & { Body: Static<typeof assetUpdateBody> }
const query = Type.Object(pageQuery)
const path = '/custom_pages/assets/:asset_name'

/**
 * @param fetches one at a time for each account
 * @source Cloudflare API, custom pages: assets
 */
export function customAssetRoutes(
  app: Api,
  { store, clock, destinations }: ApiDeps,
  scopeKind: Scope['kind'],
  { writes, fetches }: { readonly writes: KeyedQueue; readonly fetches: KeyedQueue },
): void {
  const described = describedFor(scopeKind)
  const assetsOf = (request: FastifyRequest) => store.customAssets.list(scopeOf(request))

  /** Fetches and stores an asset. @param isNew refuses a name that is taken, otherwise one that is not */
  const write = async (
    request: FastifyRequest,
    { name, description = '', url }: Create['Body'],
    isNew: boolean,
  ) => {
    requireCapacity(await assetsOf(request), name, isNew)
    const fetched = await fetches.run(accountIdOf(request), () => fetchAsset(url, destinations.reach))
    const scope = scopeOf(request)
    return writes.write(scope.id, async () => {
      const stored = await store.customAssets.list(scope)
      const before = requireCapacity(stored, name, isNew)
      const after = { name, description, url, ...fetched, lastUpdated: timestampOf(clock.nowMs()) }
      const audit = auditEntry(request, {
        action: isNew ? 'create' : 'update',
        resource: { kind: 'custom_asset', id: name },
        before: before === undefined ? null : customAssetToWire(before),
        after: customAssetToWire(after),
      })
      await store.customAssets.put(scope, after, audit, { before: stored })
      return success(customAssetToWire(after))
    })
  }

  app.get(
    '/custom_pages/assets',
    { config: described.list, schema: { querystring: query } },
    async request => {
      const { page: number = 1, per_page: size = apiLimits.perPageDefault, direction } = request.query
      const assets = await assetsOf(request)
      return page(direction === 'desc' ? assets.toReversed() : assets, number, size, customAssetToWire)
    },
  )

  app.post<Create>(
    '/custom_pages/assets',
    { config: described.create, schema: { body: assetCreateBody } },
    request => write(request, request.body, true),
  )

  app.get<AssetPath>(path, { config: described.get }, async request =>
    success(customAssetToWire(assetIn(await assetsOf(request), request.params.asset_name))),
  )

  app.put<Update>(path, { config: described.update, schema: { body: assetUpdateBody } }, request =>
    write(request, { name: request.params.asset_name, ...request.body }, false),
  )

  app.delete<AssetPath>(path, { config: described.delete }, async (request, reply) => {
    const scope = scopeOf(request)
    const { asset_name: name } = request.params
    await writes.write(scope.id, async () => {
      const stored = await store.customAssets.list(scope)
      const before = customAssetToWire(assetIn(stored, name))
      const resource = { kind: 'custom_asset', id: name }
      const audit = auditEntry(request, { action: 'delete', resource, before, after: null })
      await store.customAssets.delete(scope, name, audit, { before: stored })
    })
    return reply.code(204).send()
  })
}

function assetIn(stored: readonly CustomAsset[], name: string): CustomAsset {
  const found = stored.find(asset => asset.name === name)
  if (found === undefined) throw refusal('customAssetNotFound', { name: name.slice(0, 200) })
  return found
}

/** @returns the asset that is replaced */
function requireCapacity(
  stored: readonly CustomAsset[],
  name: string,
  isNew: boolean,
): CustomAsset | undefined {
  if (!isNew) return assetIn(stored, name)
  if (stored.some(asset => asset.name === name)) throw refusal('customAssetExists', { name }, '/name')
  const limit = customPageLimits.assetsMax
  if (stored.length >= limit) throw refusal('tooManyCustomAssets', { limit: String(limit) })
  return undefined
}
