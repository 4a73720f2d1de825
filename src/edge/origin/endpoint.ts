import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type Dispatcher, Pool } from 'undici'
import type { EdgeLimits } from '../exchange/deps.ts'
import type { Connect } from './connector.ts'
import { OriginSession } from './http2/origin-session.ts'
import { newOriginClient, type OriginHandler, type OriginRequest } from './origin-client.ts'

/** A gRPC call needs HTTP/2 on the whole way. */
class NoHttp2Error extends Error {
  override readonly name = 'NoHttp2Error'

  constructor() {
    super('the origin of a gRPC call does not offer HTTP/2')
  }
}

/** A request that waits for a connection. */
interface Waiting {
  readonly request: OriginRequest
  readonly handler: OriginHandler
}

/** How connections of one endpoint are opened. */
export interface EndpointConnectors {
  /** For HTTP/1.1. */
  readonly http1: Connect
  /** Offers HTTP/2 too. */
  readonly negotiating: Connect
}

/**
 * The connections to one origin for one TLS server name. The origin chooses HTTP/2 when the first connection is opened. In
 * HTTP/1.1, each connection has one request at a time, and in HTTP/2 as many as the origin takes.
 */
export class Endpoint {
  readonly #url: URL
  readonly #connectors: EndpointConnectors
  readonly #limits: EdgeLimits
  /** Connections in HTTP/1.1 that are kept. */
  readonly #pool: Pool
  /** For repeated requests: each gets a new connection, because the kept ones may be dead, too. */
  #repeats: Pool | undefined
  readonly #onConnections: (change: number) => void
  readonly #sessions = new Set<OriginSession>()
  readonly #waiting: Waiting[] = []
  #isOpening = false
  /** The origin has chosen HTTP/1.1 for the connections that are open. */
  #isHttp1 = false
  /** A connection in HTTP/1.1 that no client has yet. */
  #spare: Socket | undefined

  /** @param onConnections the number of connections in HTTP/1.1 changed by this */
  constructor(
    url: string,
    connectors: EndpointConnectors,
    limits: EdgeLimits,
    onConnections: (change: number) => void,
  ) {
    this.#url = new URL(url)
    this.#connectors = connectors
    this.#limits = limits
    this.#onConnections = onConnections
    this.#pool = this.#newPool(1)
  }

  get isIdle(): boolean {
    if (this.#waiting.length > 0) return false
    for (const { stats } of this.#pools) if (stats.running + stats.pending + stats.queued > 0) return false
    return [...this.#sessions].every(session => session.isIdle)
  }

  dispatch(request: OriginRequest, handler: OriginHandler): void {
    if (!this.#mayUseHttp2(request)) {
      this.#sendInHttp1(request, handler)
      return
    }
    const session = this.#waiting.length === 0 ? this.#freeSession() : undefined
    if (session !== undefined) {
      session.start(request, handler)
      return
    }
    this.#waiting.push({ request, handler })
    this.#open()
  }

  /** Closes idle connections; requests in progress end first. */
  async close(): Promise<void> {
    for (const session of this.#sessions) session.close()
    await Promise.all(this.#pools.map(pool => pool.close()))
  }

  /** Cuts off requests in progress. */
  async destroy(): Promise<void> {
    for (const session of this.#sessions) session.destroy()
    await Promise.all(this.#pools.map(pool => pool.destroy()))
  }

  get #pools(): readonly Pool[] {
    return this.#repeats === undefined ? [this.#pool] : [this.#pool, this.#repeats]
  }

  #poolFor({ isRepeat }: OriginRequest): Pool {
    if (!isRepeat) return this.#pool
    this.#repeats ??= this.#newPool(0)
    return this.#repeats
  }

  /** @param pipelining requests at a time on one connection; 0: it ends with its request */
  #newPool(pipelining: 0 | 1): Pool {
    const connect: Connect = (wanted, timeoutMs, done) => {
      const socket = this.#spare
      this.#spare = undefined
      if (socket === undefined || socket.destroyed) this.#connectors.http1(wanted, timeoutMs, done)
      // undici expects no answer before it has returned.
      else queueMicrotask(() => done(null, socket))
    }
    const pool = new Pool(this.#url, {
      factory: (at: URL, options: object) => newOriginClient(at, options, connect),
      connections: this.#limits.originConnectionsMax,
      pipelining,
      maxHeaderSize: this.#limits.originHeaderBytesMax,
    })
    pool.on('connect', () => this.#onConnections(1))
    pool.on('disconnect', () => {
      this.#onConnections(-1)
      this.#askAgain()
    })
    pool.on('connectionError', () => this.#askAgain())
    return pool
  }

  /** Over plain http, nothing is negotiated: an origin of gRPC speaks HTTP/2 from the start (RFC 9113 3.3). */
  #mayUseHttp2({ http2 }: OriginRequest): boolean {
    if (this.#url.protocol === 'http:') return http2 === 'required'
    return http2 === 'required' || (http2 !== 'never' && !this.#isHttp1)
  }

  /** The origin may have changed, so the next connection negotiates again if none is open. */
  #askAgain(): void {
    if (this.#pool.stats.connected === 0) this.#isHttp1 = false
  }

  #sendInHttp1(request: OriginRequest, handler: OriginHandler): void {
    if (request.http2 === 'required') handler.onResponseError(undefined, new NoHttp2Error())
    else this.#poolFor(request).dispatch(request as unknown as Dispatcher.DispatchOptions, handler)
  }

  #freeSession(): OriginSession | undefined {
    for (const session of this.#sessions) if (session.hasCapacity) return session
    return undefined
  }

  /** Opens one connection at a time for the requests that wait. */
  #open(): void {
    if (this.#isOpening) return
    this.#isOpening = true
    const { request } = this.#waiting[0]!
    const { protocol, host, hostname, port } = this.#url
    const wanted = {
      protocol,
      host,
      hostname,
      port,
      ...(request.servername !== undefined && { servername: request.servername }),
    }
    this.#connectors.negotiating(wanted, request.connectTimeoutMs, (error, socket) => {
      this.#isOpening = false
      if (error !== null) this.#failWaiting(error)
      else if (!(socket instanceof TLSSocket) || socket.alpnProtocol === 'h2') this.#addSession(socket)
      else this.#goOnInHttp1(socket)
    })
  }

  #failWaiting(error: Error): void {
    for (const { handler } of this.#waiting.splice(0)) handler.onResponseError(undefined, error)
  }

  #addSession(socket: Socket): void {
    const session: OriginSession = new OriginSession(
      socket,
      this.#url.protocol,
      this.#limits,
      () => this.#serveWaiting(),
      () => this.#sessions.delete(session),
    )
    this.#sessions.add(session)
    this.#isHttp1 = false
    this.#serveWaiting()
    if (this.#waiting.length > 0) this.#open()
  }

  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      const session = this.#freeSession()
      if (session === undefined) return
      const { request, handler } = this.#waiting.shift()!
      if (request.isWanted()) session.start(request, handler)
      else notWanted(handler)
    }
  }

  #goOnInHttp1(socket: Socket): void {
    this.#isHttp1 = true
    this.#spare = socket
    for (const { request, handler } of this.#waiting.splice(0)) {
      if (request.isWanted()) this.#sendInHttp1(request, handler)
      else notWanted(handler)
    }
    setImmediate(() => {
      if (this.#spare === undefined) return
      this.#spare.destroy()
      this.#spare = undefined
      this.#askAgain()
    })
  }
}

function notWanted(handler: OriginHandler): void {
  handler.onResponseError(undefined, new Error('the client has left'))
}
