import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Analytics, EventPosition, EventQuery } from '../../analytics/index.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, zoneOf } from '../http/context.ts'
import { takesGzip } from '../logs/line-stream.ts'
import { operationsOf, textAnswer } from '../openapi/operation.ts'
import { csvHead, csvLine } from './csv.ts'
import type { WireEvent } from './event-schema.ts'
import { analyticsRequestLimits } from './limits.ts'
import { exportQuery, filterOf, rangeOf } from './query.ts'
import type { RunningExports } from './running-exports.ts'
import { eventToWire } from './wire.ts'

type Wanted = Pick<EventQuery, 'range' | 'filter'>

interface Format {
  readonly contentType: string
  readonly head: string
  readonly line: (event: WireEvent) => string
}

const formats: { readonly [F in 'ndjson' | 'csv']: Format } = {
  ndjson: {
    contentType: 'application/x-ndjson',
    head: '',
    line: event => `${JSON.stringify(event)}\n`,
  },
  csv: { contentType: 'text/csv; charset=utf-8; header=present', head: csvHead, line: csvLine },
}

const described = operationsOf('Security analytics')(
  'exportSecurityEvents',
  'Export the events that match the filter, newest first, as NDJSON or CSV',
  ['zoneLogs', 'read'],
  { answers: textAnswer('application/x-ndjson') },
)

/**
 * Every event that matches, without the envelope. Reading waits for the client to accept the previous chunk. A failure
 * cuts the connection, so a response that ends regularly is complete.
 */
export function securityExportRoutes(app: Api, { analytics, clock }: ApiDeps, running: RunningExports): void {
  app.get(
    '/security/events/export',
    { config: described, schema: { querystring: exportQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const { format: name = 'ndjson' } = request.query
      const wanted = { range: rangeOf(request.query, clock.nowMs()), filter: filterOf(request.query) }
      const closing = running.begin(reply)
      const chunks = exported(analytics, zoneOf(request).id, wanted, formats[name], closing)
      // The first is read before the answer begins, so that most failures are refusals.
      const first = await chunks.next()
      reply.header('content-type', formats[name].contentType)
      reply.header('content-disposition', `attachment; filename="events.${name}"`)
      return answer(request, reply, followed(first, chunks, reply))
    },
  )
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  chunks: AsyncGenerator<string, void>,
): FastifyReply {
  const body = Readable.from(chunks, { highWaterMark: 1 })
  body.once('error', error => {
    request.log.warn({ err: error, id: request.id }, 'an export of events was aborted')
    reply.raw.destroy()
  })
  reply.header('vary', 'accept-encoding')
  if (!takesGzip(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body)
  return reply.header('content-encoding', 'gzip').send(pipeline(body, createGzip({ level: 1 }), () => {}))
}

async function* followed(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
  reply: FastifyReply,
): AsyncGenerator<string, void> {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const stalled = setTimeout(() => reply.raw.destroy(), analyticsRequestLimits.exportStalledMs)
      try {
        yield next.value
      } finally {
        clearTimeout(stalled)
      }
    }
  } finally {
    await rest.return()
  }
}

/** @throws AnalyticsAwayError, and the reason of the signal */
async function* exported(
  analytics: Analytics,
  zoneId: string,
  wanted: Wanted,
  { head, line }: Format,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  let text = head
  let before: EventPosition | undefined
  do {
    signal.throwIfAborted()
    const from = before === undefined ? {} : { before }
    const { events, next } = await analytics.events(zoneId, {
      ...wanted,
      ...from,
      limit: analyticsRequestLimits.exportPage,
    })
    for (const event of events) text += line(eventToWire(event))
    if (text !== '') yield text
    text = ''
    before = next
  } while (before !== undefined)
}
