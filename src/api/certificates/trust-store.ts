import { Type } from '@fastify/type-provider-typebox'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import {
  deleteOriginCertificate,
  foundOriginCertificate,
  insertOriginCertificate,
  originCertificate,
} from './origin-store.ts'
import { authorityBody, authorityToWire, trustStoreCertificateSchema } from './origin-wire.ts'
import { checkedAuthority } from './upload.ts'

const operation = operationsOf('Certificates')
const described = {
  list: operation('listTrustStore', 'List the authorities for origins', ['zoneCertificates', 'read'], {
    result: Type.Array(trustStoreCertificateSchema),
  }),
  create: operation('addToTrustStore', 'Upload an authority for origins', ['zoneCertificates', 'write'], {
    result: trustStoreCertificateSchema,
  }),
  get: operation('getFromTrustStore', 'Get an authority for origins', ['zoneCertificates', 'read'], {
    result: trustStoreCertificateSchema,
  }),
  delete: operation(
    'deleteFromTrustStore',
    'Delete an authority for origins',
    ['zoneCertificates', 'write'],
    {
      result: idSchema,
    },
  ),
}

interface CertificatePath {
  Params: { readonly certificate_id: string }
}
const base = '/acm/custom_trust_store'
const path = `${base}/:certificate_id`

/** @source Cloudflare API, custom origin trust store */
export function trustStoreRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps

  const query = Type.Object(pageQuery)
  app.get(base, { config: described.list, schema: { querystring: query } }, async request => {
    const { page: number = 1, per_page: size = apiLimits.perPageDefault } = request.query
    const all = await store.originCertificates.list(zoneOf(request).id, 'authority')
    return page(all, number, size, one => authorityToWire(one, clock.nowMs()))
  })

  app.post(base, { config: described.create, schema: { body: authorityBody } }, async request => {
    const nowMs = clock.nowMs()
    const upload = checkedAuthority(request.body.certificate, nowMs)
    const certificate = originCertificate(zoneOf(request).id, 'authority', upload, nowMs)
    const after = authorityToWire(certificate, nowMs)
    const resource = { kind: 'trust_store_certificate', id: certificate.id } as const
    const audit = auditEntry(request, { action: 'create', resource, before: null, after })
    await insertOriginCertificate(deps, certificate, undefined, audit)
    return success(after)
  })

  app.get<CertificatePath>(path, { config: described.get, onRequest: requireIds }, async request => {
    const { id: zoneId } = zoneOf(request)
    const found = await foundOriginCertificate(deps, zoneId, 'authority', request.params.certificate_id)
    return success(authorityToWire(found, clock.nowMs()))
  })

  app.delete<CertificatePath>(path, { config: described.delete, onRequest: requireIds }, async request => {
    const { id: zoneId } = zoneOf(request)
    const found = await foundOriginCertificate(deps, zoneId, 'authority', request.params.certificate_id)
    const resource = { kind: 'trust_store_certificate', id: found.id } as const
    const before = authorityToWire(found, clock.nowMs())
    const audit = auditEntry(request, { action: 'delete', resource, before, after: null })
    await deleteOriginCertificate(deps, found, audit)
    return success({ id: found.id })
  })
}
