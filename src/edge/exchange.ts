import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ZonePlan } from '../rulesets/plan.ts'
import type { BodySource } from './body-source.ts'
import type { ClientRequest } from './client-request.ts'
import type { HeaderLines } from './headers.ts'
import { Ledger } from './ledger.ts'
import type { OriginLink } from './origins.ts'

/** What is known about the origin's part in one request. */
export interface OriginReport {
  readonly startedMs: number
  headMs: number | undefined
  endedMs: number | undefined
  /** 0 until it answers. */
  status: number
  headers: HeaderLines
  bodyBytes: number
  link: OriginLink | undefined
}

/** One request on its way through the edge; filled as it goes on, read when it has ended. */
export class Exchange {
  readonly rayId: string
  readonly request: ClientRequest
  readonly plan: ZonePlan | undefined
  readonly startedMs: number
  readonly ledger = new Ledger()
  /** Undefined for upgrades, and when the request could not be parsed. */
  readonly body: BodySource | undefined
  readonly #socket: Socket | Duplex
  readonly #bytesWrittenBefore: number
  /** Of the answer; 0 when none was begun. */
  status = 0
  responseHeaders: HeaderLines = []
  headSentMs: number | undefined
  responseBodyBytes = 0
  origin: OriginReport | undefined

  constructor(
    request: ClientRequest,
    known: { readonly rayId: string; readonly plan: ZonePlan | undefined; readonly startedMs: number },
    socket: Socket | Duplex,
    body: BodySource | undefined,
  ) {
    this.request = request
    this.rayId = known.rayId
    this.plan = known.plan
    this.startedMs = known.startedMs
    this.body = body
    this.#socket = socket
    this.#bytesWrittenBefore = written(socket)
  }

  /** The head of the answer goes out. */
  answered(status: number, headers: HeaderLines, nowMs: number): void {
    this.status = status
    this.responseHeaders = headers
    this.headSentMs = nowMs
  }

  get responseBytes(): number {
    return Math.max(0, written(this.#socket) - this.#bytesWrittenBefore)
  }

  /** Request line, header lines and the body as far as it was read. */
  get requestBytes(): number {
    const { method, target, version, headers } = this.request
    let bytes = method.length + target.length + version.length + 6
    for (const [name, value] of headers) bytes += name.length + value.length + 4
    return bytes + (this.body?.bytesReceived ?? 0)
  }
}

function written(socket: Socket | Duplex): number {
  return 'bytesWritten' in socket ? socket.bytesWritten : 0
}
