import { hostNameOf } from '../../kit/host-name.ts'
import type { TraceAnswer } from '../../model/request-trace.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { operationsOf } from '../openapi/operation.ts'
import type { ManagedCatalog } from '../rulesets/managed.ts'
import { traceBody } from './body.ts'
import { traceDocuments } from './documents.ts'
import { readTrace } from './input.ts'
import { traceSchema } from './schemas.ts'
import { traceToWire } from './wire.ts'

const described = operationsOf('Request tracer')(
  'traceRequest',
  'Trace a request through the edge; the origin is not contacted',
  ['requestTracer', 'read'],
  { result: traceSchema },
)

type Deps = Pick<ApiDeps, 'store' | 'traceRequest'>

/**
 * Traces a request through the running edge, up to the origin.
 * @source Cloudflare API, Request Trace; docs/reference/test-rules.md lists the extensions
 */
export function requestTracerRoutes(app: Api, deps: Deps, managed: () => Promise<ManagedCatalog>): void {
  app.post('/request-tracer/trace', { config: described, schema: { body: traceBody } }, async request => {
    const { traceRequest } = deps
    if (traceRequest === undefined) throw refusal('traceNoEdge')
    const { request: traced, messages } = readTrace(accountOf(request).id, request.body)
    let answer: TraceAnswer
    try {
      answer = await traceRequest(traced)
    } catch (error) {
      request.log.error({ err: error, id: request.id }, 'a request could not be traced')
      throw refusal('traceFailed')
    }
    if (!answer.ok) {
      if (answer.reason === 'busy') throw refusal('tooManyTraces')
      const host = traced.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
      throw refusal('traceNoZone', { host: hostNameOf(host).slice(0, 255) }, '/url')
    }
    const documents = await traceDocuments(deps.store, await managed(), traced.accountId, answer.trace)
    return success(traceToWire(answer.trace, documents), messages)
  })
}
