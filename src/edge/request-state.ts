import { randomBytes } from 'node:crypto'
import { asciiLower } from '../kit/ascii.ts'
import type { BodyView, HeaderPairs, PlaceView, RequestView, ResponseView } from '../rulesets/request-view.ts'
import type { ClientRequest } from './client-request.ts'
import { normalizedPath } from './normalized-path.ts'
import { fieldText, pathText, queryText } from './rewritten-text.ts'

/** What is known about a request besides itself. */
export interface RequestCircumstances {
  readonly rayId: string
  readonly zoneName: string
  /** Ms since the epoch. */
  readonly receivedMs: number
  /** Asked at most once a request, and only when an expression or a record asks. */
  readonly place: (address: string) => PlaceView
}

export interface HeaderRewrite {
  readonly operation: 'set' | 'add' | 'remove'
  readonly name: string
  readonly value?: string
}

const noBody: BodyView = { raw: '', truncated: false, size: 0 }

/**
 * A request on its way through the phases: as it was sent, with what rules have rewritten so far. What costs something
 * is worked out when it is first asked for, once.
 */
export class RequestState implements RequestView {
  readonly request: ClientRequest
  readonly rayId: string
  readonly zoneName: string
  readonly receivedMs: number
  readonly derived: unknown[] = []
  readonly #lookUpPlace: (address: string) => PlaceView
  #path: string
  #query: string
  #uri: string | undefined
  #headers: HeaderPairs
  #place: PlaceView | undefined
  #randomSeed: string | undefined
  #body: BodyView = noBody
  #response: ResponseView | undefined
  /** An expression has asked about the answer before there was one: then its value may be another. */
  askedTooEarly = false

  constructor(request: ClientRequest, about: RequestCircumstances) {
    this.request = request
    this.rayId = about.rayId
    this.zoneName = about.zoneName
    this.receivedMs = about.receivedMs
    this.#lookUpPlace = about.place
    this.#path = request.path
    this.#query = request.query
    this.#uri = request.uri
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

  get place(): PlaceView {
    this.#place ??= this.#lookUpPlace(this.request.clientIp)
    return this.#place
  }

  get body(): BodyView {
    return this.#body
  }

  get response(): ResponseView | undefined {
    if (this.#response === undefined) this.askedTooEarly = true
    return this.#response
  }

  /**
   * Undefined parts stay as they are. What cannot stand in a request line is percent-encoded.
   * @param query without `?`; empty removes it
   */
  rewriteUri(path: string | undefined, query: string | undefined): void {
    if (path !== undefined) this.#path = pathText(path)
    if (query !== undefined) this.#query = queryText(query)
    this.#uri = undefined
  }

  /** The path as RFC 3986 normalises it; see `normalizedPath`. The query stays. */
  normalizePath(): void {
    const path = normalizedPath(this.#path)
    if (path === this.#path) return
    this.#path = path
    this.#uri = undefined
  }

  /**
   * In order: `set` leaves one line with the name, `add` one more than there were, `remove` none. What cannot stand in
   * a header line becomes a space (RFC 9110 5.5).
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

  /** @param size bytes of the whole body as far as it is known */
  setBody(raw: string, truncated: boolean, size: number): void {
    this.#body = { raw, truncated, size }
  }

  setResponse(response: ResponseView): void {
    this.#response = response
  }

  /** Rewritten headers of the answer, which must be there. */
  setResponseHeaders(headers: HeaderPairs): void {
    if (this.#response !== undefined) this.#response = { ...this.#response, headers }
  }
}

/** An absolute target says itself which host is meant, whatever Host says (RFC 9112 3.2.2). */
function headersOf({ headers, target, uri, host }: ClientRequest): HeaderPairs {
  if (target === uri) return headers
  return headers.map(line => (asciiLower(line[0]) === 'host' ? [line[0], host] : line))
}

/** The lines themselves: those that the client sent can be told from others. */
function withoutHeader(lines: HeaderPairs, lowerName: string): HeaderPairs[number][] {
  const kept: HeaderPairs[number][] = []
  for (const line of lines) {
    const [name] = line
    if (name.length !== lowerName.length || asciiLower(name) !== lowerName) kept.push(line)
  }
  return kept
}
