import { once } from 'node:events'

/**
 * Checks requests of Node's http server, and so of Express and Fastify. A body parser that runs afterwards gets the
 * whole body.
 * @returns a function that resolves to the status with which to refuse a request, or undefined
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
 * The parts of a request's body as they arrive; at the end they are put back. The stream must not reach its `end`
 * meanwhile, so the loop never reads more than the stream holds.
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
