/**
 * The facts about a request that expressions can use. The edge creates one for each request and computes its values
 * on first use. Strings are byte strings (latin-1). Values stay the same while a phase runs; rewrites take effect in
 * the phases after it.
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
  /** Undefined when the edge spoke plain HTTP with the client. */
  readonly tls: TlsView | undefined
  /** `HTTP/1.1` or `HTTP/2`. */
  readonly version: string
  /** After rewrites. */
  readonly headers: HeaderPairs
  /** As received. */
  readonly rawHeaders: HeaderPairs
  /** Text form of the client's address; empty when the connection was closed before the address was read. */
  readonly clientIp: string
  readonly clientPort: number
  /** Text form; empty when the connection was closed before the address was read. */
  readonly serverIp: string
  readonly serverPort: number
  /** When it arrived, ms since the epoch. */
  readonly receivedMs: number
  readonly rayId: string
  readonly zoneName: string
  /** 16 random bytes, constant throughout the request. */
  readonly randomSeed: string
  readonly geo: GeoView
  readonly body: BodyView
  /** Undefined until a phase begins that asks about them. */
  readonly credentials?: CredentialsView | undefined
  /** Undefined before there is a response. */
  readonly response: ResponseView | undefined
  /**
   * An empty array of this view, in which fields cache derived values (a map beside the requests costs more than most
   * fields). Without it, values are derived each time.
   */
  readonly derived?: unknown[]
}

/** The TLS of the client's connection. */
export interface TlsView {
  /** `TLSv1.3`. */
  readonly protocol: string
  /** OpenSSL's name of the cipher. */
  readonly cipher: string
  /** The 32 random bytes of the ClientHello, in base64. */
  readonly clientRandom: string
  /** Bytes of the ClientHello with its record heads. */
  readonly helloBytes: number
  /** The fingerprint JA4; undefined when it is not computed. */
  readonly ja4: string | undefined
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** Location of the client's address. Unknown texts are empty, unknown numbers 0. */
export interface GeoView {
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

/** The part of the body that was read for expressions; empty when no expression uses the body. */
export interface BodyView {
  /** Without its content codings. */
  readonly raw: string
  /** The body was longer than the part that was read. */
  readonly truncated: boolean
  /** Bytes of the whole body, as far as known. */
  readonly size: number
}

/** Of a sign-in. Byte strings. */
export interface Credentials {
  /** Empty when only the password was found. */
  readonly username: string
  /** Empty when only the user name was found. */
  readonly password: string
}

export interface CredentialsView {
  /** The request has credentials where the zone looks for them. */
  readonly detected: boolean
  /** Their password is in the list of the installation. */
  readonly passwordLeaked: boolean
  /** By password: of the zone's locations, and of rules with a separate check. */
  readonly leaked: ReadonlyMap<string, boolean>
}

export interface ResponseView {
  readonly status: number
  /** As they go to the client, after rewrites. */
  readonly headers: HeaderPairs
  /** As the origin sent them. */
  readonly rawHeaders: HeaderPairs
  /** Why the edge generated the response, such as `waf` or `ratelimit`; empty for an origin's response. */
  readonly errorType: string
  /** The number of Cloudflare's error page for it, from 1000; 0 for an origin's response, and without a number. */
  readonly errorCode: number
  readonly edgeMs: number
  readonly originFirstByteMs: number
}
