import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expiryMessages } from '../../api/index.ts'
import type { CertificateReport } from '../../model/certificate.ts'
import type { Listen } from '../../model/settings/index.ts'
import { apiLimits } from '../limits.ts'

export interface HealthDeps {
  /** Whether this process can do the work of its roles. */
  isReady(): boolean | Promise<boolean>
  /** The reason why its edge refuses requests, with the remedy; undefined while it serves them. */
  refuses(): Promise<string | undefined>
  /** Sentences on what does not work although the process is ready. */
  details(): readonly string[]
  /** The certificates that clients get. */
  certificates(): Promise<readonly CertificateReport[]>
  /** Prometheus text. */
  metrics(): Promise<string>
}

export interface HealthServer {
  readonly port: number
  close(): Promise<void>
  /** Leaves new connections to another process, and gives the open ones some time to end. */
  retire(): Promise<void>
}

/** Answers only `/healthz`, `/readyz` and `/metrics`: for processes without the API, and for scrapers. */
export async function startHealthServer(
  address: Listen | { readonly fd: number },
  { isReady, refuses, details, certificates, metrics }: HealthDeps,
): Promise<HealthServer> {
  const readiness = async (): Promise<Answer> => {
    if (!(await isReady())) return status(503, 'not ready')
    const reason = await refuses()
    if (reason !== undefined) return status(503, `not ready: ${reason}`)
    const messages = details().map(message => ({ code: 10_200, message }))
    return status(200, 'ready', [...messages, ...expiryMessages(await certificates().catch(() => []))])
  }
  const answers: { readonly [path: string]: () => Promise<Answer> } = {
    '/healthz': async () => status(200, 'alive'),
    '/readyz': readiness,
    '/metrics': async () => ({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: await metrics(),
    }),
  }
  const server = createServer(async ({ method, url = '' }, response) => {
    const answer = Object.hasOwn(answers, url) ? answers[url] : undefined
    if (answer === undefined) send(response, status(404, 'not found'))
    else if (method !== 'GET' && method !== 'HEAD') send(response, status(405, 'not allowed'))
    else send(response, await answer().catch(() => status(500, 'failed')))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen('fd' in address ? { fd: address.fd } : { host: address.host, port: address.port }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
    async retire() {
      // The method of an HTTP server also closes connections whose request is on its way.
      const ended = new Promise(resolve => NetServer.prototype.close.call(server, resolve))
      await Promise.race([ended, sleep(apiLimits.healthAnswerMs)])
    },
  }
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** In the API's envelope, like the API's `/healthz` and `/readyz`. */
function status(code: number, text: string, messages: readonly object[] = []): Answer {
  const success = code === 200
  const body = {
    result: success ? { status: text } : null,
    success,
    errors: success ? [] : [{ code: 10_000 + code, message: text }],
    messages,
  }
  return { status: code, type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
