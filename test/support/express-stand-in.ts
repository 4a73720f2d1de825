/**
 * The functions of Express 5 that its example uses, after the documentation (expressjs.com/en/5x/api.html). For machines
 * without Express. Bodies are read by the `data` and `end` events of the request itself, as Express's parsers do.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'

class Request extends IncomingMessage {
  originalUrl = ''
  body: unknown = undefined
}

class Response extends ServerResponse<Request> {
  status(code: number): this {
    this.statusCode = code
    return this
  }

  send(text: string): this {
    return this.end(text)
  }

  json(value: unknown): this {
    return this.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
  }
}

type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => void

export default function express() {
  const stack: Handler[] = []
  const route = (method: string) => (path: string, handler: Handler) =>
    stack.push((request, response, next) => {
      if (request.method === method && request.url?.split('?')[0] === path) handler(request, response, next)
      else next()
    })
  const run = (request: Request, response: Response, at = 0): void => {
    const next = (error?: unknown) => {
      if (error !== undefined) response.status(500).end()
      else if (at + 1 < stack.length) run(request, response, at + 1)
      else response.status(404).end()
    }
    stack[at]!(request, response, next)
  }
  return {
    use: (handler: Handler) => stack.push(handler),
    get: route('GET'),
    post: route('POST'),
    put: route('PUT'),
    listen(port: number, host: string, ready: () => void): Server {
      const options = { IncomingMessage: Request, ServerResponse: Response }
      const server = createServer(options, (request, response) => {
        request.originalUrl = request.url ?? ''
        run(request, response)
      })
      return server.listen(port, host, ready)
    },
  }
}

function parser(type: string, parse: (text: string) => unknown): () => Handler {
  return () => (request, _response, next) => {
    if (request.headers['content-type'] !== type) return next()
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('error', next)
    request.on('end', () => {
      request.body = parse(Buffer.concat(chunks).toString())
      next()
    })
  }
}

express.json = parser('application/json', JSON.parse)
express.urlencoded = parser('application/x-www-form-urlencoded', text =>
  Object.fromEntries(new URLSearchParams(text)),
)
