/** The challenges that edges answer (RFC 8555 8.3, RFC 8737). */
export type AcmeChallengeKind = 'http-01' | 'tls-alpn-01'

/** A name for which a certificate authority is about to ask an edge. */
export type AcmeChallenge =
  | {
      readonly kind: 'http-01'
      /** A host name in lower case. */
      readonly name: string
      readonly token: string
      readonly keyAuthorization: string
    }
  | {
      readonly kind: 'tls-alpn-01'
      readonly name: string
      /** In PEM; it proves control of the name and is for nothing else. */
      readonly certificate: string
      readonly key: string
    }

/** A name that a client asked for, and the state of its certificate by ACME. */
export interface AcmeName {
  /** A host name in lower case. */
  readonly name: string
  readonly zoneId: string
  /** Attempts that failed since the last certificate. */
  readonly failures: number
  /** The failing step of the last attempt, in words. */
  readonly problem: string | undefined
  /** The next attempt, ms since the epoch. */
  readonly nextMs: number
}
