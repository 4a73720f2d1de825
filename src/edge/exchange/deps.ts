import type { RateCounters, RecordWriter } from '../../bus/port.ts'
import type { CidrSet } from '../../kit/cidr.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Reach } from '../../model/settings/index.ts'
import { outgoingLimits } from '../../outgoing/limits.ts'
import type { GeoView } from '../../rulesets/fields/request-view.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { explainInSlices } from '../../waf/explain/explain.ts'
import {
  backgroundLimits,
  challengeLimits,
  httpLimits,
  originLimits,
  proxiedLimits,
  recordLimits,
  ruleLimits,
} from '../limits.ts'
import type { SpanSource } from '../measures/spans.ts'
import type { AcmeChallenges } from '../tls/acme-challenges.ts'
import type { Certificates } from '../tls/certificates.ts'

export interface EdgeDeps {
  readonly plans: {
    /** The running plan for a host name (lower case, without port); undefined is answered with 404. */
    find(host: string): ZonePlan | undefined
  }
  readonly records: RecordWriter
  /** Counters of rate limiting rules and solved challenges, shared by all edges that must count together. */
  readonly rateCounters: RateCounters
  /** Undefined: no distributed tracing. */
  readonly spans?: SpanSource | undefined
  /** Receives the security records of requests, one JSON object per line. */
  readonly auditLog?: AuditLog
  readonly clock: Clock
  /** Signs challenges and clearances; the same on every edge of the installation. */
  readonly clearanceKey: string
  /** Peers whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  readonly trustedProxies: CidrSet
  /** Locates an address. Its values are looked up on first use. */
  readonly geo: (address: string) => GeoView
  readonly logger: EdgeLogger
  /** Passwords that are known to have leaked; undefined: none. Byte strings. */
  readonly leakedPasswords?: { has(password: string): Promise<boolean> } | undefined
  /** Refuses (500) or allows a request whose rules could not be evaluated completely. */
  readonly onIncomplete: 'block' | 'allow'
  /** Explains to traces why rules matched. */
  readonly explain: typeof explainInSlices
  /** Undefined: servers are not checked. */
  readonly originHealth?: OriginHealthView
  /** Networks in which origins may be; `private` by default. */
  readonly origins?: Reach
  /** Unix sockets that origins may be: their paths, or directories of them; none by default. */
  readonly originSockets?: readonly string[]
  /** Undefined: no address of the edge listens for TLS. */
  readonly tls?: {
    readonly certificates: Certificates
    /** Computes the fingerprint JA4 of every client. */
    readonly ja4: boolean
    /** A client asked for a name without a certificate. @param serverName lower case */
    readonly onUncovered?: ((serverName: string) => void) | undefined
  }
  /** Challenges of certificate authorities; undefined when no certificates come by ACME. */
  readonly challenges?: AcmeChallenges | undefined
  /** Overrides the defaults of `limits.ts`. */
  readonly limits?: Partial<EdgeLimits>
}

/** The findings of health checks. */
export interface OriginHealthView {
  /** @param healthKey of an `OriginServer`. False also for a server that was not checked yet. */
  isDown(healthKey: string): boolean
}

export interface AuditLog {
  /** `all` writes every request, with the expanded messages and data of its matches. */
  readonly mode: 'matched' | 'all'
  /** One JSON object per request, or one line in ModSecurity's format per matched rule. */
  readonly format: 'json' | 'modsecurity'
  /** @param lines the lines of one request, without a final line break */
  write(lines: string): void
}

/** The part of pino's logger that the edge uses. */
export interface EdgeLogger {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type EdgeLimits = typeof defaultLimits & EdgeShares

/** One edge's part of the installation's settings. */
export interface EdgeShares {
  /** Connections to one origin. */
  readonly originConnectionsMax: number
  /** Connections from one client address or IPv6 /64 network; trusted proxies are not counted. */
  readonly clientConnectionsMax: number
  /** Requests in flight. */
  readonly requestsMax: number
  /** Bytes of request bodies in memory. */
  readonly bodyBytesMax: number
}

const defaultLimits = {
  ...httpLimits,
  ...originLimits,
  ...proxiedLimits,
  ...outgoingLimits,
  ...ruleLimits,
  ...challengeLimits,
  ...recordLimits,
  ...backgroundLimits,
}

export const defaultEdgeLimits: EdgeLimits = {
  ...defaultLimits,
  originConnectionsMax: 1024,
  clientConnectionsMax: 1024,
  requestsMax: 1024,
  bodyBytesMax: 256 * 1024 * 1024,
}
