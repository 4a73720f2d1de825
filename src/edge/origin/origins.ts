import type { Socket } from 'node:net'
import { type Dispatcher, Pool } from 'undici'
import { parseIp } from '../../kit/cidr.ts'
import { hostNameOf } from '../../kit/host-name.ts'
import type { AddressPolicy } from '../../outgoing/index.ts'
import type { OriginLink, Upstream } from '../exchange/answer.ts'
import type { EdgeCore } from '../exchange/core.ts'
import type { EdgeLimits } from '../exchange/deps.ts'
import type { ServerChoice } from '../servers/choice.ts'
import { type ConnectionGuard, originConnector } from './connector.ts'
import { newOriginClient, type OriginRequest } from './origin-client.ts'
import { OriginSlots } from './origin-slots.ts'

/** Shared by all requests that an edge forwards. */
export interface OriginCore extends EdgeCore {
  readonly origins: Origins
  readonly servers: ServerChoice
  /** The name of this edge in CDN-Loop. */
  readonly cdnId: string
}

/** Connections to one origin, for all server names. */
interface Origin {
  /** Pools by TLS server name, least recently used first. Plain http has one, with an empty name. */
  readonly pools: Map<string, Pool>
  connections: number
}

/**
 * The kept-alive connections of this process to all origins, with one request at a time on each. Idle connections are
 * closed. A TLS connection belongs to the server name that it was opened for and whose certificate was checked.
 */
export class Origins {
  readonly #limits: EdgeLimits
  readonly #guard: ConnectionGuard
  readonly #links = new Map<string, OriginLink>()
  /** By URL. Origins with unchecked certificates are separate, so that checked requests never use their connections. */
  readonly #origins = new Map<string, Origin>()
  /** Taken before `dispatch`, and released when the origin has finished. */
  readonly slots: OriginSlots

  /**
   * @param policy the networks in which origins may be
   * @param isOwn recognises connections that lead back to a listener of this edge
   */
  constructor(limits: EdgeLimits, policy: AddressPolicy, isOwn: (socket: Socket) => boolean) {
    this.#limits = limits
    this.#guard = { policy, isOwn, opened: (origin, link) => this.#links.set(origin, link) }
    this.slots = new OriginSlots(limits)
  }

  dispatch(upstream: Upstream, request: OriginRequest, handler: Dispatcher.DispatchHandler): void {
    const name = upstream.url.startsWith('https:') ? tlsName(upstream) : ''
    const pool = this.#pool(upstream, name)
    const options = name === '' ? request : { ...request, servername: name }
    pool.dispatch(options as unknown as Dispatcher.DispatchOptions, handler)
  }

  link(originUrl: string): OriginLink | undefined {
    const { protocol, host } = new URL(originUrl)
    return this.#links.get(`${protocol}//${host}`)
  }

  /** Closes idle connections and cuts off busy ones. */
  async close(): Promise<void> {
    const pools = [...this.#origins.values()].flatMap(origin => [...origin.pools.values()])
    await Promise.all(pools.map(pool => pool.destroy()))
  }

  #pool({ url, verifies }: Upstream, name: string): Pool {
    const key = verifies ? url : `unverified ${url}`
    let origin = this.#origins.get(key)
    if (origin === undefined) {
      origin = { pools: new Map(), connections: 0 }
      this.#origins.set(key, origin)
    }
    const { pools } = origin
    let pool = pools.get(name)
    // Plain http has only one pool.
    if (pool !== undefined && name === '') return pool
    pools.delete(name)
    const { originNamesMax, originConnectionsMax } = this.#limits
    if (pools.size >= originNamesMax || origin.connections >= originConnectionsMax) closeIdle(pools)
    pool ??= this.#newPool(url, verifies, origin)
    pools.set(name, pool)
    return pool
  }

  #newPool(url: string, verifies: boolean, origin: Origin): Pool {
    const limits = this.#limits
    const connect = originConnector(this.#guard, verifies ? {} : { rejectUnauthorized: false })
    const pool = new Pool(url, {
      factory: (at: URL, options: object) => newOriginClient(at, options, connect),
      connections: limits.originConnectionsMax,
      pipelining: 1,
      maxHeaderSize: limits.originHeaderBytesMax,
    })
    pool.on('connect', () => origin.connections++)
    pool.on('disconnect', () => origin.connections--)
    return pool
  }
}

/** Closes the least recently used idle pool. */
function closeIdle(pools: Map<string, Pool>): void {
  for (const [name, pool] of pools) {
    const { running, pending, queued } = pool.stats
    if (running + pending + queued > 0) continue
    pools.delete(name)
    void pool.close()
    return
  }
}

/** Empty when the Host header is an address, because TLS server names cannot be addresses. */
function tlsName({ sni, hostHeader }: Upstream): string {
  const name = (sni ?? hostNameOf(hostHeader)).toLowerCase()
  return parseIp(name.replace(/^\[|\]$/g, '')) === undefined ? name : ''
}
