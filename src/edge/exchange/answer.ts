import type { OriginTls } from '../../model/origin-tls.ts'
import type { ClientChannel } from '../message/client-response.ts'
import type { HeaderLines } from '../message/headers.ts'

/** Destination of one request. */
export interface Upstream {
  /** `http://host:port`, no path. */
  readonly url: string
  /** Byte string. */
  readonly hostHeader: string
  /** TLS server name for an https origin, and the name in its certificate; undefined: the name in the Host header. */
  readonly sni: string | undefined
  /** The certificate of the origin is checked. */
  readonly verifies: boolean
  /** Undefined: no client certificate, and the authorities of the system. */
  readonly tls: OriginTls | undefined
}

/** Addresses of the newest connection to an origin. */
export interface OriginLink {
  readonly localIp: string
  readonly remoteIp: string
  /** `none` on plain http. */
  readonly tls: string
}

/** The origin's part in one request. */
export interface OriginReport {
  readonly upstream: Upstream
  readonly startedMs: number
  headMs: number | undefined
  endedMs: number | undefined
  /** 0 until it answers. */
  status: number
  headers: HeaderLines
  bodyBytes: number
  link: OriginLink | undefined
}

/** The part of an exchange that describes the response. Only the senders of a response change it. */
export class Answer {
  /** 0 when no response was begun. */
  status = 0
  headers: HeaderLines = []
  headSentMs: number | undefined
  bodyBytes = 0
  /** Bytes of the body before the edge compressed it, divided by the bytes that were sent; 0: it did not. */
  compressionRatio = 0
  origin: OriginReport | undefined
  /** The side that broke off before the last bytes of the response were sent. */
  brokeOff: 'client' | 'origin' | undefined
  /** Another proxy serves the request, and did not report the response. */
  unseen = false
  readonly #client: ClientChannel

  constructor(client: ClientChannel) {
    this.#client = client
  }

  /** The head of the response goes out. */
  begin(status: number, headers: HeaderLines, nowMs: number): void {
    this.status = status
    this.headers = headers
    this.headSentMs = nowMs
  }

  /** 0 when the origin has not answered. */
  get originFirstByteMs(): number {
    return this.origin?.headMs === undefined ? 0 : this.origin.headMs - this.origin.startedMs
  }

  /** Bytes of the response on the connection, including the bytes that are sent together with its end. */
  get bytes(): number {
    return this.#client.responseBytes
  }
}
