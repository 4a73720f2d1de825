/** Names are those of OpenTelemetry's semantic conventions, or begin with `sluice.`. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** Makes the spans of requests for distributed tracing. Nothing that it offers throws or waits. */
export interface SpanSource {
  /** Begins the span of a request, below the span of the received context. */
  begin(name: string, received: ReceivedContext): Span
}

/** The context that a request brings (W3C Trace Context), unchecked. */
export interface ReceivedContext {
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
  /** A trusted proxy sends it, whose decision about sampling counts. */
  readonly trusted: boolean
}

/** One span. A span that is not sampled only passes on its context, and is its own child. */
export interface Span {
  readonly isSampled: boolean
  /** `traceparent` and `tracestate` for the next server (W3C Trace Context). */
  readonly context: readonly (readonly [name: string, value: string])[]
  /** @param kind `client` for a request to another server */
  child(name: string, kind: 'internal' | 'client'): Span
  set(attributes: SpanAttributes): void
  /** @param type value of `error.type` */
  fail(type: string): void
  /** Now. Attributes that come later are lost. */
  end(): void
}
