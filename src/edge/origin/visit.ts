import type { HostOrigins, OriginGroup, OriginServer } from '../../rulesets/plan/plan.ts'
import type { RequestSettings } from '../exchange/decisions.ts'
import type { RequestFacts } from '../exchange/facts.ts'
import { ClientBodyError } from '../message/body-source.ts'
import { ResponseInspectionError } from '../phases/response-head.ts'
import type { OriginCore } from './origins.ts'
import { InvalidStatusError, type RelayOutcome } from './relay.ts'

/** The servers that one request tries, one after another. */
export class Visit {
  readonly #core: OriginCore
  readonly #origins: HostOrigins
  #group: OriginGroup
  /** Rules lead the request to another host or port, whose failures say nothing about the servers. */
  readonly #isRouted: boolean
  #tried: Set<string> | undefined
  #repeated = false
  #refusals = 0

  constructor(core: OriginCore, origins: HostOrigins, { host, port }: RequestSettings) {
    const group = core.servers.group(origins)
    this.#core = core
    this.#group = host === undefined ? group : { servers: [group.servers[0]!] }
    this.#origins = host === undefined ? origins : this.#group
    this.#isRouted = host !== undefined || port !== undefined
  }

  next(): OriginServer {
    return this.#core.servers.pick(this.#group, this.#tried, this.#core.origins.slots)
  }

  /**
   * Notes the outcome at a server.
   * @returns whether the request goes to the next server; with one server, to the same once when its connection was dead,
   * and a few times when the server has refused it unprocessed
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
    this.#tried ??= new Set()
    const tried = this.#tried
    tried.add(url)
    if ('pools' in this.#origins && this.#origins.failsOver) this.#group = servers.group(this.#origins, tried)
    if (this.#group.servers.some(server => !tried.has(server.url))) return tried.size < limits.originTriesMax
    if (this.#repeated || tried.size > 1 || !isDeadConnection(failure.error)) return false
    this.#repeated = true
    return true
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
