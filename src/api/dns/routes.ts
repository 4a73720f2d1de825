import { Type } from '@fastify/type-provider-typebox'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { RecordChanges } from './changes.ts'
import { dnsRecordBody, dnsRecordPatch, type RecordInput, type RecordPatch } from './input.ts'
import { dnsLimits } from './limits.ts'
import { dnsRecordListQuery, selectRecords } from './list.ts'
import { changed, RecordWrites } from './record-writes.ts'
import { dnsRecordSchema, dnsRecordToWire } from './wire.ts'

const operation = operationsOf('DNS records')
const example = { type: 'A', name: 'www', content: '192.0.2.10', proxied: true }
const described = {
  list: operation('listDnsRecords', 'List the DNS records of the zone', ['dns', 'read'], {
    result: Type.Array(dnsRecordSchema),
  }),
  create: operation('createDnsRecord', 'Create a DNS record', ['dns', 'write'], {
    result: dnsRecordSchema,
    example,
  }),
  get: operation('getDnsRecord', 'Get a DNS record', ['dns', 'read'], { result: dnsRecordSchema }),
  replace: operation('replaceDnsRecord', 'Replace a DNS record', ['dns', 'write'], {
    result: dnsRecordSchema,
    example,
  }),
  edit: operation('editDnsRecord', 'Change members of a DNS record', ['dns', 'write'], {
    result: dnsRecordSchema,
    example: { content: '192.0.2.11' },
  }),
  delete: operation('deleteDnsRecord', 'Delete a DNS record', ['dns', 'write'], { result: idSchema }),
}

interface RecordPath {
  Params: { readonly record_id: string }
}

/** @source Cloudflare API, DNS records */
export function dnsRecordRoutes(app: Api, deps: ApiDeps): void {
  const { store } = deps
  const writes = new RecordWrites(deps)

  app.get(
    '/dns_records',
    { config: described.list, schema: { querystring: dnsRecordListQuery } },
    async request => {
      const { query } = request
      const records = selectRecords(await store.dnsRecords.list(zoneOf(request).id), query)
      return page(
        records,
        query.page ?? 1,
        query.per_page ?? dnsLimits.dnsRecordsPerPageDefault,
        dnsRecordToWire,
      )
    },
  )

  app.post('/dns_records', { config: described.create, schema: { body: dnsRecordBody } }, async request =>
    success(
      await writes.write(request, changes =>
        changed('create', undefined, changes.add(request.body, writes.context(request))),
      ),
    ),
  )

  app.get<RecordPath>(
    '/dns_records/:record_id',
    { config: described.get, onRequest: requireIds },
    async request => {
      const changes = new RecordChanges(await store.dnsRecords.list(zoneOf(request).id))
      return success(dnsRecordToWire(changes.get(request.params.record_id)))
    },
  )

  app.put<RecordPath & { Body: RecordInput }>(
    '/dns_records/:record_id',
    { config: described.replace, onRequest: requireIds, schema: { body: dnsRecordBody } },
    async request => {
      const { record_id: id } = request.params
      return success(
        await writes.write(request, changes =>
          changed('update', changes.get(id), changes.replace(id, request.body, writes.context(request))),
        ),
      )
    },
  )

  app.patch<RecordPath & { Body: RecordPatch }>(
    '/dns_records/:record_id',
    { config: described.edit, onRequest: requireIds, schema: { body: dnsRecordPatch } },
    async request => {
      const { record_id: id } = request.params
      return success(
        await writes.write(request, changes =>
          changed('update', changes.get(id), changes.patch(id, request.body, writes.context(request))),
        ),
      )
    },
  )

  const deletion = { config: described.delete, onRequest: requireIds }
  app.delete<RecordPath>('/dns_records/:record_id', deletion, async request => {
    const { record_id: id } = request.params
    await writes.write(request, changes => changed('delete', changes.delete(id), undefined))
    return success({ id })
  })

  bulkRoutes(app, deps, writes)
}
