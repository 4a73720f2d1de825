import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hostNameOf } from '../../kit/host-name.ts'
import { newRayId } from '../../kit/ids.ts'
import { Exchange } from '../exchange/exchange.ts'
import { BodySource } from '../message/body-source.ts'
import { clientAddress, connectionOf } from '../message/client-address.ts'
import { ClientRequest } from '../message/client-request.ts'
import { type HeaderLines, headerLines } from '../message/headers.ts'
import { findFault, type RequestFault } from '../message/request-faults.ts'
import { finish, run, type Upgraded } from '../pipeline/pipeline.ts'
import { closeLater } from '../respond/answer.ts'
import type { ConnectionCore } from './core.ts'
import { EarlyBytes } from './early-bytes.ts'
import { readHead, refuse } from './malformed.ts'
import { type ParserStop, RequestSequencer, type SequencerOwner } from './request-sequencer.ts'

/** The request in progress on a connection. */
const current = new WeakMap<Socket, { readonly exchange: Exchange; readonly response: ServerResponse }>()

/**
 * Connections that end with their current response. Their further input is discarded; the value is the number of received
 * bytes at which they end at the latest.
 */
const ending = new WeakMap<Socket, number>()

const sequencers = new WeakMap<Socket, RequestSequencer<Message>>()

class Message extends IncomingMessage {
  /** Set when its head is checked. */
  edgeRequest!: ClientRequest
  fault: RequestFault | undefined
}

/** Reads requests from connections and runs their exchanges. Strict about RFC 9112. */
export function createListener(core: ConnectionCore): Server {
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
    shouldUpgradeCallback: isWebSocketRequest,
    IncomingMessage: Message,
  })
  // node would silently drop header lines above its limit; findFault counts them.
  server.maxHeadersCount = 0
  // Added after node's own listener, which gives the connection its parser.
  server.on('connection', socket => accept(core, socket))
  server.on('request', (request, response) => serve(core, request, response, undefined))
  server.on('checkContinue', (request, response) =>
    serve(core, request, response, () => response.writeContinue()),
  )
  server.on('checkExpectation', (request, response) => serve(core, request, response, undefined))
  server.on('upgrade', (request, socket, head) => serveUpgrade(core, request, socket, head))
  server.on('clientError', (error: ParserStop, socket) => onParseError(core, error, socket as Socket))
  return server
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

/** Answers each connection beyond the client's limit with 429. Connections of a flood are closed at once. */
function accept(core: ConnectionCore, socket: Socket): void {
  const admission = core.clients.add(socket)
  if (admission === 'flood') {
    core.counters.overloads.client_connections++
    socket.destroy()
    return
  }
  const fault = admission === 'too-many' ? tooManyConnections : undefined
  sequencers.set(socket, newSequencer(core, socket, fault))
}

const tooManyConnections: RequestFault = {
  status: 429,
  reason: 'there are too many connections from your address',
}

/**
 * A malformed request is read up to its head only, because its end cannot be trusted.
 * @param known the reason to refuse all requests of this connection
 */
function newSequencer(
  core: ConnectionCore,
  socket: Socket,
  known: RequestFault | undefined,
): RequestSequencer<Message> {
  const owner: SequencerOwner<Message> = {
    admits(message) {
      message.edgeRequest = requestOf(core, message)
      message.fault = known ?? findFault(message.edgeRequest, core.limits.headersMax)
      return message.fault === undefined
    },
    cannotHold() {
      current.get(socket)!.response.shouldKeepAlive = false
    },
    newHolding: () => core.bodies.budget.holding(current.get(socket)!.exchange.facts.request.clientIp),
    refused(message, rest) {
      end(core, socket)
      void refuse(core, socket, message.fault!, message.edgeRequest, rest)
    },
  }
  return new RequestSequencer(socket, owner, core.limits.pipelinedBytesMax)
}

