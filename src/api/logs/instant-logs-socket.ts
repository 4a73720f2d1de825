import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { clientNetwork } from '../../kit/cidr.ts'
import { isId } from '../../kit/ids.ts'
import { InstantLimitError, instantSessionEnd } from '../../logpush/index.ts'
import { instantLimits } from '../../logpush/limits.ts'
import type { InstantSession } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { type ApiError, refusal } from '../http/errors.ts'
import { MinuteCounts } from '../http/minute-counts.ts'
import { operationsOf } from '../openapi/operation.ts'
import { SocketListener } from './instant-logs-listener.ts'
import { instantSocketLimits } from './limits.ts'

const base = '/instant-logs/ws/sessions/'

const described = operationsOf('Instant Logs')(
  'listenToInstantLogs',
  'Connect to the WebSocket of a session; the session id is the credential',
  'open',
  { answers: { 101: { description: 'Switches to WebSocket: lines of NDJSON, some of them messages' } } },
)

interface Upgrade {
  readonly socket: Socket
  /** Bytes after the request. */
  readonly head: Buffer
}

/**
 * Whether a request upgrades to WebSocket: only at the address of a session, and without a body, because Node would then
 * hand over another object than the connection. Other upgrade headers, such as h2c, are ignored.
 * @source RFC 9110 section 7.8: a server may ignore the Upgrade header
 */
export function isSocketRequest({ method, url, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  return (
    method === 'GET' &&
    url?.startsWith(base) === true &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    !hasBody
  )
}

/**
 * The WebSocket of Instant Logs. Requests pass the routes like any other, so that refusals have the envelope; an accepted
 * request hands over its connection.
 */
export function instantLogsSocketRoutes(app: Api, deps: ApiDeps): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: instantSocketLimits.messageBytesMax,
  })
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const attempts = new MinuteCounts(deps.clock, instantSocketLimits.addressesKept)
  const listeners = new Set<SocketListener>()

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.set(request, { socket, head })
    app.routing(request, responseOn(request, socket))
  })
  const ping = setInterval(() => {
    for (const listener of listeners) listener.ping()
  }, instantSocketLimits.pingMs).unref()
  app.addHook('preClose', async () => {
    clearInterval(ping)
    await Promise.all([...listeners].map(listener => listener.close('stopped')))
  })

  app.get<{ Params: { readonly session_id: string } }>(
    `${base}:session_id`,
    { config: described, exposeHeadRoute: false },
    async (request, reply) => {
      const upgrade = upgrades.get(request.raw)
      if (upgrade === undefined) throw refuseWith(reply, 'upgrade', 'websocket', refusal('upgradeRequired'))
      requireOwnPage(request)
      countAttempt(request, reply)
      const session = await findSession(request.params.session_id, deps)
      const listener = new SocketListener(session, request.log)
      const leave = await listen(session, listener)
      listener.whenClosed(() => {
        listeners.delete(listener)
        leave()
      })
      listeners.add(listener)
      take(request, reply, upgrade, listener)
      return reply
    },
  )

  function countAttempt(request: FastifyRequest, reply: FastifyReply): void {
    const seconds = String(attempts.count(clientNetwork(request.ip), instantSocketLimits.attemptsMax))
    if (seconds === '0') return
    const limit = String(instantSocketLimits.attemptsMax)
    throw refuseWith(reply, 'retry-after', seconds, refusal('tooManyAttempts', { limit, seconds }))
  }

  async function listen(session: InstantSession, listener: SocketListener): Promise<() => void> {
    try {
      return await deps.instantLogs.listen(session, listener)
    } catch (error) {
      if (error instanceof InstantLimitError)
        throw refusal('tooManyListeners', { what: limitTexts[error.limited] })
      deps.logger.warn({ err: error }, 'instant logs: a listener could not be added')
      throw refusal('logsAway')
    }
  }

  /** Switches the connection from HTTP to WebSocket. */
  function take(
    request: FastifyRequest,
    reply: FastifyReply,
    { socket, head }: Upgrade,
    listener: SocketListener,
  ): void {
    reply.hijack()
    reply.raw.detachSocket(socket)
    let opened: WebSocket | undefined
    server.handleUpgrade(request.raw, socket, head, connection => {
      opened = connection
      listener.open(connection)
    })
    // Refused by the WebSocket server, or disconnected.
    if (opened === undefined) listener.closed()
  }
}

/**
 * Browsers name the origin of the page that connects; only the dashboard may. Other clients send no origin.
 * @source RFC 6455 section 10.2
 */
function requireOwnPage({ headers: { origin }, host }: FastifyRequest): void {
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase())) return
  throw refusal('wrongOrigin', { origin: origin.slice(0, 100), host })
}

const limitTexts = {
  listeners: `this session already has ${instantLimits.listenersMax}`,
  sessions: `${instantLimits.sessionsMax} sessions already have listeners`,
} as const

/** @throws ApiError 404, or 410 if it has ended */
async function findSession(id: string, { store, clock }: ApiDeps): Promise<InstantSession> {
  const session = isId(id) ? await store.instant.get(id) : undefined
  if (session === undefined) throw refusal('sessionNotFound')
  const end = instantSessionEnd(session, clock.nowMs())
  if (end !== undefined) throw refusal('sessionOver', { reason: endTexts[end] })
  return session
}

const endTexts = {
  age: 'it was created more than 60 minutes ago',
  idle: 'it had no listener for 5 minutes',
} as const

/** The response that Node's server would have created; it closes the connection after the response. */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.end(() => socket.destroy()))
  // Node removed its own listener; without one, an error would end the process.
  socket.on('error', () => socket.destroy())
  return response
}

function refuseWith(reply: FastifyReply, name: string, value: string, error: ApiError): ApiError {
  reply.header(name, value)
  return error
}
