import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { strict } from '../http/schemas.ts'
import { operationsOf, textAnswer } from '../openapi/operation.ts'
import { importRecords, readForms, uploadedFile } from './import.ts'
import { dnsRecordBody, dnsRecordPatch } from './input.ts'
import { dnsLimits } from './limits.ts'
import type { RecordWrites } from './record-writes.ts'
import { dnsBatchSchema, dnsImportSchema, dnsRecordToWire } from './wire.ts'
import { writeZoneFile } from './zone-file/write.ts'

const some = Type.Optional
const few = { maxItems: dnsLimits.recordsPerZoneMax }
const known = Type.Object({ id: Type.String() })
const batchBody = Type.Object(
  {
    deletes: some(Type.Array(known, few)),
    patches: some(Type.Array(Type.Object({ ...dnsRecordPatch.properties, id: Type.String() }, strict), few)),
    puts: some(Type.Array(Type.Object({ ...dnsRecordBody.properties, id: Type.String() }, strict), few)),
    posts: some(Type.Array(dnsRecordBody, few)),
  },
  strict,
)

const operation = operationsOf('DNS records')
const described = {
  batch: operation(
    'batchDnsRecords',
    'Delete, patch, replace and create DNS records, in this order and in one transaction',
    ['dns', 'write'],
    {
      result: dnsBatchSchema,
      example: { posts: [{ type: 'A', name: 'api', content: '192.0.2.20', proxied: true }] },
    },
  ),
  export: operation('exportDnsRecords', 'Get the DNS records as a zone file', ['dns', 'read'], {
    answers: textAnswer('text/plain'),
  }),
  import: operation(
    'importDnsRecords',
    'Add the records of a zone file, which is the part `file` of a multipart form',
    ['dns', 'write'],
    { result: dnsImportSchema },
  ),
}

/** Routes for many records at once. */
export function bulkRoutes(app: Api, deps: Pick<ApiDeps, 'store'>, writes: RecordWrites): void {
  app.post('/dns_records/batch', { config: described.batch, schema: { body: batchBody } }, async request => {
    const { deletes = [], patches = [], puts = [], posts = [] } = request.body
    return success(
      await writes.write(request, changes => {
        const at = (list: string, n: number) => writes.context(request, `/${list}/${n}`)
        const before = [...deletes, ...patches, ...puts].map(({ id }) => id)
        const former = before.flatMap(id => changes.find(id) ?? []).map(dnsRecordToWire)
        const result = {
          deletes: deletes.map(({ id }, n) => changes.delete(id, `/deletes/${n}/id`)).map(dnsRecordToWire),
          patches: patches
            .map(({ id, ...patch }, n) => changes.patch(id, patch, at('patches', n)))
            .map(dnsRecordToWire),
          puts: puts
            .map(({ id, ...input }, n) => changes.replace(id, input, at('puts', n)))
            .map(dnsRecordToWire),
          posts: posts.map((input, n) => changes.add(input, at('posts', n))).map(dnsRecordToWire),
        }
        const { deletes: _deleted, ...after } = result
        return { result, audit: { action: 'update', resource: ofZone(request), before: former, after } }
      }),
    )
  })

  app.get('/dns_records/export', { config: described.export }, async (request, reply) => {
    const { id, name } = zoneOf(request)
    reply.type('text/plain; charset=utf-8')
    return writeZoneFile(name, await deps.store.dnsRecords.list(id))
  })

  app.register(async (forms: Api) => {
    readForms(forms)
    forms.post('/dns_records/import', { config: described.import }, async request =>
      success(
        await writes.write(request, changes => {
          const { parsed, added } = importRecords(
            uploadedFile(request.body),
            changes,
            writes.context(request),
          )
          const result = { recs_added: added, total_records_parsed: parsed }
          const after = changes.change.stored.map(dnsRecordToWire)
          return { result, audit: { action: 'create', resource: ofZone(request), before: null, after } }
        }),
      ),
    )
  })
}

function ofZone(request: FastifyRequest): { readonly kind: 'dns_records'; readonly id: string } {
  return { kind: 'dns_records', id: zoneOf(request).id }
}
