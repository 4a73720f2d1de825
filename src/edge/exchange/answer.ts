import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
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

/** The end of a response. Bytes that node still buffers are sent together with it. */
interface AnswerEnd {
  readonly response: ServerResponse
  readonly trailers: HeaderLines
}

/** The part of an exchange that describes the response. Only the senders of a response change it. */
export class Answer {
  /** 0 when no response was begun. */
  status = 0
  headers: HeaderLines = []
  headSentMs: number | undefined
  bodyBytes = 0
  origin: OriginReport | undefined
  /** Set when the response is about to end. Plain data, because a closure would outlive the request. */
  end: AnswerEnd | undefined
  /** The side that broke off before the last bytes of the response were sent. */
  brokeOff: 'client' | 'origin' | undefined
  readonly #method: string
  readonly #socket: Socket | Duplex
  readonly #bytesWrittenBefore: number

  constructor(method: string, socket: Socket | Duplex) {
    this.#method = method
    this.#socket = socket
    this.#bytesWrittenBefore = written(socket)
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
    const bytes = Math.max(0, written(this.#socket) - this.#bytesWrittenBefore)
    return this.end === undefined ? bytes : bytes + this.#bytesToCome(this.end)
  }

  /** Bytes that node still buffers, and bytes that it sends with the end. */
  #bytesToCome({ response, trailers }: AnswerEnd): number {
    const kept = Math.max(0, response.writableLength - (response.socket?.writableLength ?? 0))
    if (!response.chunkedEncoding || this.#method === 'HEAD') return kept
    return trailers.reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      kept + lastChunkBytes,
    )
  }
}

const lastChunkBytes = '0\r\n\r\n'.length

function written(socket: Socket | Duplex): number {
  return 'bytesWritten' in socket ? socket.bytesWritten : 0
}
