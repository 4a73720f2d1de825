import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapSetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { HeaderLines, ReceivedContext, Span, SpanAttributes, SpanSource } from '../../../edge/index.ts'
import { spanLimits } from '../../limits.ts'
import { trustedKey } from './sampler.ts'

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const

const propagator = new W3CTraceContextPropagator()

/** Spans of the edge, made by OpenTelemetry's SDK. */
export class SdkSpans implements SpanSource {
  readonly #tracer: Tracer

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  begin(name: string, received: ReceivedContext): Span {
    const parent = parentOf(received)
    const nowMs = spanClock()
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: nowMs() }, parent)
    const context = trace.setSpan(ROOT_CONTEXT, span)
    return span.isRecording() ? new SampledSpan(this.#tracer, span, context, nowMs) : unsampled(context)
  }
}

function parentOf({ traceparent, tracestate, trusted }: ReceivedContext): Context {
  const context = trusted ? ROOT_CONTEXT.setValue(trustedKey, true) : ROOT_CONTEXT
  if (traceparent === undefined || traceparent.length > spanLimits.traceparentBytesMax) return context
  return propagator.extract(context, { traceparent, tracestate }, { keys: Object.keys, get: valueIn })
}

type Carrier = Readonly<Pick<ReceivedContext, 'traceparent' | 'tracestate'>>

function valueIn(carrier: Carrier, name: string): string | undefined {
  return carrier[name as keyof Carrier]
}

/** The time, ms since the epoch, in fractions. It runs evenly within a request, regardless of the machine's clock. */
function spanClock(): () => number {
  const startedMs = Date.now()
  const from = performance.now()
  return () => startedMs + performance.now() - from
}

class SampledSpan implements Span {
  readonly isSampled = true
  readonly #tracer: Tracer
  readonly #span: OtelSpan
  readonly #context: Context
  readonly #nowMs: () => number

  constructor(tracer: Tracer, span: OtelSpan, context: Context, nowMs: () => number) {
    this.#tracer = tracer
    this.#span = span
    this.#context = context
    this.#nowMs = nowMs
  }

  get context(): HeaderLines {
    return linesOf(this.#context)
  }

  child(name: string, kind: keyof typeof kinds): Span {
    const options = { kind: kinds[kind], startTime: this.#nowMs() }
    const span = this.#tracer.startSpan(name, options, this.#context)
    return new SampledSpan(this.#tracer, span, trace.setSpan(this.#context, span), this.#nowMs)
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes)
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    this.#span.end(this.#nowMs())
  }
}

function unsampled(context: Context): Span {
  const span: Span = {
    isSampled: false,
    get context() {
      return linesOf(context)
    },
    child: () => span,
    set() {},
    fail() {},
    end() {},
  }
  return span
}

function linesOf(context: Context): HeaderLines {
  const lines: [string, string][] = []
  propagator.inject(context, lines, toLines)
  return lines
}

const toLines: TextMapSetter<[string, string][]> = {
  // The value is empty for a `tracestate` that the client sent and that has no valid member.
  set(lines, name, value) {
    if (value !== '') lines.push([name, value])
  },
}
