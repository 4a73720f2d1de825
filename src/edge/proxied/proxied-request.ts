import type { BodyInput } from '../message/body-source.ts'
import type { RequestHead } from '../message/client-request.ts'
import type { HeaderLines } from '../message/headers.ts'

/** A request that another proxy serves, as that proxy describes it. */
export interface ProxiedRequest {
  readonly head: RequestHead
  /** The proxy's own peer: its client, or a trusted proxy in front of it. */
  readonly peerIp: string
  readonly peerPort: number
  /** The address that the client reached; empty when it is not known. */
  readonly serverIp: string
  readonly serverPort: number
  /** As the client speaks to the proxy. */
  readonly scheme: 'http' | 'https'
  readonly tls: ProxiedTls | undefined
  /** Undefined when the request has no body, or when the proxy does not show it. */
  readonly body: BodyInput | undefined
  /** The request may have a body, which the proxy does not show. */
  readonly bodyUnseen: boolean
  /** The proxy will report the response of the origin; see `ProxiedExchange.answered`. */
  readonly reportsAnswer: boolean
}

/** The TLS of the client's connection to the proxy. */
export interface ProxiedTls {
  /** `TLSv1.3`. */
  readonly protocol: string
  /** OpenSSL's name. */
  readonly cipher: string
}

/** The evaluation of one request. Each has one record. */
export interface ProxiedExchange {
  readonly rayId: string
  /** The decision about the request. Never rejects. A decision to answer or to drop is recorded by then. */
  readonly verdict: Promise<ProxiedVerdict>
  /**
   * The origin has answered. Call it once, after a verdict to pass.
   * @returns the decision about the response, which is recorded. Never rejects
   */
  answered(status: number, headers: HeaderLines): Promise<AnswerVerdict>
  /**
   * No response will be reported. Does nothing when one was.
   * @param clientLeft the client gave up; otherwise the response stays unknown
   */
  abandon(clientLeft: boolean): void
}

export interface VerdictFacts {
  readonly rayId: string
  /** As in `SecurityAction` of the record; empty when no rule acted. */
  readonly action: string
  readonly ruleId: string
  /** The score that the record shows. */
  readonly score: number
}

export type ProxiedVerdict = VerdictFacts & (PassVerdict | PageVerdict | DropVerdict)

/** The decision about a response. Its changes concern headers for the client. */
export type AnswerVerdict = VerdictFacts &
  ({ readonly kind: 'pass'; readonly headers: HeaderEdits } | PageVerdict | DropVerdict)

/** The proxy forwards the request. */
interface PassVerdict {
  readonly kind: 'pass'
  readonly headers: HeaderEdits
  /** Path and query, when rules changed them. */
  readonly uri: string | undefined
}

/** The proxy answers with this page. */
export interface PageVerdict {
  readonly kind: 'page'
  readonly status: number
  readonly headers: HeaderLines
  readonly body: Buffer
}

/** The proxy closes the client's connection without a response. */
interface DropVerdict {
  readonly kind: 'drop'
}

/** Changes of headers. */
export interface HeaderEdits {
  /** Each replaces all lines of its name. */
  readonly set: readonly (readonly [name: string, values: readonly string[]])[]
  /** In lower case. */
  readonly remove: readonly string[]
}
