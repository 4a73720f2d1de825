import { type Static, Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { ZoneCertificate } from '../../model/certificate.ts'
import { unsupportedInCertificate } from '../../model/certificate-support.ts'
import type { AuditEntry } from '../../model/resource.ts'
import type { SentMembers } from '../../model/unsupported.ts'
import { certificateStoreLimits } from '../../store/limits.ts'
import type { Revised } from '../../store/port/basis.ts'
import { StoreError } from '../../store/port/error.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { selectCertificates } from './list.ts'
import { checkedUpload, type Upload } from './upload.ts'
import {
  certificateToWire,
  createBody,
  customCertificateSchema,
  editBody,
  listQuery,
  prioritizeBody,
} from './wire.ts'

const operation = operationsOf('Certificates')
const described = {
  list: operation('listCustomCertificates', 'List the uploaded certificates', ['zoneCertificates', 'read'], {
    result: Type.Array(customCertificateSchema),
  }),
  create: operation('createCustomCertificate', 'Upload a certificate', ['zoneCertificates', 'write'], {
    result: customCertificateSchema,
  }),
  get: operation('getCustomCertificate', 'Get an uploaded certificate', ['zoneCertificates', 'read'], {
    result: customCertificateSchema,
  }),
  edit: operation(
    'editCustomCertificate',
    'Replace a certificate and its key',
    ['zoneCertificates', 'write'],
    {
      result: customCertificateSchema,
    },
  ),
  delete: operation('deleteCustomCertificate', 'Delete a certificate', ['zoneCertificates', 'write'], {
    result: idSchema,
  }),
  prioritize: operation(
    'prioritizeCustomCertificates',
    'Set the precedence of certificates with the same names',
    ['zoneCertificates', 'write'],
    { result: Type.Array(customCertificateSchema) },
  ),
}

interface CertificatePath {
  Params: { readonly certificate_id: string }
}
type EditRoute = CertificatePath & { Body: Static<typeof editBody> }
const path = '/custom_certificates/:certificate_id'

/** @source Cloudflare API, custom certificates */
export function customCertificateRoutes(app: Api, { store, clock }: ApiDeps): void {
  const { certificates } = store
  const writes = new KeyedQueue()
  const show = (certificate: ZoneCertificate) => certificateToWire(certificate, clock.nowMs())
  const now = () => timestampOf(clock.nowMs())

  async function customOf(zoneId: string): Promise<readonly Revised<ZoneCertificate>[]> {
    return (await certificates.list(zoneId)).filter(({ source }) => source === 'custom')
  }

  async function found(request: FastifyRequest): Promise<Revised<ZoneCertificate>> {
    const { certificate_id: id } = request.params as CertificatePath['Params']
    const certificate = await certificates.get(zoneOf(request).id, id)
    if (certificate?.source === 'custom') return certificate
    throw refusal('certificateNotFound', { id })
  }

  function audited(
    request: FastifyRequest,
    id: string,
    before: ZoneCertificate | null,
    after: ZoneCertificate | null,
  ): AuditEntry {
    return auditEntry(request, {
      action: before === null ? 'create' : after === null ? 'delete' : 'update',
      resource: { kind: 'custom_certificate', id },
      before: before && show(before),
      after: after && show(after),
    })
  }

  const query = Type.Object({ ...pageQuery, ...listQuery })
  app.get(
    '/custom_certificates',
    { config: described.list, schema: { querystring: query } },
    async request => {
      const wanted = request.query
      const all = (await customOf(zoneOf(request).id)).map(show)
      const shown = selectCertificates(all, wanted)
      return page(shown, wanted.page ?? 1, wanted.per_page ?? apiLimits.perPageDefault, one => one)
    },
  )

  const creation = { config: described.create, schema: { body: createBody } }
  app.post('/custom_certificates', creation, async request => {
    const { body } = request
    const zone = zoneOf(request)
    requireMeaning(body)
    const upload = checkedUpload(body.certificate, body.private_key, zone.name, clock.nowMs())
    const certificate: ZoneCertificate = {
      id: newId(),
      zoneId: zone.id,
      source: 'custom',
      ...factsOf(upload),
      priority: 0,
      bundleMethod: body.bundle_method ?? 'ubiquitous',
      uploadedOn: now(),
      modifiedOn: now(),
    }
    const audit = audited(request, certificate.id, null, certificate)
    await certificates.insert(certificate, upload.key, audit).catch(error => {
      throw error instanceof StoreError && error.code === 'full' ? tooMany() : error
    })
    return success(show(certificate))
  })

  app.get<CertificatePath>(path, { config: described.get, onRequest: requireIds }, async request =>
    success(show(await found(request))),
  )

  const edit = { config: described.edit, onRequest: requireIds, schema: { body: editBody } }
  app.patch<EditRoute>(path, edit, async request => {
    const { body } = request
    const zone = zoneOf(request)
    requireMeaning(body)
    const upload = replacement(body, zone.name, clock.nowMs())
    return writes.write(zone.id, async () => {
      const before = await found(request)
      const after = {
        ...before,
        ...(upload === undefined ? {} : factsOf(upload)),
        bundleMethod: body.bundle_method ?? before.bundleMethod,
        modifiedOn: now(),
      }
      const edited = upload === undefined ? after : { ...after, key: upload.key }
      await certificates.update(zone.id, [edited], audited(request, before.id, before, after))
      return success(show(after))
    })
  })

  app.delete<CertificatePath>(path, { config: described.delete, onRequest: requireIds }, async request =>
    writes.write(zoneOf(request).id, async () => {
      const { id, zoneId, revision, ...rest } = await found(request)
      const audit = audited(request, id, { ...rest, id, zoneId }, null)
      await certificates.delete(zoneId, id, audit, revision)
      return success({ id })
    }),
  )

  const priorities = { config: described.prioritize, schema: { body: prioritizeBody } }
  app.put('/custom_certificates/prioritize', priorities, async request => {
    const { id: zoneId } = zoneOf(request)
    const wanted = request.body.certificates
    return writes.write(zoneId, async () => {
      const all = await customOf(zoneId)
      const changed = prioritized(all, wanted, now())
      const after = all.map(one => changed.get(one.id) ?? one)
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'custom_certificate', id: zoneId },
        before: all.filter(({ id }) => changed.has(id)).map(show),
        after: [...changed.values()].map(show),
      })
      await certificates.update(zoneId, [...changed.values()], audit)
      return success(after.toSorted((a, b) => b.priority - a.priority).map(show))
    })
  })
}

