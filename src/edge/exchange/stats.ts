import { type HandshakeFailure, handshakeFailures } from '../tls/handshake-failures.ts'
import type { IncompleteReason } from './verdict.ts'

/** A limit of the edge that refused a request. */
export type Overload =
  | 'client_connections'
  | 'origin_connections'
  | 'body_memory'
  | 'client_body_memory'
  | 'record_log'
  | 'requests_in_flight'
  | 'client_requests'

/** Counts since the start; `active` and `tunnels` are current numbers. */
export interface EdgeStats {
  readonly active: number
  readonly tunnels: number
  readonly requests: number
  readonly blocked: number
  readonly challenged: number
  readonly challengesSolved: number
  /** Requests for a host that belongs to no zone. */
  readonly unknownHosts: number
  /** Malformed requests, answered with 400, 408 or 431. */
  readonly malformed: number
  /** Requests whose origin was unreachable or failed before its response was complete. */
  readonly originFailures: number
  /** Requests refused because a limit was reached, by limit. */
  readonly overloads: { readonly [limit in Overload]: number }
  /** TLS handshakes that failed, by reason. */
  readonly handshakeFailures: { readonly [reason in HandshakeFailure]: number }
  /** Requests that had passed this edge before. */
  readonly loops: number
  /** Internal errors; each refused its request with 500. */
  readonly internalFailures: number
  /** Requests whose rules were not evaluated completely, and whether they were blocked for that or by a rule. */
  readonly incomplete: {
    readonly [reason in IncompleteReason]: { readonly [verdict in 'block' | 'allow']: number }
  }
  readonly shadows: ShadowStats
  readonly samples: SampleStats
}

/** Requests sampled for the What if page. */
export interface SampleStats {
  readonly written: number
  readonly failures: number
  /** Samples dropped because processor time or memory was short, or because the edge was closing. */
  readonly leftOut: number
}

/** Requests selected for their zone's shadow. */
export interface ShadowStats {
  /** Evaluations, and those whose verdict differs from the zone's own rules. */
  readonly runs: number
  readonly differences: number
  readonly failures: number
  /** Requests dropped because too many were waiting, or because the edge was closing. */
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
    overloads: {
      client_connections: 0,
      origin_connections: 0,
      body_memory: 0,
      client_body_memory: 0,
      client_requests: 0,
      record_log: 0,
      requests_in_flight: 0,
    },
    handshakeFailures: Object.fromEntries(
      handshakeFailures.map(reason => [reason, 0]),
    ) as Counters['handshakeFailures'],
    loops: 0,
    internalFailures: 0,
    incomplete: { budget: { block: 0, allow: 0 }, error: { block: 0, allow: 0 } },
    shadows: { runs: 0, differences: 0, failures: 0, leftOut: 0 },
    samples: { written: 0, failures: 0, leftOut: 0 },
  }
}