function serve(
  core: ConnectionCore,
  request: Message,
  response: ServerResponse,
  invite: (() => void) | undefined,
): void {
  const exchange = open(
    core,
    request,
    new BodySource(request, core.bodies, request.edgeRequest.clientIp, invite),
  )
  const { socket } = request
  current.set(socket, { exchange, response })
  if (core.draining) response.shouldKeepAlive = false
  const running = run(core, exchange, response)
  response.once('close', () => {
    current.delete(socket)
    sequencers.get(socket)!.release()
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
  const exchange = open(core, request, undefined)
  const response = new ServerResponse(request)
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
  const running = run(core, exchange, response, 'websocket')
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
  await core.tunnels.join(client, origin, core.limits)
}

function open(
  core: ConnectionCore,
  { edgeRequest: request, socket }: Message,
  body: BodySource | undefined,
): Exchange {
  const { deps, counters } = core
  counters.requests++
  counters.active++
  return new Exchange(
    request,
    {
      rayId: newRayId(),
      plan: deps.plans.find(hostNameOf(request.host)),
      startedMs: deps.clock.nowMs(),
      place: deps.place,
      cleared: false,
    },
    socket,
    body,
  )
}

function requestOf({ deps }: ConnectionCore, message: IncomingMessage): ClientRequest {
  const { socket } = message
  // node gives request lines and headers as latin-1, with one code unit per byte.
  const headers = headerLines(message.rawHeaders)
  const address = clientAddress(socket.remoteAddress ?? '', headers, deps.trustedProxies)
  const head = {
    method: message.method ?? '',
    target: message.url ?? '',
    protocol: `HTTP/${message.httpVersion}`,
    headers,
  }
  return new ClientRequest(head, connectionOf(socket, address))
}

/**
 * Handles malformed input. During a request, the input belongs to its body or follows it, and the connection is closed
 * after the response. A complete request is inspected, answered and recorded like any other; the input after it is
 * discarded.
 */
function onParseError(core: ConnectionCore, error: ParserStop, socket: Socket): void {
  if (sequencers.get(socket)?.stopped(error)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // node reports every packet after the first error.
  const lastByte = ending.get(socket)
  if (lastByte !== undefined) {
    if (socket.bytesRead > lastByte) socket.destroy()
    return
  }
  end(core, socket)
  const busy = current.get(socket)
  if (busy !== undefined) {
    const { exchange, response } = busy
    response.shouldKeepAlive = false
    response.once('finish', () => socket.destroySoon())
    if (!response.req.complete)
      exchange.facts.body?.fail(error.code === 'HPE_INVALID_EOF_STATE' ? 'aborted' : 'malformed')
    return
  }
  const { head, body } = readHead(headOf(error.rawPacket, socket).subarray(0, core.limits.malformedBytesMax))
  const address = clientAddress(socket.remoteAddress ?? '', head.headers, core.deps.trustedProxies)
  void refuse(core, socket, faultOf(error), new ClientRequest(head, connectionOf(socket, address)), body)
}

function end({ limits }: ConnectionCore, socket: Socket): void {
  ending.set(socket, socket.bytesRead + limits.lingerBytesMax)
  sequencers.get(socket)?.close()
}

const requestLine = /^[\r\n]*[^ \r\n]+ +[^ \r\n][^\r\n]* HTTP\/\d/

/** node gives only the last packet. A packet from the middle of a head is useless for a record and is replaced by nothing. */
function headOf(packet: Buffer | undefined, socket: Socket): Buffer {
  if (packet === undefined) return Buffer.alloc(0)
  const begins =
    socket.bytesRead === packet.length || requestLine.test(packet.toString('latin1', 0, lineBytesMax))
  return begins ? packet : Buffer.alloc(0)
}

const lineBytesMax = 8192

function faultOf({ code }: ParserStop): RequestFault {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, reason: 'the request line and headers are too long' }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return { status: 413, reason: 'the chunk extensions are too long' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, reason: 'the headers did not arrive in time' }
  return { status: 400, reason: 'the request breaks the rules of HTTP' }
}
