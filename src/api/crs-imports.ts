import { Type } from '@fastify/type-provider-typebox'
import { CrsError, findRelease, type Imported } from '../crs/index.ts'
import type { AuditEntry, CrsRelease } from '../model/resource.ts'
import { type AuditedChange, auditEntry } from './audit.ts'
import type { Api } from './context.ts'
import { releaseToWire } from './crs-releases.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { type ApiError, refusal } from './errors.ts'
import { Turns } from './turns.ts'

/** Releases are brought in and taken into use; nothing else about them changes. */
const useBody = Type.Object({ active: Type.Literal(true) }, { additionalProperties: false })

interface ReleasePath {
  Params: { readonly release: string }
}

/** What the room `crs` does to the releases of the installation. */
export interface CrsChanges {
  /**
   * Imports the newest release that upstream published, its signature checked; what runs stays.
   * @throws CrsError
   */
  obtain(audit: (release: CrsRelease) => AuditEntry): Promise<Imported>
  /** Makes an imported release the one that `latest` means. @throws CrsError */
  use(version: number, audit: AuditEntry): Promise<CrsRelease>
}

/**
 * Brings CRS releases in; Sluice's own. Only upstream's own releases come in this way, because their signature says
 * whose they are: a directory or archive is imported on the machine itself.
 */
export function crsImportRoutes(app: Api, { store, crs }: Pick<ApiDeps, 'store' | 'crs'>): void {
  const turns = new Turns()

  app.post('/waf/crs_releases', async request =>
    turns.run('crs', async () => {
      const audit = (release: CrsRelease) =>
        auditEntry(request, changeOf('create', release, null, releaseToWire(release, false)))
      const { release } = await crs.obtain(audit).catch(throwRefusal)
      return success(releaseToWire(release, release.version === (await store.crs.active())?.version))
    }),
  )

  app.patch<ReleasePath>('/waf/crs_releases/:release', { schema: { body: useBody } }, async request =>
    turns.run('crs', async () => {
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
