import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { EdgeLimits } from './deps.ts'

/** Addresses of the newest connection to an origin. */
export interface OriginLink {
  readonly localIp: string
  readonly remoteIp: string
  /** `none` on plain http. */
  readonly tls: string
}

/** Kept-alive connections to every origin of this process, one request at a time on each. */
export class Origins {
  readonly #agent: Agent
  readonly #links = new Map<string, OriginLink>()

  constructor(limits: EdgeLimits) {
    const connect = buildConnector({ timeout: limits.originConnectTimeoutMs })
    this.#agent = new Agent({
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

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#agent.dispatch(options, handler)
  }

  link(originUrl: string): OriginLink | undefined {
    const { protocol, host } = new URL(originUrl)
    return this.#links.get(`${protocol}//${host}`)
  }

  /** Idle connections at once; busy ones are cut off. */
  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

function linkOf(socket: Socket): OriginLink {
  return {
    localIp: socket.localAddress ?? '',
    remoteIp: socket.remoteAddress ?? '',
    tls: socket instanceof TLSSocket ? (socket.getProtocol() ?? 'unknown') : 'none',
  }
}
