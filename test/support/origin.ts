import { createServer, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What `through` sends. */
export interface Visit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Origin {
  readonly url: string
  /** Sends a request to a port of this machine with a Host header of choice, which `fetch` does not let one set. */
  through(port: number, host: string, path: string, init?: Visit): Promise<Response>
  close(): Promise<void>
}

/**
 * A site behind the edge: 200 for everything but `…/missing`, with a Server header.
 * @param hold what an answer waits for
 */
export async function startOrigin(hold?: (path: string) => Promise<void>): Promise<Origin> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', async () => {
      await hold?.(request.url!)
      response.writeHead(request.url?.includes('missing') ? 404 : 200, {
        server: 'test-origin',
        'content-type': 'text/plain',
      })
      response.end(`${request.method} ${request.url}`)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    through,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const browser = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'en',
}

function through(port: number, host: string, path: string, init: Visit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const body = init.body === undefined ? undefined : Buffer.from(init.body)
    const length: Record<string, string> = body === undefined ? {} : { 'content-length': String(body.length) }
    const options: RequestOptions = {
      host: '127.0.0.1',
      port,
      path,
      method: init.method ?? 'GET',
      headers: { host, ...browser, ...length, ...init.headers },
    }
    const take = async (answer: IncomingMessage) => {
      const headers = new Headers()
      for (let index = 0; index < answer.rawHeaders.length; index += 2)
        headers.append(answer.rawHeaders[index]!, answer.rawHeaders[index + 1]!)
      const content = await buffer(answer)
      resolve(
        new Response(content.length === 0 ? null : new Uint8Array(content), {
          status: answer.statusCode!,
          headers,
        }),
      )
    }
    const sent = request(options, answer => void take(answer).catch(reject))
    sent.on('error', reject)
    sent.end(body)
  })
}
