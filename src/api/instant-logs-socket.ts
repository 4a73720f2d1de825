import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { isId } from '../kit/ids.ts'
import { instantLimits } from '../kit/limits.ts'
import { InstantLimitError, instantSessionEnd } from '../logpush/index.ts'
import type { InstantSession } from '../model/resource.ts'
import type { Api } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { type ApiError, refusal } from './errors.ts'
import { SocketListener } from './instant-logs-listener.ts'
import { MinuteCounts } from './minute-counts.ts'

const base = '/instant-logs/ws/sessions/'

interface Upgrade {
  readonly socket: Socket
  /** What came behind the request. */
  readonly head: Buffer
}

/**
 * Which requests leave HTTP: those for WebSocket at the address of a session. What else asks for an upgrade, such as
 * h2c by clients that always do, is answered as if it had not. Neither does one with a body:
 * Node would hand over something else than its connection.
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
 * The WebSocket of Instant Logs. Requests go through the routes like any other, so that refusals are in the envelope;
 * the one that is let in takes its connection along.
 */
export function instantLogsSocketRoutes(app: Api, deps: ApiDeps): void {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: instantLimits.messageBytesMax,
  })
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const attempts = new MinuteCounts(deps.clock, instantLimits.addressesKept)
  const listeners = new Set<SocketListener>()

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.set(request, { socket, head })
    app.routing(request, responseOn(request, socket))
  })
  const ping = setInterval(() => {
    for (const listener of listeners) listener.ping()
  }, instantLimits.pingMs).unref()
  app.addHook('preClose', async () => {
    clearInterval(ping)
    await Promise.all([...listeners].map(listener => listener.close('stopped')))
  })

  app.get<{ Params: { readonly session_id: string } }>(
    `${base}:session_id`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      const upgrade = upgrades.get(request.raw)
      if (upgrade === undefined) throw refuseWith(reply, 'upgrade', 'websocket', refusal('upgradeRequired'))
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
    const seconds = String(attempts.count(request.ip, instantLimits.attemptsMax))
    if (seconds === '0') return
    const limit = String(instantLimits.attemptsMax)
    throw refuseWith(reply, 'retry-after', seconds, refusal('tooManyAttempts', { limit, seconds }))
  }

  async function listen(session: InstantSession, listener: SocketListener): Promise<() => void> {
    try {
      return await deps.instantLogs.listen(session, listener)
    } catch (error) {
      if (error instanceof InstantLimitError)
        throw refusal('tooManyListeners', { what: limitTexts[error.what] })
      deps.logger.warn({ err: error }, 'instant logs: a session cannot be listened to')
      throw refusal('logsAway')
    }
  }

  /** From here on the connection is no HTTP any more. */
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
    // Refused there, or gone already.
    if (opened === undefined) listener.closed()
  }
}

const limitTexts = {
  listeners: `${instantLimits.listenersMax} listen to this session`,
  sessions: `${instantLimits.sessionsMax} sessions are listened to`,
} as const

/** @throws ApiError 404, or 410 when it is over */
async function findSession(id: string, { store, clock }: ApiDeps): Promise<InstantSession> {
  const session = isId(id) ? await store.instant.get(id) : undefined
  if (session === undefined) throw refusal('sessionNotFound')
  const end = instantSessionEnd(session, clock.nowMs())
  if (end !== undefined) throw refusal('sessionOver', { reason: endTexts[end] })
  return session
}

const endTexts = {
  age: 'it was made more than 60 minutes ago',
  idle: 'nobody has listened to it for 5 minutes',
} as const

/** What the server of Node would have made; it ends the connection behind the answer. */
function responseOn(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.end(() => socket.destroy()))
  // Node has taken its own listener away; a connection that breaks is over either way.
  socket.on('error', () => socket.destroy())
  return response
}

function refuseWith(reply: FastifyReply, name: string, value: string, error: ApiError): ApiError {
  reply.header(name, value)
  return error
}
