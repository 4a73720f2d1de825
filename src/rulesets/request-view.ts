/** What expressions can ask about a request. The edge makes one a request; nothing is computed before it is asked. */
export interface RequestView {
  /** Byte strings (latin-1), as sent, unless a line says otherwise. */
  readonly method: string
  /** Path and query. */
  readonly uri: string
  readonly path: string
  /** After the first `?`; empty when there is none. */
  readonly query: string
  /** The Host header as sent. */
  readonly host: string
  readonly scheme: 'http' | 'https'
  /** `HTTP/1.1`. */
  readonly version: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Text form of the client's address. */
  readonly clientIp: string
  /** ISO 3166 code, upper case; empty when unknown. */
  readonly country: string
  /** Seconds since the epoch. */
  readonly timestampSec: number
}
