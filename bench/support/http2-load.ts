import { once } from 'node:events'
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import { connect as connectTls } from 'node:tls'

/**
 * Sends requests over one HTTP/2 connection, one after the other. They take turns.
 * @param requests without a body, in the wire form of HTTP/1.1
 * @param first index of the first one
 * @param took gets the start and the status of each; returns whether to continue
 */
export async function driveHttp2(
  port: number,
  requests: readonly string[],
  first: number,
  took: (sentMs: number, status: number) => boolean,
): Promise<void> {
  const heads = requests.map(headOf)
  const servername = String(heads[first]![':authority'])
  const session = connect(`https://${servername}`, {
    createConnection: () =>
      connectTls({
        port,
        host: '127.0.0.1',
        servername,
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      }),
  })
  for (let at = first, goesOn = true; goesOn; at = (at + 1) % heads.length) {
    const sentMs = performance.now()
    goesOn = took(sentMs, await ask(session, heads[at]!))
  }
  session.close()
}

/** @returns the status, once the whole response has arrived */
async function ask(session: ClientHttp2Session, head: OutgoingHttpHeaders): Promise<number> {
  const stream = session.request(head)
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }]
  await once(stream.resume(), 'end')
  return headers[':status']
}

function headOf(request: string): OutgoingHttpHeaders {
  const [line = '', ...fields] = request.trimEnd().split('\r\n')
  const [method, path] = line.split(' ')
  const head: OutgoingHttpHeaders = { ':method': method, ':path': path }
  for (const field of fields) {
    const colon = field.indexOf(':')
    const name = field.slice(0, colon).toLowerCase()
    head[name === 'host' ? ':authority' : name] = field.slice(colon + 1).trim()
  }
  return head
}
