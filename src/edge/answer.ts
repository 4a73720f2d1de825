import type { ServerResponse } from 'node:http'
import { textOfBytes } from '../kit/bytes.ts'
import { challengePath } from './challenge/endpoint.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { flatHeaders, type HeaderLines } from './headers.ts'
import { errorPage, type Page, type PageContext } from './pages.ts'
import { transformedHeaders } from './phases/response-head.ts'
import { reportInternal } from './report.ts'

export function pageContext({ request, rayId }: Exchange): PageContext {
  return { accept: request.header('accept'), rayId, host: textOfBytes(request.host) }
}

/** Answers with a page of the edge's own. Does nothing when an answer was begun already. */
export function answer(core: EdgeCore, exchange: Exchange, response: ServerResponse, page: Page): void {
  if (response.headersSent || response.destroyed) return
  const { status, headers, body } = wholePage(core, exchange, page)
  // A client that waits for 100 Continue may or may not send its body now: only a new connection is unambiguous.
  if (exchange.body?.uninvited || core.draining) response.shouldKeepAlive = false
  exchange.answered(status, headers, core.deps.clock.nowMs())
  if (exchange.request.method !== 'HEAD') exchange.responseBodyBytes = body.length
  response.writeHead(status, flatHeaders(headers))
  response.end(body)
}

/** A page as it goes out, its headers as the zone's rules want them; where these fail, a page that says so. */
export function wholePage(
  core: EdgeCore,
  exchange: Exchange,
  page: Page,
): { readonly status: number; readonly headers: HeaderLines; readonly body: Buffer } {
  const { status, errorType = '' } = page
  const body = Buffer.from(page.body)
  const headers: HeaderLines = [
    ...page.headers,
    ['Content-Length', String(body.length)],
    ['Ray-ID', exchange.rayId],
  ]
  // What a browser needs to pass a challenge is no business of the zone's rules.
  if (exchange.request.path === challengePath) return { status, headers, body }
  try {
    const head = { status, headers, rawHeaders: headers, errorType }
    return { status, headers: transformedHeaders(core, exchange, head), body }
  } catch (error) {
    core.counters.internalFailures++
    reportInternal(core, exchange, error)
    return wholePage(core, exchange, errorPage(500, 'internal', pageContext(exchange)))
  }
}

/**
 * After an answer that came before the end of the request's body: a bounded rest of it is read and thrown away, so
 * that the client gets to see the answer; then the connection is usable again, or closed.
 */
export async function linger(core: EdgeCore, exchange: Exchange, response: ServerResponse): Promise<void> {
  const { body } = exchange
  const socket = response.req.socket
  if (body === undefined || body.complete || socket.destroyed) return
  if (!body.uninvited) await body.discard({ bytes: core.limits.lingerBytesMax, ms: core.limits.lingerMs })
  if (!body.complete) socket.destroySoon()
}
