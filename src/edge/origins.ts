import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { EdgeLimits } from './deps.ts'

/** Where one request goes. */
export interface Upstream {
  /** `http://host:port`, no path. */
  readonly url: string
  /** Byte string. */
  readonly hostHeader: string
  /** Name that an https origin is asked for and whose certificate it shows; undefined: that of the Host header. */
  readonly sni: string | undefined
  /** Is its certificate checked? */
  readonly verifies: boolean
}

/** Addresses of the newest connection to an origin. */
export interface OriginLink {
  readonly localIp: string
  readonly remoteIp: string
  /** `none` on plain http. */
  readonly tls: string
}

/** undici takes it, but its types do not say so. */
export interface OriginRequest extends Omit<Dispatcher.DispatchOptions, 'origin'> {
  readonly servername?: string
}

/** Kept-alive connections to every origin of this process, one request at a time on each; idle ones are closed. */
export class Origins {
  readonly #limits: EdgeLimits
  readonly #links = new Map<string, OriginLink>()
  readonly #verifying: Agent
  /** For origins whose certificates are not checked; their TLS sessions are not to be used by the others. */
  #trusting: Agent | undefined

  constructor(limits: EdgeLimits) {
    this.#limits = limits
    this.#verifying = this.#agent(true)
  }

  dispatch(
    { url, sni, verifies }: Upstream,
    request: OriginRequest,
    handler: Dispatcher.DispatchHandler,
  ): void {
    if (!verifies) this.#trusting ??= this.#agent(false)
    const agent = verifies ? this.#verifying : this.#trusting!
    const options = sni === undefined ? request : { ...request, servername: sni }
    agent.dispatch({ ...options, origin: url }, handler)
  }

  link(originUrl: string): OriginLink | undefined {
    const { protocol, host } = new URL(originUrl)
    return this.#links.get(`${protocol}//${host}`)
  }

  /** Idle connections at once; busy ones are cut off. */
  async close(): Promise<void> {
    await Promise.all([this.#verifying.destroy(), this.#trusting?.destroy()])
  }

  #agent(verifies: boolean): Agent {
    const limits = this.#limits
    const connect = buildConnector({
      timeout: limits.originConnectTimeoutMs,
      ...(!verifies && { rejectUnauthorized: false }),
    })
    return new Agent({
      pipelining: 1,
      headersTimeout: limits.originHeadersTimeoutMs,
      bodyTimeout: limits.originIdleTimeoutMs,
      maxHeaderSize: limits.originHeaderBytesMax,
      connect: (options, done) => {
        connect(options, (...result) => {
          if (result[0] === null) this.#links.set(`${options.protocol}//${options.host}`, linkOf(result[1]))
          done(...result)
        })
      },
    })
  }
}

function linkOf(socket: Socket): OriginLink {
  return {
    localIp: socket.localAddress ?? '',
    remoteIp: socket.remoteAddress ?? '',
    tls: socket instanceof TLSSocket ? (socket.getProtocol() ?? 'unknown') : 'none',
  }
}
