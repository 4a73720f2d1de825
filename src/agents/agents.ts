import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalIp } from '../kit/cidr.ts'
import type { Agent, AgentCounts, AgentDeps, ReadyDeps } from './deps.ts'
import { createHttpAgent } from './http/server.ts'
import { agentLimits } from './limits.ts'
import { createSpoeAgent } from './spoe/server.ts'

/** The protocol of an address. */
export type AgentKind = 'http' | 'spoe' | 'grpc'

/** A bound socket, or an address. @param reusePort several threads listen on the same port */
export type AgentAddress =
  | { readonly fd: number }
  | { readonly host: string; readonly port: number; readonly reusePort?: boolean }

export interface Agents {
  readonly counts: Readonly<AgentCounts>
  /** @returns the port */
  listen(kind: AgentKind, address: AgentAddress): Promise<number>
  /** Leaves new connections to another process. Resolves when the open ones have ended, or after `agentRetireMs`. */
  retire(): Promise<void>
  /** Answers the requests in progress, then closes every connection. */
  close(): Promise<void>
}

/** Evaluates requests for other proxies. Nothing happens before `listen`. */
export function createAgents(given: AgentDeps): Agents {
  const known = { ...given, limits: { ...agentLimits, ...given.limits } }
  const counts: AgentCounts = { responsesPassed: 0 }
  const deps: ReadyDeps = { ...known, counts, admits: admission(known) }
  const agents: Agent[] = []
  const makers = {
    http: async () => createHttpAgent(deps),
    spoe: async () => createSpoeAgent(deps),
    // gRPC is loaded when it is used, because it is large.
    grpc: async () => (await import('./envoy/server.ts')).createGrpcAgent(deps),
  }
  return {
    counts,
    async listen(kind, address) {
      const agent = await makers[kind]()
      agents.push(agent)
      return listening(agent.server, address)
    },
    async retire() {
      const ended = agents.map(({ server, retire }) => {
        // The method of an HTTP server also closes idle connections, whose next request may be in transit.
        const closed = new Promise(resolve => Server.prototype.close.call(server, resolve))
        retire()
        return closed
      })
      await Promise.race([Promise.all(ended), sleep(deps.limits.agentRetireMs, undefined, { ref: false })])
    },
    async close() {
      await Promise.all(
        agents.map(({ server, drain }) => {
          const closed = new Promise(resolve => server.close(resolve))
          drain()
          return closed
        }),
      )
    },
  }
}

function listening(server: Server, address: AgentAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...address }, () => {
      server.off('error', reject)
      resolve((server.address() as { readonly port: number }).port)
    })
  })
}

/** @returns whether a peer may ask. A refused peer is logged, but not each time */
function admission({
  trustedProxies,
  logger,
  limits,
}: Pick<ReadyDeps, 'trustedProxies' | 'logger' | 'limits'>): ReadyDeps['admits'] {
  let toldMs = Number.NEGATIVE_INFINITY
  return address => {
    const peer = canonicalIp(address ?? '') ?? ''
    if (trustedProxies.has(peer)) return true
    const nowMs = performance.now()
    if (nowMs - toldMs >= limits.refusedProxiesToldMs) {
      toldMs = nowMs
      logger.warn({ peer }, 'a proxy outside of SLUICE_TRUSTED_PROXIES asked for a verdict and was refused')
    }
    return false
  }
}
