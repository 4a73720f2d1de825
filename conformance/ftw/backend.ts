import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The response that a test wants, from the request's body. */
interface Reflection {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  readonly encodedBody?: string
}

/**
 * The origin of the suite: 200 with an empty body, except for `/reflect`, which answers as the request's JSON demands.
 */
export async function startBackend(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  if (request.method !== 'POST' || !/^\/reflect(?:[/?]|$)/.test(request.url ?? '')) {
    response.end()
    return
  }
  let reflection: Reflection
  try {
    reflection = JSON.parse(body) as Reflection
  } catch {
    response.writeHead(400).end()
    return
  }
  const content =
    reflection.encodedBody === undefined
      ? Buffer.from(reflection.body ?? '')
      : Buffer.from(reflection.encodedBody, 'base64')
  response.statusCode = reflection.status ?? 200
  for (const [name, value] of Object.entries(reflection.headers ?? {})) response.setHeader(name, value)
  // The reflector of the CRS project is a Go server, which guesses an absent type.
  if (!response.hasHeader('content-type') && content.length > 0)
    response.setHeader('content-type', sniffed(content))
  response.end(content)
}

function sniffed(content: Buffer): string {
  const start = content.subarray(0, 512).toString('latin1').trimStart().toLowerCase()
  if (
    /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[\s>]/.test(
      start,
    )
  )
    return 'text/html; charset=utf-8'
  if (start.startsWith('<?xml')) return 'text/xml; charset=utf-8'
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(start)
    ? 'application/octet-stream'
    : 'text/plain; charset=utf-8'
}