/** The certificates with new priorities, by id. @throws ApiError 400 for an id that is unknown or stands twice */
function prioritized(
  all: readonly Revised<ZoneCertificate>[],
  wanted: Static<typeof prioritizeBody>['certificates'],
  modifiedOn: string,
): ReadonlyMap<string, Revised<ZoneCertificate>> {
  const known = new Map(all.map(one => [one.id, one]))
  const changed = new Map<string, Revised<ZoneCertificate>>()
  for (const [at, { id, priority }] of wanted.entries()) {
    const certificate = known.get(id)
    const reason = certificate === undefined ? 'the zone has no such certificate' : 'it stands twice'
    if (certificate === undefined || changed.has(id))
      throw refusal('badValue', { value: id, field: 'id', reason }, `/certificates/${at}/id`)
    changed.set(id, { ...certificate, priority, modifiedOn })
  }
  return changed
}

/** The new pair of an edit. @throws ApiError 400 when only one half is there, or as `checkedUpload` */
function replacement(
  { certificate, private_key: key }: Static<typeof editBody>,
  zoneName: string,
  nowMs: number,
): Upload | undefined {
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw refusal('missingField', { field: 'certificate' }, '/certificate')
  if (key === undefined) throw refusal('missingField', { field: 'private_key' }, '/private_key')
  return checkedUpload(certificate, key, zoneName, nowMs)
}

function factsOf({ key: _, beginsMs: _begins, expiresMs, ...facts }: Upload) {
  return { ...facts, expiresOn: timestampOf(expiresMs) }
}

/** @throws ApiError 400 for members that promise something that a self-hosted edge does not do */
function requireMeaning(body: SentMembers): void {
  const unsupported = unsupportedInCertificate(body)
  if (unsupported === undefined) return
  const { field, reason } = unsupported
  throw refusal('certificateFeature', { field, reason }, `/${field}`)
}

function tooMany(): Error {
  const limit = String(certificateStoreLimits.certificatesPerZoneMax)
  return refusal('tooManyCertificates', { limit })
}
