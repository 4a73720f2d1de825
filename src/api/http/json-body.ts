import type { FastifyRequest } from 'fastify'
import type { Api } from './context.ts'
import { refusal } from './errors.ts'
import { findJsonFault, jsonIsDeeperThan } from './json-fault.ts'
import { apiLimits } from './limits.ts'

/**
 * Reads every request body as JSON. `curl --data` without a header says `application/x-www-form-urlencoded` and
 * some clients send no type: both count as JSON, because Cloudflare's own examples rely on it. Other types are refused.
 * Forged cross-site forms gain nothing, because credentials travel in separate headers.
 */
export function readJsonBodies(app: Api): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (request.method === 'DELETE' && !request.routeOptions.config.readsBody) return undefined
    const type = request.headers['content-type']
    if (type !== undefined && !isJsonType(type)) throw refusal('badContentType', { type: type.slice(0, 100) })
    return parseBody(body)
  })
  // A DELETE may have a body and a content type; routes without `readsBody` ignore them.
  app.addHttpMethod('DELETE', { hasBody: true, overrideExisting: true })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for a DELETE route with a body. */
    readsBody?: boolean
  }
}

function isJsonType(type: string): boolean {
  const name = type.split(';', 1)[0]!.trim().toLowerCase()
  return name === 'application/json' || name.endsWith('+json') || name === 'application/x-www-form-urlencoded'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseBody(body: Buffer): unknown {
  const text = decode(body)
  if (text.trim() === '') return undefined
  if (jsonIsDeeperThan(text, apiLimits.jsonDepthMax)) {
    throw refusal('tooDeep', { limit: String(apiLimits.jsonDepthMax) })
  }
  try {
    return JSON.parse(text)
  } catch {
    const { reason, line, column } = findJsonFault(text)
    throw refusal('malformedJson', { reason, line: String(line), column: String(column) })
  }
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw refusal('notUtf8')
  }
}
