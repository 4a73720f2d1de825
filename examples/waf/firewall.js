import { once } from 'node:events'

/**
 * Judges requests of Node's http server, and so those of Express and Fastify. Whoever reads the body afterwards gets
 * all of it.
 * @returns what to ask of each request: the status to refuse it with, or undefined
 */
export function firewall(program, { paranoiaLevel = 1, threshold = 5 } = {}) {
  const mask = program.mask(rule => rule.paranoiaLevel > paranoiaLevel)
  return async request => {
    const { interruption, requestScore, overBudget } = await program.inspect(requestOf(request), mask)
    if (interruption !== undefined) return interruption.status
    return requestScore >= threshold || overBudget ? 403 : undefined
  }
}

function requestOf(request) {
  return {
    clientIp: request.socket.remoteAddress ?? '',
    clientPort: request.socket.remotePort,
    serverPort: request.socket.localPort,
    method: request.method,
    target: request.originalUrl ?? request.url,
    protocol: `HTTP/${request.httpVersion}`,
    headers: pairs(request.rawHeaders),
    body: lookAhead(request),
  }
}

function* pairs(rawHeaders) {
  for (let at = 0; at < rawHeaders.length; at += 2) yield [rawHeaders[at], rawHeaders[at + 1]]
}

/**
 * The parts of a request's body as they come; in the end they are put back. The stream must not come to its `end`
 * meanwhile, so it is never asked for more than it holds.
 */
async function* lookAhead(request) {
  const parts = []
  try {
    while (!(request.complete && request.readableLength === 0)) {
      if (request.destroyed) throw new Error('the client has left')
      if (request.readableLength === 0) await once(request, 'readable')
      else {
        const part = request.read(request.readableLength)
        parts.push(part)
        yield part
      }
    }
  } finally {
    request.unshift(Buffer.concat(parts))
  }
}
