/**
 * What expressions can ask about a request. The edge makes one a request; nothing is computed before it is asked.
 * Strings are byte strings (latin-1). Values stay the same while a phase runs; rewrites show in the phases after it.
 */
export interface RequestView {
  readonly method: string
  /** Path and query, after rewrites. */
  readonly uri: string
  readonly path: string
  /** After the first `?`; empty when there is none. */
  readonly query: string
  /** As received. */
  readonly rawUri: string
  readonly rawPath: string
  readonly rawQuery: string
  /** The Host header as sent. */
  readonly host: string
  readonly scheme: 'http' | 'https'
  /** `HTTP/1.1`. */
  readonly version: string
  /** After rewrites. */
  readonly headers: HeaderPairs
  /** As received. */
  readonly rawHeaders: HeaderPairs
  /** Text form of the client's address; empty when the connection was gone before it was asked. */
  readonly clientIp: string
  readonly clientPort: number
  /** Text form; empty when the connection was gone before it was asked. */
  readonly serverIp: string
  readonly serverPort: number
  /** When it arrived, ms since the epoch. */
  readonly receivedMs: number
  readonly rayId: string
  readonly zoneName: string
  /** 16 random bytes, the same each time it is asked. */
  readonly randomSeed: string
  readonly place: PlaceView
  readonly body: BodyView
  /** Undefined before there is an answer. */
  readonly response: ResponseView | undefined
  /**
   * An empty array of the view's own, in which fields keep what they have worked out of it (a map beside the requests
   * costs more than most fields). Without one they work it out each time.
   */
  readonly derived?: unknown[]
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** Where the client's address is. Texts are empty and numbers 0 when it is not known. */
export interface PlaceView {
  /** ISO 3166 code, upper case. */
  readonly country: string
  readonly asnum: number
  readonly city: string
  readonly region: string
  /** Without the country: `TX` of `US-TX`. */
  readonly regionCode: string
  readonly subdivision2Code: string
  readonly postalCode: string
  readonly metroCode: string
  /** Decimal degrees. */
  readonly latitude: string
  readonly longitude: string
  /** IANA name, such as `Europe/Berlin`. */
  readonly timezone: string
}

/** The part of the body that was read for expressions; empty when none asks about it. */
export interface BodyView {
  readonly raw: string
  /** The body was longer than what was read. */
  readonly truncated: boolean
  /** Bytes of the whole body as far as it is known. */
  readonly size: number
}

export interface ResponseView {
  readonly status: number
  /** As they go to the client, after rewrites. */
  readonly headers: HeaderPairs
  /** As the origin sent them. */
  readonly rawHeaders: HeaderPairs
  /** Why the edge made the answer itself, such as `waf` or `ratelimit`; empty for an origin's answer. */
  readonly errorType: string
  readonly edgeMs: number
  readonly originFirstByteMs: number
}
