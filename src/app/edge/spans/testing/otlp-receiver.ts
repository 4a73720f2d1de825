import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import protobuf from 'protobufjs'

/** The part of `opentelemetry/proto/collector/trace/v1/trace_service.proto` that the tests read. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message Status { int32 code = 3; }
  message Response { PartialSuccess partial_success = 1; }
  message PartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; int64 int_value = 3; double double_value = 4; }
  }
`)
const request = root.lookupType('Request')
const answered = root.lookupType('Response')

export interface ReceivedSpan {
  readonly name: string
  /** As in the protocol: 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  /** Empty for a root. */
  readonly parentSpanId: string
  readonly traceState: string
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed: boolean
  readonly resource: Readonly<Record<string, string | number>>
}

interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, string | number>>
}

interface Decoded {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] }
    readonly scopeSpans: readonly { readonly spans: readonly Record<string, unknown>[] }[]
  }[]
}

/** A receiver of OTLP by http/protobuf, which keeps what it gets. */
export async function startOtlpReceiver(t: TestContext): Promise<{
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Paths and headers of the requests. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[]
  /** The status of the next answers, and the spans that they do not take. */
  readonly answer: { status: number; rejected: number }
}> {
  const answer = { status: 200, rejected: 0 }
  const spans: ReceivedSpan[] = []
  const requests: { path: string; authorization: string | undefined }[] = []
  const server = createServer(async (received, response) => {
    requests.push({ path: received.url!, authorization: received.headers.authorization })
    const message = request.decode(await buffer(received))
    spans.push(
      ...spansIn(request.toObject(message, { longs: String, bytes: Array, defaults: true }) as Decoded),
    )
    const taken = answer.rejected === 0 ? {} : { partialSuccess: { rejectedSpans: answer.rejected } }
    response
      .writeHead(answer.status, { 'content-type': 'application/x-protobuf' })
      .end(answered.encode(answered.fromObject(taken)).finish())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, requests, answer }
}

function spansIn({ resourceSpans }: Decoded): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(scope =>
      scope.spans.map(span => ({
        name: span['name'] as string,
        kind: span['kind'] as number,
        traceId: hex(span['traceId']),
        spanId: hex(span['spanId']),
        parentSpanId: hex(span['parentSpanId']),
        traceState: span['traceState'] as string,
        startNs: BigInt(span['startTimeUnixNano'] as string),
        endNs: BigInt(span['endTimeUnixNano'] as string),
        attributes: recordOf(span['attributes'] as readonly KeyValue[]),
        failed: (span['status'] as { code?: number } | null)?.code === 2,
        resource: recordOf(resource.attributes),
      })),
    ),
  )
}

function hex(bytes: unknown): string {
  return Buffer.from(bytes as number[]).toString('hex')
}

function recordOf(pairs: readonly KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [
      key,
      value['stringValue'] ?? Number(value['intValue'] ?? value['doubleValue']),
    ]),
  )
}
