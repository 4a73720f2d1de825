import type { IncomingMessage } from 'node:http'
import { type HeaderLines, headerLines, http1Framing, type ProxiedRequest } from '../../edge/index.ts'
import { canonicalIp } from '../../kit/cidr.ts'

/** Headers by which a proxy describes the request of its client. */
const describing: ReadonlySet<string> = new Set(['x-forwarded-method', 'x-forwarded-uri', 'x-forwarded-host'])

/**
 * The request that a proxy asks about. Its method, its target and its host are in `X-Forwarded-*`, its other headers are
 * those of the call.
 * @returns undefined when the proxy does not name the method and the target
 */
export function originalRequest(call: IncomingMessage): ProxiedRequest | undefined {
  const method = first(call, 'x-forwarded-method')
  const target = first(call, 'x-forwarded-uri')
  if (method === undefined || target === undefined) return undefined
  const framing = http1Framing(call.headers)
  const mayHaveBody = method !== 'GET' && method !== 'HEAD'
  return {
    ...peerOf(call),
    head: { method, target, protocol: 'HTTP/1.1', headers: originalLines(call) },
    // Traefik can send the body along.
    body: framing.mayHaveBody ? Object.assign(call, framing) : undefined,
    bodyUnseen: mayHaveBody && !framing.mayHaveBody,
    reportsAnswer: false,
  }
}

/** The call as the client's own request: a proxy passes the solutions of challenges on. */
export function passedRequest(call: IncomingMessage): ProxiedRequest {
  const { method = '', url: target = '', httpVersion } = call
  return {
    ...peerOf(call),
    head: { method, target, protocol: `HTTP/${httpVersion}`, headers: headerLines(call.rawHeaders) },
    body: Object.assign(call, http1Framing(call.headers)),
    bodyUnseen: false,
    reportsAnswer: false,
  }
}

function peerOf({ socket }: IncomingMessage) {
  return {
    peerIp: canonicalIp(socket.remoteAddress ?? '') ?? '',
    peerPort: 0,
    serverIp: '',
    serverPort: 0,
    scheme: 'http',
    tls: undefined,
  } as const
}

/** The header lines of the client's request. The host that the proxy names takes the place of the call's. */
function originalLines(call: IncomingMessage): HeaderLines {
  const host = first(call, 'x-forwarded-host')
  const lines: (readonly [string, string])[] = []
  for (const [name, value] of headerLines(call.rawHeaders)) {
    const lower = name.toLowerCase()
    if (lower === 'host') lines.push([name, host ?? value])
    else if (!describing.has(lower)) lines.push([name, value])
  }
  return lines
}

function first({ headers }: IncomingMessage, lowerName: string): string | undefined {
  const value = headers[lowerName]
  return Array.isArray(value) ? value[0] : value
}
