import type { HostOrigins, OriginGroup, OriginServer } from '../../rulesets/plan/plan.ts'
import type { RequestSettings } from '../exchange/decisions.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { ClientRequest } from '../message/client-request.ts'
import { ResponseInspectionError } from '../phases/response-head.ts'
import type { Session } from '../servers/sessions.ts'
import type { OriginCore } from './origins.ts'
import type { RelayOutcome } from './relay.ts'
import { InvalidStatusError } from './relay-errors.ts'

/** The servers that one request tries, one after another. */
export class Visit {
  readonly #core: OriginCore
  readonly #origins: HostOrigins
  #group: OriginGroup
  /** Rules lead the request to another host or port, whose failures say nothing about the servers. */
  readonly #isRouted: boolean
  readonly #session: Session
  /** For groups whose servers are chosen by the client. */
  readonly #clientIp: string
  #tried: Set<string> | undefined
  #repeated = false
  #refusals = 0

  /** @throws NoOriginError when neither the zone nor a rule names a server */
  constructor(core: OriginCore, request: ClientRequest, origins: HostOrigins, settings: RequestSettings) {
    const { host, port } = settings
    this.#core = core
    this.#session = host === undefined && 'pools' in origins ? core.sessions.find(origins, request) : {}
    this.#clientIp = request.clientIp
    const { member, key } = this.#session
    const group = member?.pool ?? core.servers.group(origins, undefined, key)
    const [first = host === undefined ? member?.server : group.routed] = group.servers
    if (first === undefined) throw new NoOriginError()
    this.#group = host === undefined && group.servers.length > 0 ? group : { servers: [first] }
    this.#origins = host === undefined ? origins : this.#group
    this.#isRouted = host !== undefined || port !== undefined
  }

  /** The request goes to the same server again, because its connection was dead. */
  get isRepeat(): boolean {
    return this.#repeated
  }

  next(): OriginServer {
    const { servers, origins } = this.#core
    const { member, key } = this.#session
    if (member !== undefined && this.#tried === undefined) {
      if (servers.isHealthy(member.server)) return member.server
      // Its pool may be unhealthy, too.
      if (member.pool !== undefined) this.#group = servers.group(this.#origins, undefined, key)
    }
    const group = this.#group
    const chosenBy = key ?? (group.steering === 'client' ? this.#clientIp : undefined)
    return servers.pick(group, this.#tried, origins.slots, chosenBy)
  }

  /** A Set-Cookie line that begins a session at this server, or moves one there; undefined when the session stays. */
  cookieAt(server: OriginServer): string | undefined {
    if (!('pools' in this.#origins)) return undefined
    const { member } = this.#session
    const isKept = member?.server === server || this.#origins.sessions?.failover === 'temporary'
    return member !== undefined && isKept ? undefined : this.#core.sessions.cookie(this.#origins, server)
  }

  /**
   * Notes the outcome at a server.
   * @returns whether the request goes to the next server. A single server gets it again: once when the connection was
   *   dead, a few times when the server has refused it unprocessed
   */
  mayGoOn(outcome: RelayOutcome, { url }: OriginServer, facts: RequestFacts): boolean {
    const { servers, limits } = this.#core
    if (outcome.kind === 'client-gone') return false
    if (outcome.kind === 'failed' && isOfClient(outcome.error)) return false
    const failure = outcome.kind === 'failed' && isOfServer(outcome.error) ? outcome : undefined
    if (failure === undefined) {
      if (!this.#isRouted) servers.answered(url)
      return false
    }
    if (isRefusal(failure.error) && isRepeatable(facts, failure.error)) {
      // The server is there. Its connection has ended, and another one takes the request.
      if (++this.#refusals <= limits.originRefusalsMax) return true
    }
    if (!this.#isRouted && !isExcessive(failure.error)) servers.failed(url)
    if (failure.headSent || !isRepeatable(facts, failure.error)) return false
    if (!this.#staysAt(url)) {
      this.#tried ??= new Set()
      const tried = this.#tried
      tried.add(url)
      if ('pools' in this.#origins && this.#origins.failsOver)
        this.#group = servers.group(this.#origins, tried, this.#session.key)
      if (this.#group.servers.some(server => !tried.has(server.url)))
        return tried.size < limits.originTriesMax
      if (tried.size > 1) return false
    }
    if (this.#repeated || !isDeadConnection(failure.error)) return false
    this.#repeated = true
    return true
  }

  /** A session whose server fails does not go on to another one. */
  #staysAt(url: string): boolean {
    const sessions = 'pools' in this.#origins ? this.#origins.sessions : undefined
    if (sessions?.failover !== 'none') return false
    const { member, key } = this.#session
    return member?.server.url === url || (sessions.by === 'header' && key !== undefined)
  }
}

/** Nothing names a server for the request. */
export class NoOriginError extends Error {
  constructor() {
    super('the zone has no origin, and no DNS record or load balancer names a server for the host')
    this.name = 'NoOriginError'
  }
}

/** The request of the client could not be sent, which says nothing about the server. */
function isOfClient(error: Error): boolean {
  return error instanceof ClientBodyError || unsendable.has((error as NodeJS.ErrnoException).code ?? '')
}

/** undici or node refuses to send the request. */
const unsendable: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

/** Otherwise the server has answered. */
function isOfServer(error: Error): boolean {
  return !(error instanceof ResponseInspectionError || error instanceof InvalidStatusError)
}

function isDeadConnection(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE' || isExcessive(error)
}

/** The connection, or the request of a client, is too much for the origin. */
function isExcessive(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_EXCESSIVE'
}

/** The origin has not processed the request (RFC 9113 8.7). */
function isRefusal(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_REFUSED'
}

/** RFC 9110 9.2.2 */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])

/** Errors before a byte of the request was sent, and refusals. */
const unsent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ERR_ADDRESS_REFUSED',
  'ERR_STREAM_REFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** A streamed body is gone; a server that took its time may have acted on the request. */
function isRepeatable({ request, body }: RequestFacts, error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  if (body?.mayHaveBody === true && !body.repeatable) return false
  return unsent.has(code) || (code !== 'UND_ERR_HEADERS_TIMEOUT' && idempotent.has(request.method))
}
