import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { auditEntry } from '../access/audit/entry.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { requireIds } from '../http/path-ids.ts'
import { operationsOf } from '../openapi/operation.ts'
import {
  deleteOriginCertificate,
  foundOriginCertificate,
  insertOriginCertificate,
  originCertificate,
} from './origin-store.ts'
import { clientAuthSettings, clientBody, clientToWire, originClientCertificateSchema } from './origin-wire.ts'
import { checkedUpload } from './upload.ts'

const operation = operationsOf('Certificates')
const read = ['zoneCertificates', 'read'] as const
const write = ['zoneCertificates', 'write'] as const
const described = {
  list: operation('listOriginClientCertificates', 'List the client certificates for origins', read, {
    result: Type.Array(originClientCertificateSchema),
  }),
  create: operation('createOriginClientCertificate', 'Upload a client certificate for origins', write, {
    result: originClientCertificateSchema,
  }),
  get: operation('getOriginClientCertificate', 'Get a client certificate for origins', read, {
    result: originClientCertificateSchema,
  }),
  delete: operation('deleteOriginClientCertificate', 'Delete a client certificate for origins', write, {
    result: originClientCertificateSchema,
  }),
  settings: operation('getOriginClientAuth', 'Get whether origins are shown a client certificate', read, {
    result: clientAuthSettings,
  }),
  edit: operation('setOriginClientAuth', 'Show origins a client certificate, or none', write, {
    result: clientAuthSettings,
    example: { enabled: true },
  }),
}

interface CertificatePath {
  Params: { readonly certificate_id: string }
}
const base = '/origin_tls_client_auth'
const path = `${base}/:certificate_id`
const settingId = 'origin_tls_client_auth'

/** @source Cloudflare API, zone-level authenticated origin pulls */
export function originClientAuthRoutes(app: Api, deps: ApiDeps): void {
  const { store, clock } = deps
  const writes = new KeyedQueue()
  const isEnabled = async (zoneId: string) =>
    (await store.zoneSettings.list(zoneId)).some(({ id, value }) => id === settingId && value === true)

  app.get(base, { config: described.list }, async request => {
    const { id } = zoneOf(request)
    const enabled = await isEnabled(id)
    const all = await store.originCertificates.list(id, 'client')
    return success(all.map(one => clientToWire(one, enabled, clock.nowMs())))
  })

  app.post(base, { config: described.create, schema: { body: clientBody } }, async request => {
    const { id: zoneId } = zoneOf(request)
    const nowMs = clock.nowMs()
    const upload = checkedUpload(request.body.certificate, request.body.private_key, undefined, nowMs)
    const certificate = originCertificate(zoneId, 'client', upload, nowMs)
    const after = clientToWire(certificate, await isEnabled(zoneId), nowMs)
    const resource = { kind: 'origin_client_certificate', id: certificate.id } as const
    const audit = auditEntry(request, { action: 'create', resource, before: null, after })
    await insertOriginCertificate(deps, certificate, upload.key, audit)
    return success(after)
  })

  app.get(`${base}/settings`, { config: described.settings }, async request =>
    success({ enabled: await isEnabled(zoneOf(request).id) }),
  )

  const setting = { config: described.edit, schema: { body: clientAuthSettings } }
  app.put(`${base}/settings`, setting, async request => {
    const { id: zoneId } = zoneOf(request)
    const { enabled } = request.body
    return writes.write(zoneId, async () => {
      const stored = await store.zoneSettings.list(zoneId)
      const audit = auditEntry(request, {
        action: 'update',
        resource: { kind: 'zone_setting', id: settingId },
        before: { enabled: stored.some(({ id, value }) => id === settingId && value === true) },
        after: { enabled },
      })
      const after = { id: settingId, value: enabled, modifiedOn: timestampOf(clock.nowMs()) }
      await store.zoneSettings.put(zoneId, [after], audit, { before: stored })
      return success({ enabled })
    })
  })

  app.get<CertificatePath>(path, { config: described.get, onRequest: requireIds }, async request => {
    const { id: zoneId } = zoneOf(request)
    const found = await foundOriginCertificate(deps, zoneId, 'client', request.params.certificate_id)
    return success(clientToWire(found, await isEnabled(zoneId), clock.nowMs()))
  })

  app.delete<CertificatePath>(path, { config: described.delete, onRequest: requireIds }, async request => {
    const { id: zoneId } = zoneOf(request)
    const found = await foundOriginCertificate(deps, zoneId, 'client', request.params.certificate_id)
    const before = clientToWire(found, await isEnabled(zoneId), clock.nowMs())
    const resource = { kind: 'origin_client_certificate', id: found.id } as const
    const audit = auditEntry(request, { action: 'delete', resource, before, after: null })
    await deleteOriginCertificate(deps, found, audit)
    return success(before)
  })
}
