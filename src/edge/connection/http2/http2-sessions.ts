import {
  constants,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { EdgeLimits } from '../../exchange/deps.ts'
import { reportInternal } from '../../exchange/report.ts'
import { BodySource } from '../../message/body-source.ts'
import { countedClient } from '../../message/client-address.ts'
import { findFault, type RequestFault } from '../../message/request-faults.ts'
import { openExchange } from '../../pipeline/open-exchange.ts'
import { finish, run } from '../../pipeline/pipeline.ts'
import { closeLater } from '../../respond/answer.ts'
import { type ClientLink, linkOf } from '../client-link.ts'
import type { ConnectionCore } from '../core.ts'
import { misdirected } from '../misdirected.ts'
import { OpenSet } from '../open-set.ts'
import { requestOver } from '../request-over.ts'
import { Http2Body, readHead } from './http2-request.ts'
import { Http2Response } from './http2-response.ts'

/** The connections that speak HTTP/2. Each stream is a request like any other. */
export class Http2Sessions {
  readonly #core: ConnectionCore
  readonly #options: ServerOptions
  readonly #open = new OpenSet<ServerHttp2Session>()

  constructor(core: ConnectionCore) {
    this.#core = core
    this.#options = optionsFor(core.limits)
  }

  /** Begins to serve a connection whose client chose HTTP/2. @param known the reason to refuse its requests */
  accept(socket: TLSSocket, known: RequestFault | undefined): void {
    const session = performServerHandshake(socket, this.#options)
    const remove = this.#open.add(session)
    const { limits } = this.#core
    const streams = new Streams(limits.keepAliveTimeoutMs, () => {
      session.close()
      // node waits for the end of a header block that has begun.
      closeLater(socket, limits)
    })
    session.once('close', () => {
      remove()
      streams.stop()
    })
    // Connections may be half open for HTTP/1.1. A client of HTTP/2 that has ended its side has left.
    socket.once('end', () => session.destroy())
    // The client broke the protocol, or its connection broke. node closes the session.
    session.on('error', () => {
      this.#core.counters.malformed++
    })
    session.on('stream', (stream, _headers, _flags, flat) => {
      streams.begin()
      stream.once('close', () => {
        if (!session.destroyed) streams.end()
      })
      this.#serve(stream, flat, { link: linkOf(socket), known })
    })
    if (this.#core.draining) session.close()
  }

  /** Requests in flight may end; no further requests are accepted. */
  drain(): void {
    for (const session of this.#open) session.close()
  }

  closeAll(): void {
    for (const session of this.#open) session.destroy()
  }

  #serve(
    stream: ServerHttp2Stream,
    flat: readonly string[],
    { link, known }: { readonly link: ClientLink; readonly known: RequestFault | undefined },
  ): void {
    // A stream that the client resets; `close` follows.
    stream.on('error', () => {})
    const core = this.#core
    const { head, fault } = readHead(flat, core.limits.headerBytesMax)
    const request = requestOver(core, link, head)
    const refusal = known ?? fault ?? findFault(request, core.limits.headersMax) ?? misdirected(core, request)
    const client = new Http2Response(stream, error => {
      core.counters.internalFailures++
      reportInternal(core, exchange.facts, error)
    })
    const waits = request.header('expect')?.toLowerCase() === '100-continue'
    const input = new Http2Body(stream, head.headers, countedClient(request.connection.address))
    const invite = waits ? () => invited(stream) : undefined
    const body = new BodySource(input, core.bodies, request.clientIp, invite)
    const exchange = openExchange(core, request, client, body)
    stream.once('finish', () => endInput(stream, body))
    const running = run(core, exchange, client, { fault: refusal })
    stream.once('close', () => void running.then(() => finish(core, exchange)))
  }
}

/** Counts the requests in progress of a connection. Without any it is idle, even when the client sends other frames. */
class Streams {
  #open = 0
  readonly #timer: NodeJS.Timeout

  constructor(idleMs: number, onIdle: () => void) {
    this.#timer = setTimeout(() => {
      if (this.#open === 0) onIdle()
    }, idleMs)
  }

  begin(): void {
    this.#open++
  }

  end(): void {
    if (--this.#open === 0) this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}

function optionsFor(limits: EdgeLimits): ServerOptions {
  return {
    settings: {
      enableConnectProtocol: false,
      enablePush: false,
      initialWindowSize: limits.http2WindowBytes,
      maxConcurrentStreams: limits.http2StreamsMax,
      maxHeaderListSize: limits.headerBytesMax,
    },
    // More are refused by node without a response. The limit above this is answered with 431.
    maxHeaderListPairs: limits.headersMax * 2,
    // More than an origin's headers, because the edge and its rules add some.
    maxSendHeaderBlockLength: limits.originHeaderBytesMax * 4,
    maxSessionMemory: limits.http2SessionMegabytes,
    maxSessionInvalidFrames: 10,
    maxSessionRejectedStreams: limits.http2StreamsMax,
    maxOutstandingPings: 10,
    maxSettings: 32,
    streamResetBurst: limits.http2ResetBurst,
    streamResetRate: limits.http2ResetsPerSecond,
  } as ServerOptions
}

function invited(stream: ServerHttp2Stream): void {
  if (!stream.destroyed && !stream.headersSent) stream.additionalHeaders({ ':status': 100 })
}

/** The response is sent. A client that still sends a body is told to stop (RFC 9113 8.1). */
function endInput(stream: ServerHttp2Stream, body: BodySource): void {
  if (stream.destroyed) return
  if (body.complete) stream.resume()
  else stream.close(constants.NGHTTP2_NO_ERROR)
}
