import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sampleSiteLimits } from '../../limits.ts'
import { commentsPage, homePage, loginPage, notFoundPage, searchPage } from './pages.ts'

export interface SampleSite {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  close(): Promise<void>
}

/**
 * A small site of forms for the zone of the first start, on the loopback address only. Keeps nothing.
 * @param port chosen by the system if undefined
 * @param isShared another process may listen on the port too
 */
export async function startSampleSite(port = 0, isShared = false): Promise<SampleSite> {
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', reusePort: isShared }, resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sample')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const body = await readBody(request)
  if (body === undefined) return send(response, 413, 'text/plain', 'too large\n')
  const form = new URLSearchParams(body)
  switch (`${method} ${url.pathname}`) {
    case 'GET /':
      return html(response, 200, homePage)
    case 'GET /search':
      return html(response, 200, searchPage(url.searchParams.get('q') ?? ''))
    case 'GET /comments':
      return html(response, 200, commentsPage())
    case 'POST /comments':
      return html(
        response,
        200,
        commentsPage({ name: form.get('name') ?? '', comment: form.get('comment') ?? '' }),
      )
    case 'GET /login':
      return html(response, 200, loginPage(false))
    case 'POST /login':
      return html(response, 401, loginPage(true))
    case 'POST /api/items':
      return createItem(response, body)
    default:
      return html(response, 404, notFoundPage)
  }
}

function createItem(response: ServerResponse, body: string): void {
  let item: unknown
  try {
    item = JSON.parse(body)
  } catch {
    send(response, 400, 'application/json', JSON.stringify({ error: 'the body is not JSON' }))
    return
  }
  send(response, 201, 'application/json', JSON.stringify({ created: item }))
}

function html(response: ServerResponse, status: number, page: string): void {
  send(response, status, 'text/html; charset=utf-8', page)
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

/** @returns undefined if it is larger than the limit; the rest is discarded */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= sampleSiteLimits.bodyBytesMax) chunks.push(chunk)
  }
  return bytes > sampleSiteLimits.bodyBytesMax ? undefined : Buffer.concat(chunks).toString('utf8')
}
