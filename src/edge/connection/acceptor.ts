import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { RequestFault } from '../message/request-faults.ts'
import type { TlsHandshakes } from '../tls/handshakes.ts'
import { readOpening } from '../tls/opening.ts'
import { linkOf, setLink, unixSocketLink } from './client-link.ts'
import type { ConnectionCore } from './core.ts'
import { Http2Sessions } from './http2/http2-sessions.ts'
import { createListener, type Http1Listener } from './listener.ts'
import { OpenSet } from './open-set.ts'
import { readProxyHeader } from './proxy-protocol.ts'

/** The protocols of one listening address. */
export interface ListenerKind {
  /** Only for addresses with a port. */
  readonly tls: boolean
  /** Each connection begins with a header of the PROXY protocol, from a trusted proxy. */
  readonly proxyProtocol: boolean
}

const tooManyConnections: RequestFault = {
  status: 429,
  reason: 'there are too many connections from your address',
}

const retirePollMs = 100

/** Accepts connections of all listening addresses, and passes each to the server of its version of HTTP. */
export class Acceptor {
  readonly #core: ConnectionCore
  readonly #tls: TlsHandshakes | undefined
  readonly #http1: Http1Listener
  readonly #http2: Http2Sessions
  readonly #open = new OpenSet<Socket>()

  /** @param tls undefined when the edge has no certificates */
  constructor(core: ConnectionCore, tls: TlsHandshakes | undefined) {
    this.#core = core
    this.#tls = tls
    this.#http1 = createListener(core)
    this.#http2 = new Http2Sessions(core)
  }

  /** @param unixSocket the address is the path of a unix socket */
  createServer(kind: ListenerKind, unixSocket: boolean): Server {
    return createServer({ allowHalfOpen: true, noDelay: true }, socket => {
      if (unixSocket) setLink(socket, unixSocketLink)
      socket.once('close', this.#open.add(socket))
      if (kind.tls || kind.proxyProtocol) void this.#begin(socket, kind)
      else this.#serve(socket)
    })
  }

  /** Idle connections end now, others after their response. */
  drain(): void {
    this.#http1.closeIdle()
    this.#http2.drain()
  }

  /** Idle connections have `retireIdleMs` for one more request. Resolves when none is open, or after `retireMs`. */
  async retire(): Promise<void> {
    const { retireIdleMs, retireMs } = this.#core.limits
    this.#http2.drain()
    for (let waitedMs = 0; this.#open.size > 0 && waitedMs < retireMs; waitedMs += retirePollMs) {
      await setTimeout(retirePollMs)
      if (waitedMs >= retireIdleMs) this.drain()
    }
  }

  closeAll(): void {
    this.#http1.close()
    this.#http2.closeAll()
    for (const socket of this.#open) socket.destroy()
  }

  /** Reads what precedes HTTP. */
  async #begin(socket: Socket, kind: ListenerKind): Promise<void> {
    // A broken connection also emits `close`.
    socket.on('error', () => socket.destroy())
    if (kind.proxyProtocol && !(await this.#readProxyHeader(socket))) return
    if (!kind.tls) {
      this.#serve(socket)
      // It was paused after the header.
      socket.resume()
      return
    }
    const admission = this.#admit(socket)
    if (admission === 'refused') return
    const secure = await this.#tls!.accept(socket)
    if (secure === undefined) return
    setLink(secure.socket, { ...linkOf(socket), tls: secure.facts })
    if (secure.socket.alpnProtocol === 'h2') this.#http2.accept(secure.socket, admission.fault)
    else this.#http1.accept(secure.socket, admission.fault)
  }

  async #readProxyHeader(socket: Socket): Promise<boolean> {
    const link = linkOf(socket)
    if (!link.viaUnixSocket && !this.#core.deps.trustedProxies.has(link.peerIp)) {
      socket.destroy()
      return false
    }
    const header = await readOpening(socket, this.#core.limits, readProxyHeader)
    if (header === undefined) return false
    if (header !== 'none') setLink(socket, { ...link, ...header, viaUnixSocket: false })
    return true
  }

  #serve(socket: Socket): void {
    const admission = this.#admit(socket)
    if (admission !== 'refused') this.#http1.accept(socket, admission.fault)
  }

  /** Each connection beyond the client's limit is answered with 429. Connections of a flood are closed at once. */
  #admit(socket: Socket): { readonly fault: RequestFault | undefined } | 'refused' {
    const { peerIp, viaUnixSocket } = linkOf(socket)
    const admission = viaUnixSocket ? 'admitted' : this.#core.clients.add(socket, peerIp)
    if (admission === 'flood') {
      this.#core.counters.overloads.client_connections++
      socket.destroy()
      return 'refused'
    }
    return { fault: admission === 'too-many' ? tooManyConnections : undefined }
  }
}
