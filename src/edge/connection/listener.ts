import { createServer, type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Exchange } from '../exchange/exchange.ts'
import { BodySource, http1Framing } from '../message/body-source.ts'
import { countedClient } from '../message/client-address.ts'
import type { ClientRequest } from '../message/client-request.ts'
import { firstHeader, type HeaderLines, headerLines, joinedHeader } from '../message/headers.ts'
import { findFault, type RequestFault } from '../message/request-faults.ts'
import { isShort, ShortParts } from '../message/short-parts.ts'
import { openExchange } from '../pipeline/open-exchange.ts'
import { finish, run, type Upgraded } from '../pipeline/pipeline.ts'
import { closeLater, linger } from '../respond/answer.ts'
import { linkOf } from './client-link.ts'
import type { ConnectionCore } from './core.ts'
import { EarlyBytes } from './early-bytes.ts'
import { Http1Response } from './http1-response.ts'
import { readHead, refuse } from './malformed.ts'
import { misdirected } from './misdirected.ts'
import { requestOver } from './request-over.ts'
import { type ParserStop, RequestSequencer, type SequencerOwner } from './request-sequencer.ts'

interface Http1Connection {
  /** Set once node's listener has given the connection its parser. */
  sequencer: RequestSequencer<Message> | undefined
  /** The request in progress. */
  current: { readonly exchange: Exchange; readonly response: Http1Response } | undefined
  /**
   * Set when the connection ends with its current response. Its further input is discarded, and at this number of received
   * bytes it ends at the latest.
   */
  lastByte: number | undefined
}

const connections = new WeakMap<Socket, Http1Connection>()

class Message extends IncomingMessage {
  /** Set when its head is checked. */
  edgeRequest!: ClientRequest
  fault: RequestFault | undefined
  mayHaveBody = false
  announcedBytes: number | undefined
  #short: ShortParts | undefined

  /** node's parser passes the body on with it. */
  override push(part: Buffer | null): boolean {
    if (this.#short === undefined) {
      if (!isShort(part) || this.#isWhole(part)) return super.push(part)
      const client = countedClient(this.edgeRequest.connection.address)
      this.#short = new ShortParts(this, client, joined => super.push(joined))
    }
    return this.#short.push(part)
  }

  /** Nothing is joined with a body that came in one part. It may keep its packet in memory if the packet is short. */
  #isWhole(part: Buffer): boolean {
    return part.length === this.announcedBytes && part.buffer.byteLength <= keptPacketBytes
  }
}

const keptPacketBytes = 4096

/** The server of HTTP/1.0 and 1.1. */
export interface Http1Listener {
  /** @param known the reason to refuse all requests of this connection */
  accept(socket: Socket, known: RequestFault | undefined): void
  /** Closes connections without a request in progress. */
  closeIdle(): void
  /** Closes every connection. */
  close(): void
}

