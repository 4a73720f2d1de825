import type { ServerResponse } from 'node:http'
import { textOfBytes } from '../kit/bytes.ts'
import type { EdgeCore } from './core.ts'
import type { Exchange } from './exchange.ts'
import { flatHeaders } from './headers.ts'
import type { Page, PageContext } from './pages.ts'

export function pageContext({ request, rayId }: Exchange): PageContext {
  return { accept: request.header('accept'), rayId, host: textOfBytes(request.host) }
}

/** Answers with a page of the edge's own. Does nothing when an answer was begun already. */
export function answer(core: EdgeCore, exchange: Exchange, response: ServerResponse, page: Page): void {
  if (response.headersSent || response.destroyed) return
  const body = Buffer.from(page.body)
  const headers: [string, string][] = page.headers.map(([name, value]) => [name, value])
  headers.push(['Content-Length', String(body.length)], ['Ray-ID', exchange.rayId])
  // A client that waits for 100 Continue may or may not send its body now: only a new connection is unambiguous.
  if (exchange.body?.uninvited || core.draining) response.shouldKeepAlive = false
  exchange.answered(page.status, headers, core.deps.clock.nowMs())
  if (exchange.request.method !== 'HEAD') exchange.responseBodyBytes = body.length
  response.writeHead(page.status, flatHeaders(headers))
  response.end(body)
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
