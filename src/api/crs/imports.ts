import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { CrsError, findRelease } from '../../crs/index.ts'
import type { CrsRelease } from '../../model/resource.ts'
import { type AuditedChange, auditEntry } from '../access/audit/entry.ts'
import { accountResource, authorize } from '../access/permissions/check.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { type ApiError, refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { strict } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { releaseSchema, releaseToWire } from './wire.ts'

/** A release can be imported and activated; nothing else about it changes. */
const useBody = Type.Object({ active: Type.Literal(true) }, strict)

const operation = operationsOf('Rulesets')
const described = {
  obtain: operation(
    'importCrsRelease',
    'Import the newest upstream CRS release, with signature check; it is not activated',
    ['accountWaf', 'write'],
    { result: releaseSchema },
  ),
  use: operation(
    'useCrsRelease',
    'Activate an imported CRS release, so that `latest` refers to it',
    ['accountWaf', 'write'],
    { result: releaseSchema },
  ),
}

interface ReleasePath {
  Params: { readonly release: string }
}

/**
 * Imports CRS releases; Sluice's own. The API imports only upstream releases, because their signature proves their
 * origin. A directory or archive is imported on the machine itself.
 */
export function crsImportRoutes(app: Api, { store, crs }: Pick<ApiDeps, 'store' | 'crs'>): void {
  const writes = new KeyedQueue()

  /** Every account runs these releases: the permission on the first account, which stands for the installation, decides. */
  const preHandler = async (request: FastifyRequest) => {
    const [first] = await store.accounts.list()
    authorize(request, { area: 'accountWaf', level: 'write', resource: accountResource(first!.id) })
  }

  app.post('/waf/crs_releases', { config: described.obtain, preHandler }, async request =>
    writes.run('crs', async () => {
      const audit = (release: CrsRelease) =>
        auditEntry(request, changeOf('create', release, null, releaseToWire(release, false)))
      const { release } = await crs.obtain(audit).catch(throwRefusal)
      return success(releaseToWire(release, release.version === (await store.crs.active())?.version))
    }),
  )

  const use = { config: described.use, preHandler, schema: { body: useBody } }
  app.patch<ReleasePath>('/waf/crs_releases/:release', use, async request =>
    writes.run('crs', async () => {
      const { release: name } = request.params as ReleasePath['Params']
      const [releases, active] = await Promise.all([store.crs.list(), store.crs.active()])
      const release = findRelease(releases, name)
      if (release === undefined) throw refusal('crsReleaseNotFound', { version: name.slice(0, 64) })
      const after = releaseToWire(release, true)
      if (release.version === active?.version) return success(after)
      const before = active === undefined ? null : releaseToWire(active, true)
      await crs
        .use(release.version, auditEntry(request, changeOf('update', release, before, after)))
        .catch(throwRefusal)
      return success(after)
    }),
  )
}

function changeOf(
  action: 'create' | 'update',
  { version }: CrsRelease,
  before: object | null,
  after: object,
): AuditedChange {
  return { action, resource: { kind: 'crs_release', id: String(version) }, before, after }
}

function throwRefusal(error: unknown): never {
  throw error instanceof CrsError ? refusalOf(error) : error
}

function refusalOf({ code, message }: CrsError): ApiError {
  const name = code === 'download-failed' ? 'crsUpstreamAway' : 'crsReleaseRefused'
  return refusal(name, { reason: message })
}
