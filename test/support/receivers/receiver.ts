import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gunzipSync } from 'node:zlib'

/** For tests alone: a key, and its self-signed certificate for localhost and 127.0.0.1. */
export const serverKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJRYkqhK58bdY54k0
YHsJ0x7qPSZsj5ejjCQSQCw7FrmhRANCAARbjxGULdL9fC14IbvgN2MeQ1jMwSPg
rDQk6Ql1RFkQgvKD6WHy2C9dOPj8WW5CB/XnV1ZuhXN2GWVn6YyMwRIp
-----END PRIVATE KEY-----`
export const serverCertificate = `-----BEGIN CERTIFICATE-----
MIIBsDCCAVagAwIBAgIUdm7A4QmJAQW9/WreWMGvxZ2aD+4wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNjExMjExMTQ0MDlaGA8yMTI2
MTAyODExNDQwOVowGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABFuPEZQt0v18LXghu+A3Yx5DWMzBI+CsNCTpCXVEWRCC
8oPpYfLYL104+PxZbkIH9edXVm6Fc3YZZWfpjIzBEimjfDB6MB0GA1UdDgQWBBQv
phWneXcXTtW658uT4K+PeTN79TAfBgNVHSMEGDAWgBQvphWneXcXTtW658uT4K+P
eTN79TAPBgNVHRMBAf8EBTADAQH/MCcGA1UdEQQgMB6CCWxvY2FsaG9zdIILKi5s
b2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgWC8N+OAJWLlUalc3vmRc
pZXgcCzPtn+CKn9zT01LDw4CIQCrVBEfjt0zw0hGfL+YUPEAfvX6RZWcwZNa3GKN
Yu8sZA==
-----END CERTIFICATE-----`

/** A request as it came in. */
export interface Received {
  readonly method: string
  /** Path and query. */
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  /** Decompressed. */
  readonly text: string
}

export interface Reply {
  readonly status: number
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that behaves as one kind of destination does. */
export interface Receiver {
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly requests: Received[]
  /** Connections that were opened so far. */
  connections: number
  /** Answers instead of the protocol's own answer, when it gives one; `hang` never does, `endless` never ends. */
  instead: (request: Received) => Reply | Promise<Reply> | 'hang' | 'endless' | undefined
}

/**
 * Starts a server that ends with the test.
 * @param answer the protocol: what is not as it has to be is answered as the real receiver would
 */
export async function startReceiver(
  t: TestContext,
  answer: (request: Received) => Reply,
  { tls = true, trusted = true }: { tls?: boolean; trusted?: boolean } = {},
): Promise<Receiver> {
  if (trusted) trust(t)
  const receiver: Receiver = { host: '', requests: [], connections: 0, instead: () => undefined }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await read(request)
    receiver.requests.push(received)
    const reply = (await receiver.instead(received)) ?? answer(received)
    if (reply === 'hang') return
    if (reply === 'endless') return pour(response)
    response.writeHead(reply.status, reply.headers).end(reply.body ?? '')
  }
  const server = tls ? createHttps({ key: serverKey, cert: serverCertificate }) : createHttp()
  server.on('request', (request, response) => void serve(request, response).catch(() => response.destroy()))
  server.on('connection', () => receiver.connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return Object.assign(receiver, { host: `127.0.0.1:${(server.address() as AddressInfo).port}` })
}

/** Clients of this process take our certificate while the test runs. */
export function trust(t: TestContext): void {
  const before = getCACertificates('default').filter(one => one.trim() !== serverCertificate.trim())
  setDefaultCACertificates([...before, serverCertificate])
  t.after(() => setDefaultCACertificates(before))
}

async function read(request: IncomingMessage): Promise<Received> {
  const raw = await buffer(request)
  return {
    method: request.method!,
    url: new URL(request.url!, 'http://receiver'),
    headers: request.headers,
    raw,
    text: (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString('utf8'),
  }
}

/** An answer that continues until the client disconnects. */
function pour(response: ServerResponse): void {
  response.writeHead(200)
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', write)
  write()
}

/** The requirements of every receiver of batches: POST, gzip, our name. */
export function postProblem({ method, headers }: Received): Reply | undefined {
  if (method !== 'POST') return { status: 405, body: 'POST only' }
  if (headers['content-encoding'] !== 'gzip') return { status: 415, body: 'not gzip' }
  if (!/^Sluice-Logpush\/\d+\.\d+\.\d+/.test(headers['user-agent'] ?? ''))
    return { status: 400, body: 'user agent' }
  return undefined
}
