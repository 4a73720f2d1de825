import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { nearest } from '../../kit/nearest.ts'
import type { Dataset, LogRecord } from '../../model/dataset.ts'
import { datasets } from '../../model/datasets/table.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { MinuteCounts } from '../http/minute-counts.ts'
import { describedCount, nullable, strict } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { logSampleLimits } from './limits.ts'
import { newestRecords } from './newest-records.ts'

const query = Type.Object(
  {
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: logSampleLimits.countMax })),
    dataset: Type.Optional(Type.Enum(['http_requests', 'firewall_events'])),
    fields: Type.Optional(Type.String({ description: 'Comma-separated names; all fields if omitted' })),
  },
  strict,
)

export const sampleSchema = Type.Object({
  records: Type.Array(Type.Object({}, { additionalProperties: true }), {
    description: 'newest first, without empty fields; times are nanoseconds as text',
  }),
  newest: nullable(Type.String({ format: 'date-time', description: 'when the first record was received' })),
  oldest: nullable(Type.String({ format: 'date-time', description: 'when the last record was received' })),
  looked_at: describedCount('records searched, of all zones and datasets'),
  limited: Type.Boolean({
    description: 'the search ended at a limit, before it found the requested number of records',
  }),
})

const described = operationsOf('Logpull')(
  'sampleLogs',
  'Get the newest stored records; Sluice’s own',
  ['zoneLogs', 'read'],
  { result: sampleSchema },
)

/**
 * Sluice's own: the newest stored records of a zone, so that the author of a filter sees its effect. Redaction precedes
 * storage. Like Instant Logs, samples need no retention flag.
 */
export function logSampleRoutes(app: Api, { records: reader, clock }: ApiDeps): void {
  const counts = new MinuteCounts(clock, logSampleLimits.countersKept)
  let reading = 0

  app.get('/logs/sample', { config: described, schema: { querystring: query } }, async (request, reply) => {
    const { id: zoneId } = zoneOf(request)
    const { count = logSampleLimits.countDefault, dataset: name = 'http_requests', fields } = request.query
    const project = projection(datasets.get(name)!, fields)
    const seconds = counts.count(zoneId, logSampleLimits.zoneRequestsMax)
    if (seconds > 0) {
      reply.header('retry-after', String(seconds))
      const limit = String(logSampleLimits.zoneRequestsMax)
      throw refusal('tooManyPulls', { limit, whom: 'zone', seconds: String(seconds) })
    }
    if (reading >= logSampleLimits.readersMax)
      throw refusal('tooManyReaders', { limit: String(logSampleLimits.readersMax) })
    const gone = disconnectSignal(reply)
    reading++
    try {
      const newest = await newestRecords(reader, { zoneId, dataset: name, count }, clock, gone)
      return success({
        records: newest.records.map(one => project(one.fields)),
        newest: timeOf(newest.records[0]),
        oldest: timeOf(newest.records.at(-1)),
        looked_at: newest.lookedAt,
        limited: newest.limited,
      })
    } catch (error) {
      if (!gone.aborted) request.log.warn({ err: error, id: request.id }, 'log records cannot be read')
      throw refusal('logsAway')
    } finally {
      reading--
    }
  })
}

function timeOf(record: { readonly receivedMs: number } | undefined): string | null {
  return record === undefined ? null : timestampOf(record.receivedMs)
}

/** @throws ApiError 400 for names that are not fields of the dataset */
function projection(dataset: Dataset, fields: string | undefined): (record: LogRecord) => LogRecord {
  if (fields === undefined || fields === '') return record => record
  const known = new Set(dataset.fields.map(({ name }) => name))
  const names = [...new Set(fields.split(','))]
  for (const name of names) {
    if (known.has(name)) continue
    const close = nearest(name.slice(0, 64), known)
    const reason = `${dataset.name} has no such field${close === undefined ? '' : `; did you mean ${close}?`}`
    throw refusal('badValue', { value: name.slice(0, 64), field: 'fields', reason })
  }
  return record => Object.fromEntries(names.flatMap(name => (name in record ? [[name, record[name]]] : [])))
}
