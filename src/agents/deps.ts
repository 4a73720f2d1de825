import type { Server } from 'node:net'
import type { ProxiedExchange, ProxiedRequest } from '../edge/index.ts'
import type { CidrSet } from '../kit/cidr.ts'
import type { agentLimits } from './limits.ts'

export interface AgentDeps {
  /** As `Edge.inspect`. */
  inspect(request: ProxiedRequest): ProxiedExchange
  /** As `Edge.waiting`. */
  waiting(rayId: string): ProxiedExchange | undefined
  /** The proxies that may ask. */
  readonly trustedProxies: CidrSet
  readonly logger: AgentLogger
  /** Overrides the limits of `limits.ts`. */
  readonly limits?: Partial<AgentLimits>
}

/** The part of pino's logger that agents use. */
export interface AgentLogger {
  warn(fields: object, message: string): void
}

export type AgentLimits = typeof agentLimits

/** Counts since the start. */
export interface AgentCounts {
  /** Responses that passed without their rules, because no worker answered their report in time. */
  responsesPassed: number
}

/** The dependencies of a protocol. */
export interface ReadyDeps extends AgentDeps {
  readonly limits: AgentLimits
  readonly counts: AgentCounts
  /** Whether a peer may ask. Logs refused peers. */
  admits(address: string | undefined): boolean
}

/** A protocol: takes connections from trusted proxies. */
export interface Agent {
  readonly server: Server
  /** The server accepts no more connections. Ends open ones once their requests have answers. */
  drain(): void
  /** As `drain`, but a request in transit on an open connection still gets its answer. */
  retire(): void
}
