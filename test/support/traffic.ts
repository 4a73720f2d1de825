import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type RequestOptions, request } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { eventually } from './eventually.ts'

/** Sends a request. @returns the Ray ID of its answer; rejects unless the answer is 200 */
export type Asker = () => Promise<string>

/** Between two requests of a client: without a pause, a few clients fill a core. */
const pauseMs = 20

/** Requests that clients repeat, each client one after the other. */
export class Traffic {
  readonly #rays: string[]
  /** The first failure of each client, which ends with it. */
  readonly failures: unknown[] = []
  readonly #clients: Promise<void>[] = []
  #stopped = false

  /** @param rays receives the Ray IDs of the answers */
  constructor(rays: string[]) {
    this.#rays = rays
  }

  add(ask: Asker): void {
    this.#clients.push(this.#repeat(async () => void this.#rays.push(await ask())))
  }

  /** Like a client, but its answers are not requests of the zone. */
  watch(ask: () => Promise<unknown>): void {
    this.#clients.push(this.#repeat(ask))
  }

  /** Resolves after more answers, or with a failure. */
  async goesOn(): Promise<void> {
    const before = this.#rays.length
    await eventually(() => assert.ok(this.failures.length > 0 || this.#rays.length > before + 60))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#clients)
  }

  async #repeat(work: () => Promise<unknown>): Promise<void> {
    try {
      while (!this.#stopped) {
        await work()
        await sleep(pauseMs)
      }
    } catch (error) {
      this.failures.push(error)
    }
  }
}

/** A new connection for each request, unless the options name an agent. @param status of the answer */
export function ask(options: RequestOptions, status = 200): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ agent: false, ...options }, answer => {
      answer.resume()
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode === status) resolve(String(answer.headers['ray-id']))
        else reject(new Error(`${options.path}: ${answer.statusCode}`))
      })
    })
      .once('error', error => reject(new Error(`no answer for ${options.path}`, { cause: error })))
      .end()
  })
}

/** Keeps its connection until the server ends it. */
export function keptAsker(options: RequestOptions): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return () => ask({ ...options, agent })
}

/** Keeps its HTTP/2 connection until the server ends it. */
export function http2Asker(host: string, port: number): Asker {
  let session: ClientHttp2Session | undefined
  const send = async (): Promise<string> => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connectHttp2(`https://${host}`, {
        createConnection: () =>
          connectTls({
            host: '127.0.0.1',
            port,
            servername: host,
            rejectUnauthorized: false,
            ALPNProtocols: ['h2'],
          }),
      })
      session.on('error', () => {})
    }
    const stream = session.request({ ':path': '/h2', ':authority': host })
    try {
      const [headers] = (await once(stream, 'response')) as [Record<string, string>]
      stream.resume()
      await once(stream, 'close')
      assert.equal(headers[':status'], 200)
      return headers['ray-id']!
    } catch (error) {
      // Sent before GOAWAY arrived, and not processed: clients repeat it (RFC 9113 8.7).
      if (stream.rstCode !== constants.NGHTTP2_REFUSED_STREAM) throw error
      session = undefined
      return send()
    }
  }
  return send
}
