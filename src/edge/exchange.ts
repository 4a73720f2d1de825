import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { PlanRule, ZonePlan } from '../rulesets/plan.ts'
import type { PlaceView } from '../rulesets/request-view.ts'
import type { BodySource } from './body-source.ts'
import type { ClientRequest } from './client-request.ts'
import type { HeaderLines } from './headers.ts'
import type { KeptRequest } from './kept-request.ts'
import { Ledger } from './ledger.ts'
import type { OriginLink, Upstream } from './origins.ts'
import { Skips } from './phases/skips.ts'
import type { PendingCount } from './rate-limit.ts'
import { RequestState } from './request-state.ts'
import type { SampleRun } from './sample.ts'
import type { ShadowRun } from './shadow.ts'

/** What is known about the origin's part in one request. */
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

/** Undefined settings are the zone's own. */
export interface RequestSettings {
  /** The rule that wants clients without a clearance to be challenged. */
  underAttack?: PlanRule | undefined
  verifiesOrigin?: boolean
  hostHeader?: string
  sni?: string
  host?: string
  port?: number
}

/** One request on its way through the edge; filled as it goes on, read when it has ended. */
export class Exchange {
  readonly rayId: string
  readonly request: ClientRequest
  readonly plan: ZonePlan | undefined
  readonly startedMs: number
  readonly ledger = new Ledger()
  /** What rules rewrite, and what expressions see. */
  readonly state: RequestState
  /** What skip rules that matched have left out. */
  readonly skips = new Skips()
  /** What rules of `http_config_settings` and `http_request_origin` have set. */
  readonly settings: RequestSettings = {}
  /** Undefined parts go to the origin as received: normalisation shows to expressions alone. */
  rewrittenPath: string | undefined
  rewrittenQuery: string | undefined
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
  /** The beginning of the body was read for expressions. */
  bodyShown = false
  /** Rate limits that count this request later. */
  pendingCounts: PendingCount[] | undefined
  /** When the rate limit that the client is beyond ends. */
  limitedUntilMs = 0
  /** The head of an answer was shown to the rules that count answers. */
  responseCounted = false
  /** Kept to be evaluated once more when it has ended. */
  kept: KeptRequest | undefined
  /** Tells what other settings of the managed ruleset would do. */
  sample: SampleRun | undefined
  /** The zone's shadow looks at this request. */
  shadow: ShadowRun | undefined
  /** Rules for the head of the answer failed: the page that says so goes out without them. */
  headRulesFailed = false
  /** The client counts as one with a clearance, whatever it sends: traces may ask for that. */
  cleared = false

  constructor(
    request: ClientRequest,
    known: {
      readonly rayId: string
      readonly plan: ZonePlan | undefined
      readonly startedMs: number
      readonly place: (address: string) => PlaceView
    },
    socket: Socket | Duplex,
    body: BodySource | undefined,
  ) {
    this.request = request
    this.rayId = known.rayId
    this.plan = known.plan
    this.startedMs = known.startedMs
    this.body = body
    this.state = new RequestState(request, {
      rayId: known.rayId,
      zoneName: known.plan?.zone.name ?? '',
      receivedMs: known.startedMs,
      place: known.place,
    })
    this.#socket = socket
    this.#bytesWrittenBefore = written(socket)
  }

  /** Path and query as the origin gets them. */
  get uriForOrigin(): string {
    if (this.rewrittenPath === undefined && this.rewrittenQuery === undefined) return this.request.uri
    const path = this.rewrittenPath ?? this.request.path
    const query = this.rewrittenQuery ?? this.request.query
    return query === '' ? path : `${path}?${query}`
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
