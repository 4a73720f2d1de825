import { once } from 'node:events'

/**
 * Checks requests, which `nodeRequest` and `fetchRequest` describe.
 * @returns a function that resolves to the status with which to refuse a request, or undefined
 */
export function firewall(program, { paranoiaLevel = 1, threshold = 5 } = {}) {
  const mask = program.mask(rule => rule.paranoiaLevel > paranoiaLevel)
  return async request => {
    const { interruption, requestScore, overBudget } = await program.inspect(request, mask)
    if (interruption !== undefined) return interruption.status
    return requestScore >= threshold || overBudget ? 403 : undefined
  }
}

/**
 * A request of Node's http server, and so of Express and Fastify. A body parser that runs afterwards gets the whole
 * body.
 */
export function nodeRequest(request) {
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

/** A request of the fetch API, as Hono has it. A handler that runs afterwards gets the whole body. */
export function fetchRequest(request, clientIp) {
  const { pathname, search } = new URL(request.url)
  return {
    clientIp,
    method: request.method,
    target: pathname + search,
    headers: request.headers,
    // A copy, which is made only if the rules read it: it keeps what the handler has not read yet.
    body: { getReader: () => (request.clone().body ?? new Blob().stream()).getReader() },
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
