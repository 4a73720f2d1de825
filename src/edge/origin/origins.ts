import { parseIp } from '../../kit/cidr.ts'
import { hostNameOf } from '../../kit/host-name.ts'
import { unixPathOf } from '../../kit/unix-url.ts'
import { secureContextOf } from '../../outgoing/index.ts'
import type { OriginLink, Upstream } from '../exchange/answer.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { EdgeLimits } from '../exchange/deps.ts'
import type { ServerChoice } from '../servers/choice.ts'
import type { Sessions } from '../servers/sessions.ts'
import { type ConnectionGuard, originConnector } from './connector.ts'
import { Endpoint } from './endpoint.ts'
import type { OriginHandler, OriginRequest } from './origin-client.ts'
import { OriginSlots } from './origin-slots.ts'

/** Shared by all requests that an edge forwards. */
export interface OriginCore extends EdgeCore {
  readonly origins: Origins
  readonly servers: ServerChoice
  readonly sessions: Sessions
  /** The name of this edge in CDN-Loop. */
  readonly cdnId: string
}

/** Connections to one origin, for all server names. */
interface Origin {
  /** By TLS server name, least recently used first. Plain http has one, with an empty name. */
  readonly endpoints: Map<string, Endpoint>
  /** In HTTP/1.1. */
  connections: number
  /** The connection that was opened last. */
  link: OriginLink | undefined
  /** Increases with each request to any origin. */
  lastUse: number
}

/**
 * The kept-alive connections of this process to all origins. Idle connections are closed. A TLS connection belongs to the server name that it was opened for and whose certificate was checked.
 */
export class Origins {
  readonly #limits: EdgeLimits
  readonly #guard: ConnectionGuard
  /** By `keyOf`. */
  readonly #origins = new Map<string, Origin>()
  #uses = 0
  /** Taken before `dispatch`, and released when the origin has finished. */
  readonly slots: OriginSlots

  constructor(limits: EdgeLimits, guard: ConnectionGuard) {
    this.#limits = limits
    this.#guard = guard
    this.slots = new OriginSlots(limits)
  }

  dispatch(upstream: Upstream, request: OriginRequest, handler: OriginHandler): void {
    const name = upstream.url.startsWith('https:') ? tlsName(upstream) : ''
    this.#endpoint(upstream, name).dispatch(name === '' ? request : { ...request, servername: name }, handler)
  }

  link(upstream: Upstream): OriginLink | undefined {
    return this.#origins.get(keyOf(upstream))?.link
  }

  /** Closes idle connections and cuts off busy ones. */
  async close(): Promise<void> {
    const endpoints = [...this.#origins.values()].flatMap(origin => [...origin.endpoints.values()])
    await Promise.all(endpoints.map(endpoint => endpoint.destroy()))
  }

  #endpoint(upstream: Upstream, name: string): Endpoint {
    const key = keyOf(upstream)
    let origin = this.#origins.get(key)
    if (origin === undefined) {
      if (this.#origins.size >= this.#limits.originsKeptMax) this.#forgetIdle()
      origin = { endpoints: new Map(), connections: 0, link: undefined, lastUse: 0 }
      this.#origins.set(key, origin)
    }
    origin.lastUse = ++this.#uses
    const { endpoints } = origin
    let endpoint = endpoints.get(name)
    // Plain http has only one endpoint.
    if (endpoint !== undefined && name === '') return endpoint
    endpoints.delete(name)
    const { originNamesMax, originConnectionsMax } = this.#limits
    if (endpoints.size >= originNamesMax || origin.connections >= originConnectionsMax) closeIdle(endpoints)
    endpoint ??= this.#newEndpoint(upstream, origin)
    endpoints.set(name, endpoint)
    return endpoint
  }

  /** Forgets the least recently used origin without requests, and closes its connections. */
  #forgetIdle(): void {
    let oldest: readonly [key: string, origin: Origin] | undefined
    for (const entry of this.#origins) {
      const [, { lastUse, endpoints }] = entry
      if (oldest !== undefined && oldest[1].lastUse < lastUse) continue
      if ([...endpoints.values()].every(endpoint => endpoint.isIdle)) oldest = entry
    }
    if (oldest === undefined) return
    const [key, { endpoints }] = oldest
    this.#origins.delete(key)
    for (const endpoint of endpoints.values()) void endpoint.close()
  }

  #newEndpoint({ url, verifies, tls }: Upstream, origin: Origin): Endpoint {
    const path = unixPathOf(url)
    const options = {
      ...(!verifies && { rejectUnauthorized: false }),
      ...(tls && { secureContext: secureContextOf(tls) }),
      ...(path !== undefined && { socketPath: path }),
    }
    const onOpened = (link: OriginLink) => {
      origin.link = link
    }
    const connectors = {
      http1: originConnector(this.#guard, options, onOpened),
      negotiating: originConnector(this.#guard, { ...options, allowH2: true }, onOpened),
    }
    // A socket has no host. This one is for the URLs of undici only.
    return new Endpoint(path === undefined ? url : 'http://unix', connectors, this.#limits, change => {
      origin.connections += change
    })
  }
}

/** Connections with other checks or other certificates are separate, so that requests never use those of another zone. */
function keyOf({ url, verifies, tls }: Upstream): string {
  return verifies && tls === undefined ? url : `${verifies ? '' : 'unverified '}${tls?.id ?? ''} ${url}`
}

/** Closes the least recently used idle endpoint. */
function closeIdle(endpoints: Map<string, Endpoint>): void {
  for (const [name, endpoint] of endpoints) {
    if (!endpoint.isIdle) continue
    endpoints.delete(name)
    void endpoint.close()
    return
  }
}

/** Empty when the Host header is an address, because TLS server names cannot be addresses. */
function tlsName({ sni, hostHeader }: Upstream): string {
  const name = (sni ?? hostNameOf(hostHeader)).toLowerCase()
  return parseIp(name.replace(/^\[|\]$/g, '')) === undefined ? name : ''
}
