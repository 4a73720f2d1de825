import type { Connection } from './client-address.ts'
import { firstHeader, type HeaderLines } from './headers.ts'

/** The parts of a request line and its connection, as byte strings. */
export interface RequestHead {
  readonly method: string
  readonly target: string
  /** `HTTP/1.1`. */
  readonly protocol: string
  readonly headers: HeaderLines
}

/** One request as it was sent. Immutable: the `RequestState` over it holds the rewrites. */
export class ClientRequest {
  readonly method: string
  /** The request target as sent. */
  readonly target: string
  readonly uri: string
  readonly path: string
  readonly query: string
  readonly host: string
  readonly scheme: 'http' | 'https'
  readonly version: string
  readonly headers: HeaderLines
  readonly clientIp: string
  readonly connection: Connection

  constructor(head: RequestHead, connection: Connection) {
    const { authority, uri } = splitTarget(head.target)
    const questionMark = uri.indexOf('?')
    this.method = head.method
    this.target = head.target
    this.uri = uri
    this.path = questionMark < 0 ? uri : uri.slice(0, questionMark)
    this.query = questionMark < 0 ? '' : uri.slice(questionMark + 1)
    // RFC 9112 3.2.2: the authority of an absolute target takes the place of Host.
    this.host = authority ?? firstHeader(head.headers, 'host') ?? ''
    this.scheme = connection.address.scheme
    this.version = head.protocol
    this.headers = head.headers
    this.clientIp = connection.address.clientIp
    this.connection = connection
  }

  header(lowerName: string): string | undefined {
    return firstHeader(this.headers, lowerName)
  }
}

/** Origin form, absolute form or `*` (RFC 9112 3.2). */
function splitTarget(target: string): { readonly authority: string | undefined; readonly uri: string } {
  if (target.startsWith('/')) return { authority: undefined, uri: target }
  const match = /^https?:\/\/([^/?#]*)/i.exec(target)
  if (match === null) return { authority: undefined, uri: target }
  const rest = target.slice(match[0].length)
  return { authority: match[1]!, uri: rest.startsWith('/') ? rest : `/${rest}` }
}
