import type { GeoView } from '../../rulesets/fields/request-view.ts'
import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Span } from '../measures/spans.ts'
import type { BodySource } from '../message/body-source.ts'
import type { ClientRequest } from '../message/client-request.ts'
import type { ClientChannel } from '../message/client-response.ts'
import { Answer } from './answer.ts'
import { Decisions } from './decisions.ts'
import { RequestFacts } from './facts.ts'
import { RequestState } from './request-state.ts'

/** An exchange without its response: the parts that rules read and change. */
export interface RequestParts {
  readonly facts: RequestFacts
  /** The request as expressions see it, with the rewrites so far. */
  readonly state: RequestState
  readonly decisions: Decisions
}

/** Known about a request before its rules run. */
interface Arrival {
  readonly rayId: string
  readonly plan: ZonePlan | undefined
  readonly startedMs: number
  readonly geo: (address: string) => GeoView
  /** The client counts as one with a clearance. */
  readonly cleared: boolean
}

/** One request and its response. Each step takes only the parts that it needs. */
export class Exchange implements RequestParts {
  readonly facts: RequestFacts
  readonly state: RequestState
  readonly decisions = new Decisions()
  readonly answer: Answer
  /** Undefined without distributed tracing. */
  readonly span: Span | undefined
  /** Counts as a request in flight. */
  hasSlot = false
  /** Resolves when the records are written, apart from events that wait for background work. */
  recording: Promise<void> | undefined
  /** Resolves when these events are written too. */
  lateEvents: Promise<void> | undefined

  constructor(
    request: ClientRequest,
    { rayId, plan, startedMs, geo, cleared }: Arrival,
    client: ClientChannel,
    body: BodySource | undefined,
    span?: Span,
  ) {
    this.span = span
    this.facts = new RequestFacts(rayId, request, plan, startedMs, client, body, cleared)
    const normalization = plan?.settings.urlNormalization
    this.state = new RequestState(request, {
      rayId,
      zoneName: plan?.zone.name ?? '',
      receivedMs: startedMs,
      normalization: normalization?.scope === 'none' ? undefined : normalization?.type,
      geo,
    })
    this.answer = new Answer(client)
  }

  /** The request gets no record. */
  leaveUnrecorded(): void {
    this.recording = Promise.resolve()
  }
}
