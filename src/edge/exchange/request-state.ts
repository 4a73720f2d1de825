import { randomBytes } from 'node:crypto'
import { asciiLower } from '../../kit/ascii.ts'
import type { UrlNormalization } from '../../model/zone-settings.ts'
import { normalizedPath } from '../../rulesets/fields/normalized-path.ts'
import type {
  BodyView,
  CredentialsView,
  GeoView,
  HeaderPairs,
  RequestView,
  ResponseView,
  TlsView,
} from '../../rulesets/fields/request-view.ts'
import type { ClientRequest } from '../message/client-request.ts'
import { fieldText, pathText, queryText } from './rewritten-text.ts'

/** Known about a request besides its own text. */
export interface RequestCircumstances {
  readonly rayId: string
  readonly zoneName: string
  /** Ms since the epoch. */
  readonly receivedMs: number
  /** Normalisation of the path for expressions; undefined: none. */
  readonly normalization: UrlNormalization['type'] | undefined
  /** Called at most once per request, for an expression or a record. */
  readonly geo: (address: string) => GeoView
}

export interface HeaderRewrite {
  readonly operation: 'set' | 'add' | 'remove'
  readonly name: string
  readonly value?: string
}

const emptyBody: BodyView = { raw: '', truncated: false, size: 0 }

/**
 * The request as expressions see it: as it was sent, with the rewrites of the phases so far. Costly values are computed
 * on first use, once.
 */
export class RequestState implements RequestView {
  readonly request: ClientRequest
  readonly rayId: string
  readonly zoneName: string
  readonly receivedMs: number
  readonly derived: unknown[] = []
  /** The path before any rewrite. */
  readonly normalizedPath: string
  readonly #lookUpGeo: (address: string) => GeoView
  #path: string
  #query: string
  #uri: string | undefined
  #headers: HeaderPairs
  #geo: GeoView | undefined
  #randomSeed: string | undefined
  #body: BodyView = emptyBody
  #response: ResponseView | undefined
  credentials: CredentialsView | undefined
  /** The beginning of the body was read for expressions. */
  bodyShown = false
  /** An expression asked about the response before there was one, so its value may still change. */
  askedTooEarly = false
  /** Set by rules that rewrite URLs; undefined parts stay as received. */
  #rewrittenPath: string | undefined
  #rewrittenQuery: string | undefined

  constructor(request: ClientRequest, about: RequestCircumstances) {
    this.request = request
    this.rayId = about.rayId
    this.zoneName = about.zoneName
    this.receivedMs = about.receivedMs
    this.#lookUpGeo = about.geo
    const { normalization } = about
    this.normalizedPath =
      normalization === undefined ? request.path : normalizedPath(request.path, normalization)
    this.#path = this.normalizedPath
    this.#query = request.query
    this.#uri = this.#path === request.path ? request.uri : undefined
    this.#headers = headersOf(request)
  }

  get method(): string {
    return this.request.method
  }

  get uri(): string {
    this.#uri ??= this.#query === '' ? this.#path : `${this.#path}?${this.#query}`
    return this.#uri
  }

  get path(): string {
    return this.#path
  }

  get query(): string {
    return this.#query
  }

  get rawUri(): string {
    return this.request.uri
  }

  get rawPath(): string {
    return this.request.path
  }

  get rawQuery(): string {
    return this.request.query
  }

  get host(): string {
    return this.request.host
  }

  get tls(): TlsView | undefined {
    return this.request.connection.tls
  }

  get scheme(): 'http' | 'https' {
    return this.request.scheme
  }

  get version(): string {
    return this.request.version
  }

  get headers(): HeaderPairs {
    return this.#headers
  }

  get rawHeaders(): HeaderPairs {
    return this.request.headers
  }

  get clientIp(): string {
    return this.request.clientIp
  }

  get clientPort(): number {
    return this.request.connection.clientPort
  }

  get serverIp(): string {
    return this.request.connection.serverIp
  }

  get serverPort(): number {
    return this.request.connection.serverPort
  }

  get randomSeed(): string {
    this.#randomSeed ??= randomBytes(16).toString('latin1')
    return this.#randomSeed
  }

  get geo(): GeoView {
    this.#geo ??= this.#lookUpGeo(this.request.clientIp)
    return this.#geo
  }

  get body(): BodyView {
    return this.#body
  }

  get response(): ResponseView | undefined {
    if (this.#response === undefined) this.askedTooEarly = true
    return this.#response
  }

  /**
   * Undefined parts stay as they are. Characters that a request line cannot hold are percent-encoded.
   * @param query without `?`; empty removes it
   */
  rewriteUri(path: string | undefined, query: string | undefined): void {
    if (path !== undefined) {
      this.#path = pathText(path)
      this.#rewrittenPath = this.#path
    }
    if (query !== undefined) {
      this.#query = queryText(query)
      this.#rewrittenQuery = this.#query
    }
    this.#uri = undefined
  }

  /**
   * Path and query outside of expressions: rewritten parts as rewritten, the query otherwise as received.
   * @param path holds when no rule has rewritten it
   */
  uriWith(path: string): string {
    const newPath = this.#rewrittenPath ?? path
    if (newPath === this.request.path && this.#rewrittenQuery === undefined) return this.request.uri
    const query = this.#rewrittenQuery ?? this.request.query
    return query === '' ? newPath : `${newPath}?${query}`
  }

  /** Normalises the path for a rule of the phase `http_request_sanitize`. The query stays. */
  normalizePath(): void {
    const path = normalizedPath(this.#path, 'cloudflare')
    if (path === this.#path) return
    this.#path = path
    this.#uri = undefined
  }

  /**
   * Applies changes in order: `set` leaves one line with the name, `add` adds a line, `remove` leaves none. Characters
   * that a header line cannot hold become spaces (RFC 9110 5.5).
   */
  rewriteHeaders(changes: readonly HeaderRewrite[]): void {
    let lines = this.#headers
    for (const { operation, name, value = '' } of changes) {
      const kept = operation === 'add' ? [...lines] : withoutHeader(lines, asciiLower(name))
      if (operation !== 'remove') kept.push([name, fieldText(value)])
      lines = kept
    }
    this.#headers = lines
  }

  /** @param size bytes of the whole body, as far as they are known */
  setBody(raw: string, truncated: boolean, size: number): void {
    this.#body = { raw, truncated, size }
  }

  setResponse(response: ResponseView): void {
    this.#response = response
  }

  /** Replaces the headers of the response, if there is one. */
  setResponseHeaders(headers: HeaderPairs): void {
    if (this.#response !== undefined) this.#response = { ...this.#response, headers }
  }
}

/** The host of an absolute target replaces Host (RFC 9112 3.2.2). */
function headersOf({ headers, target, uri, host }: ClientRequest): HeaderPairs {
  if (target === uri) return headers
  return headers.map(line => (asciiLower(line[0]) === 'host' ? [line[0], host] : line))
}

/** Keeps the line objects themselves, so that the client's own lines are recognised by identity. */
function withoutHeader(lines: HeaderPairs, lowerName: string): HeaderPairs[number][] {
  const kept: HeaderPairs[number][] = []
  for (const line of lines) {
    const [name] = line
    if (name.length !== lowerName.length || asciiLower(name) !== lowerName) kept.push(line)
  }
  return kept
}
