import {
  type Attributes,
  type Context,
  createContextKey,
  type Link,
  type SpanKind,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import {
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Clock } from '../../../kit/clock.ts'
import { spanLimits } from '../../limits.ts'
import type { Sampling } from './environment.ts'

/** Set in the context of a request from a trusted proxy. */
export const trustedKey = createContextKey('from a trusted proxy')

/**
 * The sampler of the settings, which clients cannot steer at will. Any client may send `traceparent` with the flag for sampled,
 * or with an id that a ratio of ids selects. So a client's own draw is at random, and its flag counts for a limited number
 * of requests in each second. Trusted proxies are believed.
 */
export class EdgeSampler implements Sampler {
  readonly #parentBased: boolean
  /** Without a parent. */
  readonly #root: Sampler
  readonly #believing: Sampler
  readonly #clock: Clock
  readonly #ids = new RandomIdGenerator()
  #second = 0
  #askedThisSecond = 0

  constructor({ share, parentBased }: Sampling, clock: Clock) {
    this.#parentBased = parentBased
    this.#root = new TraceIdRatioBasedSampler(share)
    this.#believing = parentBased ? new ParentBasedSampler({ root: this.#root }) : this.#root
    this.#clock = clock
  }

  shouldSample(
    context: Context,
    traceId: string,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const parent = trace.getSpanContext(context)
    const isSampled = parent !== undefined && (parent.traceFlags & TraceFlags.SAMPLED) !== 0
    // A span of the same request.
    if (parent !== undefined && parent.isRemote !== true) return isSampled ? sampled : notSampled
    if (parent === undefined || context.getValue(trustedKey) === true)
      return this.#believing.shouldSample(context, traceId, name, kind, attributes, links)
    if (this.#parentBased && !isSampled) return notSampled
    const own = this.#root.shouldSample(context, this.#ids.generateTraceId(), name, kind, attributes, links)
    if (own.decision !== SamplingDecision.NOT_RECORD) return own
    return this.#parentBased && this.#mayAsk() ? sampled : notSampled
  }

  toString(): string {
    return 'EdgeSampler'
  }

  #mayAsk(): boolean {
    const second = Math.floor(this.#clock.nowMs() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#askedThisSecond = 0
    }
    return this.#askedThisSecond++ < spanLimits.askedByClientsMax
  }
}

const sampled: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED }
const notSampled: SamplingResult = { decision: SamplingDecision.NOT_RECORD }