/** Reads requests from connections and runs their exchanges. Strict about RFC 9112. */
export function createListener(core: ConnectionCore): Http1Listener {
  const { limits } = core
  const server = createServer({
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    // A body has no time limit while it makes progress; see BodySource.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    noDelay: true,
    // `findFault` handles a missing Host like every other fault.
    requireHostHeader: false,
    insecureHTTPParser: false,
    // The events of a request without a body have no listener.
    optimizeEmptyRequests: true,
    shouldUpgradeCallback: isWebSocketRequest,
    IncomingMessage: Message,
  })
  // node would silently drop header lines above its limit; findFault counts them.
  server.maxHeadersCount = 0
  server.on('request', (request, response) => serve(core, request, response, undefined))
  server.on('checkContinue', (request, response) =>
    serve(core, request, response, () => response.writeContinue()),
  )
  server.on('checkExpectation', (request, response) => serve(core, request, response, undefined))
  server.on('upgrade', (request, socket, head) => serveUpgrade(core, request, socket, head))
  server.on('clientError', (error: ParserStop, socket) => onParseError(core, error, socket as Socket))
  // Begins node's check of timeouts. Connections come from other servers, so this one never listens.
  server.emit('listening')
  return {
    accept(socket, known) {
      const connection = { sequencer: undefined, current: undefined, lastByte: undefined }
      connections.set(socket, connection)
      server.emit('connection', socket)
      sequence(core, socket, connection, known)
    },
    closeIdle: () => server.closeIdleConnections(),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * A WebSocket begins with GET in HTTP/1.1 (RFC 6455 4.1, RFC 9110 7.8). A request with a body is not upgraded, so that its
 * body is inspected.
 */
function isWebSocketRequest({ method, httpVersion, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersion === '1.1' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  )
}

/**
 * A malformed request is read up to its head only, because its end cannot be trusted.
 * @param known the reason to refuse all requests of this connection
 */
function sequence(
  core: ConnectionCore,
  socket: Socket,
  connection: Http1Connection,
  known: RequestFault | undefined,
): void {
  const owner: SequencerOwner<Message> = {
    admits(message) {
      message.edgeRequest = requestOf(core, message)
      message.headers = headersForServer(message.edgeRequest.headers)
      const { mayHaveBody, announcedBytes } = http1Framing(message.headers)
      message.mayHaveBody = mayHaveBody
      message.announcedBytes = announcedBytes
      message.fault = known ?? findFault(message.edgeRequest, core.limits.headersMax)
      return message.fault === undefined
    },
    cannotHold() {
      connection.current!.response.endConnection()
    },
    newHolding: () => core.bodies.budget.holding(connection.current!.exchange.facts.request.clientIp),
    refused(message, rest) {
      end(core, socket, connection)
      void refuse(core, socket, message.fault!, message.edgeRequest, rest)
    },
  }
  connection.sequencer = new RequestSequencer(socket, owner, core.limits.pipelinedBytesMax)
}

function serve(
  core: ConnectionCore,
  request: Message,
  response: ServerResponse,
  invite: (() => void) | undefined,
): void {
  const { socket } = request
  const connection = connections.get(socket)!
  const client = new Http1Response(response, socket)
  const hasBody = request.mayHaveBody || invite !== undefined
  const body = hasBody
    ? new BodySource(request, core.bodies, request.edgeRequest.clientIp, invite)
    : undefined
  const exchange = openExchange(core, request.edgeRequest, client, body)
  connection.current = { exchange, response: client }
  if (core.draining) client.endConnection()
  if (body !== undefined) response.once('finish', () => void linger(core, body, socket))
  const running = run(core, exchange, client, { fault: misdirected(core, request.edgeRequest) })
  response.once('close', () => {
    connection.current = undefined
    connection.sequencer!.release()
    // When a client leaves while the rules run, its request is recorded after they have stopped.
    void running.then(() => finish(core, exchange))
  })
}

/** Serves a WebSocket. Until the origin accepts it, the request is handled like any other. */
async function serveUpgrade(
  core: ConnectionCore,
  request: Message,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const client = socket as Socket
  client.on('error', () => client.destroy())
  core.tunnels.add(client)
  const response = new ServerResponse(request)
  const upgrading = new Http1Response(response, client)
  const exchange = openExchange(core, request.edgeRequest, upgrading, undefined)
  response.shouldKeepAlive = false
  response.assignSocket(client)
  response.once('finish', () => {
    client.end()
    closeLater(client, core.limits)
    // For other requests, node's server emits this event.
    response.detachSocket(client)
    response.emit('close')
  })
  const memory = core.bodies.budget.holding(exchange.facts.request.clientIp)
  const early = new EarlyBytes(client, head, memory, core.limits.pipelinedBytesMax)
  const running = run(core, exchange, upgrading, {
    fault: misdirected(core, request.edgeRequest),
    // RFC 9110 7.8: a server may ignore Upgrade.
    ...(exchange.facts.plan?.settings.websockets !== false && { upgrade: 'websocket' }),
  })
  const onClose = () => void running.then(() => finish(core, exchange))
  response.once('close', onClose)
  const upgraded = await running
  if (upgraded === undefined) {
    early.drop()
    return
  }
  response.off('close', onClose)
  response.detachSocket(client)
  await tunnel(core, exchange, client, early, upgraded)
  await finish(core, exchange)
}

async function tunnel(
  core: ConnectionCore,
  exchange: Exchange,
  client: Socket,
  early: EarlyBytes,
  upgraded: Upgraded,
): Promise<void> {
  const headers: HeaderLines = [...upgraded.headers, ['Connection', 'Upgrade'], ['Upgrade', 'websocket']]
  exchange.answer.begin(101, headers, core.deps.clock.nowMs())
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`, 'latin1')
  const origin = upgraded.socket as Socket
  early.passTo(origin)
  // From now on, it costs no more than a connection.
  core.inFlight.leave(exchange)
  await core.tunnels.join(client, origin, core.limits)
}

/** Headers that node's server and this listener read. node would make a dictionary of all headers. */
function headersForServer(lines: HeaderLines): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {}
  for (const name of headersOfServer) {
    // node uses the first Content-Length line. Its parser refuses a second one.
    const value = name === 'content-length' ? firstHeader(lines, name) : joinedHeader(lines, name)
    if (value !== undefined) headers[name] = value
  }
  return headers
}

const headersOfServer = ['content-length', 'expect', 'te', 'transfer-encoding', 'upgrade'] as const

function requestOf(core: ConnectionCore, message: IncomingMessage): ClientRequest {
  // node gives request lines and headers as latin-1, with one code unit per byte.
  const head = {
    method: message.method ?? '',
    target: message.url ?? '',
    protocol: `HTTP/${message.httpVersion}`,
    headers: headerLines(message.rawHeaders),
  }
  return requestOver(core, linkOf(message.socket), head)
}

/**
 * Handles malformed input. During a request, the input belongs to its body or follows it, and the connection is closed
 * after the response. A complete request is inspected, answered and recorded like any other; the input after it is
 * discarded.
 */
function onParseError(core: ConnectionCore, error: ParserStop, socket: Socket): void {
  const connection = connections.get(socket)!
  if (connection.sequencer?.stopped(error)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // node reports every packet after the first error.
  const { lastByte, current: busy } = connection
  if (lastByte !== undefined) {
    if (socket.bytesRead > lastByte) socket.destroy()
    return
  }
  end(core, socket, connection)
  if (busy !== undefined) {
    const { exchange, response } = busy
    response.endConnection()
    response.events.once('finish', () => socket.destroySoon())
    if (!response.events.req.complete)
      exchange.facts.body?.fail(error.code === 'HPE_INVALID_EOF_STATE' ? 'aborted' : 'malformed')
    return
  }
  const { head, body } = readHead(headOf(error.rawPacket, socket).subarray(0, core.limits.malformedBytesMax))
  void refuse(core, socket, faultOf(error), requestOver(core, linkOf(socket), head), body)
}

function end({ limits }: ConnectionCore, socket: Socket, connection: Http1Connection): void {
  connection.lastByte = socket.bytesRead + limits.lingerBytesMax
  connection.sequencer?.close()
}

const requestLine = /^[\r\n]*[^ \r\n]+ +[^ \r\n][^\r\n]* HTTP\/\d/

/** node gives only the last packet. A packet from the middle of a head is useless for a record and is replaced by nothing. */
function headOf(packet: Buffer | undefined, socket: Socket): Buffer {
  if (packet === undefined) return Buffer.alloc(0)
  const begins =
    socket.bytesRead === packet.length || requestLine.test(packet.toString('latin1', 0, requestLineBytes))
  return begins ? packet : Buffer.alloc(0)
}

const requestLineBytes = 8192

function faultOf({ code }: ParserStop): RequestFault {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, reason: 'the request line and headers are too long' }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return { status: 413, reason: 'the chunk extensions are too long' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, reason: 'the headers did not arrive in time' }
  return { status: 400, reason: 'the request breaks the rules of HTTP' }
}
