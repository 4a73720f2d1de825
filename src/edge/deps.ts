import type { RateCounters, RecordWriter } from '../bus/port.ts'
import type { CidrSet } from '../kit/cidr.ts'
import type { Clock } from '../kit/clock.ts'
import { edgeLimits, httpLimits } from '../kit/limits.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import type { ZonePlan } from '../rulesets/plan.ts'
import type { PlaceView } from '../rulesets/request-view.ts'
import type { explainInSlices } from '../waf/explain/explain.ts'
import type { IncompleteReason } from './verdict.ts'

export interface EdgeDeps {
  readonly plans: {
    /** The running plan for a host name (lower case, without port); undefined is answered with 404. */
    find(host: string): ZonePlan | undefined
  }
  readonly records: RecordWriter
  /** Counts of rate limiting rules, shared by all edges that must count together. */
  readonly rateCounters: RateCounters
  /** Security records of requests, one JSON object a line. */
  readonly auditLog?: AuditLog
  readonly clock: Clock
  /** Signs challenges and clearances; the same on every edge of the installation. */
  readonly clearanceKey: string
  /** Peers whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustedProxies: CidrSet
  /** Where an address is; looked up when something is asked of it. */
  readonly place: (address: string) => PlaceView
  readonly logger: EdgeLogger
  /** What becomes of a request whose rules could not be evaluated to the end: refused with 500, or let through. */
  readonly onIncomplete: 'block' | 'allow'
  /** Tells traces why rules matched. */
  readonly explain: typeof explainInSlices
  /** Other than the defaults of `kit/limits.ts`. */
  readonly limits?: Partial<EdgeLimits>
}

export interface AuditLog {
  /** `all` writes every request, and the expanded messages and data of matches with it. */
  readonly mode: 'matched' | 'all'
  /** @param line JSON without a line break at its end */
  write(line: string): void
}

/** What pino offers and the edge uses. */
export interface EdgeLogger {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

type Numbers<T> = { readonly [K in keyof T]: number }
export type EdgeLimits = Numbers<typeof edgeLimits> & Numbers<Omit<typeof httpLimits, 'apiBodyBytesMax'>>

export const defaultEdgeLimits: EdgeLimits = { ...httpLimits, ...edgeLimits }

export interface Edge {
  /**
   * @param shared others listen on the same port: the system deals the connections out
   * @returns the port, which the system chose when `port` is 0
   */
  listen(host: string, port: number, shared?: boolean): Promise<number>
  /** Accepts nothing new, lets what is in flight end within `drainMs`, then closes every connection. */
  close(): Promise<void>
  stats(): EdgeStats
  /** What would become of a request, were it sent now: nothing is counted or written, and the origin is not asked. */
  trace(request: TraceRequest): Promise<TraceAnswer>
}

/** Counts since the start, but for `active` and `tunnels`, which are how many there are now. */
export interface EdgeStats {
  readonly active: number
  readonly tunnels: number
  readonly requests: number
  readonly blocked: number
  readonly challenged: number
  readonly challengesSolved: number
  /** Hosts that no zone claims. */
  readonly unknownHosts: number
  /** Requests that break HTTP, answered 400, 408 or 431. */
  readonly malformed: number
  /** Origins that could not be reached or broke off. */
  readonly originFailures: number
  /** Mistakes of ours; the request was refused with 500. */
  readonly internalFailures: number
  /** Requests whose rules were not evaluated to the end, and whether they were stopped, be it for that or by a rule. */
  readonly incomplete: {
    readonly [reason in IncompleteReason]: { readonly [verdict in 'block' | 'allow']: number }
  }
  readonly shadows: ShadowStats
  readonly samples: SampleStats
}

/** Requests that were drawn for what other settings of the managed ruleset would do. */
export interface SampleStats {
  readonly written: number
  readonly failures: number
  /** Left out, for want of processor time or room, or because the edge was closing. */
  readonly leftOut: number
}

/** Requests that a zone's shadow was drawn for. */
export interface ShadowStats {
  /** Evaluated, and of these those where it came to another verdict than the zone's own rules. */
  readonly runs: number
  readonly differences: number
  readonly failures: number
  /** Left out, because too many were waiting, or the edge was closing. */
  readonly leftOut: number
}

export type Counters = Writable<EdgeStats>
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

export function noCounts(): Counters {
  return {
    active: 0,
    tunnels: 0,
    requests: 0,
    blocked: 0,
    challenged: 0,
    challengesSolved: 0,
    unknownHosts: 0,
    malformed: 0,
    originFailures: 0,
    internalFailures: 0,
    incomplete: { budget: { block: 0, allow: 0 }, error: { block: 0, allow: 0 } },
    shadows: { runs: 0, differences: 0, failures: 0, leftOut: 0 },
    samples: { written: 0, failures: 0, leftOut: 0 },
  }
}
