import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { hostNameOf } from '../kit/host-name.ts'
import { newRayId } from '../kit/ids.ts'
import { BodySource } from './body-source.ts'
import { clientAddress, connectionOf } from './client-address.ts'
import { ClientRequest } from './client-request.ts'
import type { EdgeCore } from './core.ts'
import { Exchange } from './exchange.ts'
import { type HeaderLines, headerLines } from './headers.ts'
import { type ParseError, refuseMalformed } from './malformed.ts'
import { finish, run, type Upgraded } from './pipeline.ts'
import { findFault, type RequestFault } from './request-faults.ts'

/** The request that a connection is busy with. */
const current = new WeakMap<Socket, { readonly exchange: Exchange; readonly response: ServerResponse }>()

/** Connections over which came what is no HTTP. They end with the answer under way: what else comes is nobody's. */
const ending = new WeakSet<Socket>()

/** Turns what arrives on connections into exchanges and runs them. Strict about RFC 9112. */
export function createListener(core: EdgeCore): Server {
  const { limits } = core
  const server = createServer({
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    // A body may take as long as it likes while it keeps coming; see BodySource.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    noDelay: true,
    // A missing Host is answered and recorded like every other fault.
    requireHostHeader: false,
    insecureHTTPParser: false,
    shouldUpgradeCallback: isWebSocketRequest,
  })
  // node would leave out the lines above its limit without a word; findFault counts them.
  server.maxHeadersCount = 0
  server.on('request', (request, response) => serve(core, request, response, undefined))
  server.on('checkContinue', (request, response) =>
    serve(core, request, response, () => response.writeContinue()),
  )
  server.on('checkExpectation', (request, response) => serve(core, request, response, undefined))
  server.on('upgrade', (request, socket, head) => serveUpgrade(core, request, socket, head))
  server.on('connect', (request, socket) => serveUpgrade(core, request, socket, Buffer.alloc(0)))
  server.on('clientError', (error: ParseError, socket) => onParseError(core, error, socket as Socket))
  return server
}

/** A request with a body is one like any other, whatever it asks for: its body is inspected. */
function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return (
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  )
}

function serve(
  core: EdgeCore,
  request: IncomingMessage,
  response: ServerResponse,
  invite: (() => void) | undefined,
): void {
  const { exchange, fault } = open(
    core,
    request,
    new BodySource(request, core.limits.bodyIdleTimeoutMs, invite),
  )
  const { socket } = request
  current.set(socket, { exchange, response })
  if (core.draining) response.shouldKeepAlive = false
  const running = run(core, exchange, response, fault)
  response.once('close', () => {
    if (current.get(socket)?.exchange === exchange) current.delete(socket)
    // A client may leave while the rules run: it is recorded when they are through.
    void running.then(() => finish(core, exchange))
  })
}

/** A WebSocket, or CONNECT, which is always refused. Until the origin agrees it is answered like any request. */
async function serveUpgrade(
  core: EdgeCore,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const client = socket as Socket
  client.on('error', () => client.destroy())
  const { exchange, fault } = open(core, request, undefined)
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(client)
  response.once('finish', () => client.end(() => client.destroy()))
  const running = run(core, exchange, response, fault, 'websocket')
  const onClose = () => void running.then(() => finish(core, exchange))
  response.once('close', onClose)
  const upgraded = await running
  if (upgraded === undefined) return
  response.off('close', onClose)
  response.detachSocket(client)
  await tunnel(core, exchange, client, head, upgraded)
  await finish(core, exchange)
}

async function tunnel(
  core: EdgeCore,
  exchange: Exchange,
  client: Socket,
  head: Buffer,
  upgraded: Upgraded,
): Promise<void> {
  const headers: HeaderLines = [...upgraded.headers, ['Connection', 'Upgrade'], ['Upgrade', 'websocket']]
  exchange.answered(101, headers, core.deps.clock.nowMs())
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}\r\n`, 'latin1')
  const origin = upgraded.socket as Socket
  if (head.length > 0) origin.write(head)
  await core.tunnels.join(client, origin, core.limits.tunnelIdleTimeoutMs)
}

function open(
  core: EdgeCore,
  message: IncomingMessage,
  body: BodySource | undefined,
): { readonly exchange: Exchange; readonly fault: RequestFault | undefined } {
  const { deps, limits, counters } = core
  counters.requests++
  counters.active++
  const startedMs = deps.clock.nowMs()
  const { socket } = message
  // node gives request lines and headers as latin-1: one code unit a byte.
  const headers = headerLines(message.rawHeaders)
  const address = clientAddress(socket.remoteAddress ?? '', headers, deps.trustedProxies)
  const request = new ClientRequest(
    {
      method: message.method ?? '',
      target: message.url ?? '',
      protocol: `HTTP/${message.httpVersion}`,
      headers,
    },
    connectionOf(socket, address),
  )
  const plan = deps.plans.find(hostNameOf(request.host))
  const exchange = new Exchange(
    request,
    { rayId: newRayId(), plan, startedMs, place: deps.place },
    socket,
    body,
  )
  return { exchange, fault: findFault(request, limits.headersMax) }
}

/**
 * Bytes that are no HTTP. While a request is under way they are its body, or what follows it, and the connection is
 * closed after its answer. A request that came whole is inspected, answered and recorded like any other; what follows
 * it goes nowhere.
 */
function onParseError(core: EdgeCore, error: ParseError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  // node reports every packet that comes after the first error.
  if (ending.has(socket)) return
  ending.add(socket)
  const busy = current.get(socket)
  if (busy !== undefined) {
    const { exchange, response } = busy
    response.shouldKeepAlive = false
    response.once('finish', () => socket.destroySoon())
    if (!response.req.complete)
      exchange.body?.fail(error.code === 'HPE_INVALID_EOF_STATE' ? 'aborted' : 'malformed')
    return
  }
  void refuseMalformed(core, socket, faultOf(error), headOf(error.rawPacket, socket))
}

const requestLine = /^[\r\n]*[^ \r\n]+ +[^ \r\n][^\r\n]* HTTP\/\d/

/** node hands over the last packet only. One from the middle of a head would be recorded as nonsense: nothing then. */
function headOf(packet: Buffer | undefined, socket: Socket): Buffer {
  if (packet === undefined) return Buffer.alloc(0)
  const begins =
    socket.bytesRead === packet.length || requestLine.test(packet.toString('latin1', 0, lineBytesMax))
  return begins ? packet : Buffer.alloc(0)
}

const lineBytesMax = 8192

function faultOf({ code }: ParseError): RequestFault {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, reason: 'the request line and headers are too long' }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return { status: 413, reason: 'the chunk extensions are too long' }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, reason: 'the headers did not arrive in time' }
  return { status: 400, reason: 'the request breaks the rules of HTTP' }
}
