import { hostNameOf } from '../kit/host-name.ts'
import type { TraceAnswer } from '../model/request-trace.ts'
import { type Api, accountOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'
import type { ManagedCatalog } from './managed.ts'
import { traceBody } from './trace-body.ts'
import { traceDocuments } from './trace-documents.ts'
import { readTrace } from './trace-input.ts'
import { traceToWire } from './trace-wire.ts'

type Deps = Pick<ApiDeps, 'store' | 'traceRequest'>

/**
 * What the running edge would do with a request: its own evaluation, up to the origin.
 * @source Cloudflare API, Request Trace; docs/request-tracer.md says what is Sluice’s own in it
 */
export function requestTracerRoutes(app: Api, deps: Deps, managed: () => Promise<ManagedCatalog>): void {
  app.post('/request-tracer/trace', { schema: { body: traceBody } }, async request => {
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
