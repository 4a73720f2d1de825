import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import type { EdgeDeps } from '../../../edge/exchange/deps.ts'
import { execution, fakeProgram } from '../../../edge/testing/fake-program.ts'
import {
  eventually,
  type PlanParts,
  planFor,
  rule,
  startEdge,
  startOrigin,
  trusted,
} from '../../../edge/testing/fixture.ts'
import { freePort } from '../../../kit/testing/free-port.ts'
import { spanLimits } from '../../limits.ts'
import { areTracesOn, readSampling } from './environment.ts'
import { openSpans } from './open-spans.ts'
import { startOtlpReceiver } from './testing/otlp-receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const asks = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'vendor=1' }

/** An edge whose spans come to a receiver, before an origin that keeps the headers it gets. */
async function start(
  t: TestContext,
  {
    sampler,
    endpoint,
    parts,
    ...deps
  }: Partial<EdgeDeps> & {
    readonly sampler?: string
    readonly endpoint?: string
    readonly parts?: PlanParts
  } = {},
) {
  const seen: IncomingHttpHeaders[] = []
  const origin = await startOrigin(t, (request, response) => {
    seen.push(request.headers)
    response.writeHead(request.url!.startsWith('/broken') ? 503 : 200).end('ok')
  })
  const receiver = await startOtlpReceiver(t)
  setVariables(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint ?? receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer secret',
    OTEL_SERVICE_NAME: 'shop-edge',
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: sampler?.endsWith('traceidratio') === true ? '0' : undefined,
  })
  const failures: (string | undefined)[] = []
  const problems: string[] = []
  const opened = await openSpans('edge-1', {
    onChange: failure => failures.push(failure),
    onProblem: text => problems.push(text),
  })
  const { url } = await startEdge(t, planFor(origin.url, parts), { spans: opened.source, ...deps })
  t.after(() => opened.close())
  return { url, seen, receiver, opened, failures, problems }
}

function setVariables(t: TestContext, values: Readonly<Record<string, string | undefined>>): void {
  const before = { ...process.env }
  for (const [name, value] of Object.entries(values))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  t.after(() => {
    for (const name of Object.keys(values))
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
  })
}

describe('spans of requests', () => {
  test('a request is a span with its phases and its origin, in the trace of its client', async t => {
    const parts = {
      custom: [rule({ kind: 'action', action: 'log' }, () => true)],
      managed: [rule(execution(fakeProgram()))],
      response: [rule(execution(fakeProgram()))],
    }
    const { url, seen, receiver } = await start(t, { parts })
    const answer = await fetch(`${url}/cart/4111111111111111?token=secret`, {
      headers: { ...asks, 'user-agent': 'shopper' },
    })
    await answer.text()
    await eventually(() => receiver.spans.length === 5)
    const by = (kind: number) => receiver.spans.filter(span => span.kind === kind)
    const [server, client, phases] = [by(2)[0]!, by(3)[0]!, by(1)]
    assert.ok(receiver.spans.every(span => span.traceId === traceId))
    assert.equal(server.parentSpanId, parentId)
    assert.equal(server.traceState, asks.tracestate)
    for (const span of [client, ...phases]) {
      assert.equal(span.parentSpanId, server.spanId)
      assert.ok(span.startNs >= server.startNs && span.endNs <= server.endNs, span.name)
    }
    assert.deepEqual(
      phases.map(({ name }) => name),
      ['http_request_firewall_custom', 'http_request_firewall_managed', 'http_response_firewall_managed'],
    )
    const {
      'sluice.ray_id': rayId,
      'sluice.waf.engine_ms': engineMs,
      'server.port': port,
      ...rest
    } = server.attributes
    assert.equal(rayId, answer.headers.get('ray-id'))
    assert.equal(typeof engineMs, 'number')
    assert.equal(port, Number(new URL(url).port))
    assert.deepEqual(rest, {
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'url.path': '/cart/************1111',
      'server.address': '127.0.0.1',
      'client.address': '127.0.0.1',
      'network.peer.address': '127.0.0.1',
      'network.protocol.version': '1.1',
      'user_agent.original': 'shopper',
      'http.response.status_code': 200,
      'sluice.zone': 'site.test',
    })
    assert.equal(client.attributes['http.response.status_code'], 200)
    assert.match(String(client.attributes['url.full']), /^http:\/\/127\.0\.0\.1:\d+\/cart\/\*{12}1111$/)
    assert.equal(server.resource['service.name'], 'shop-edge')
    assert.equal(server.resource['service.instance.id'], 'edge-1')
    // The origin continues the trace below the attempt that reached it.
    assert.equal(seen[0]!['traceparent'], `00-${traceId}-${client.spanId}-01`)
    assert.equal(seen[0]!['tracestate'], asks.tracestate)
    assert.deepEqual(receiver.requests[0], { path: '/v1/traces', authorization: 'Bearer secret' })
    assert.doesNotMatch(
      JSON.stringify(receiver.spans, (_, value) => (typeof value === 'bigint' ? 0 : value)),
      /secret/,
    )
  })

  test('a block names its rule; a failed origin fails both spans', async t => {
    const parts = { custom: [rule({ kind: 'action', action: 'block' }, view => view.path === '/no')] }
    const { url, receiver } = await start(t, { parts })
    await fetch(`${url}/no`)
    await eventually(() => receiver.spans.length === 2)
    const blocked = receiver.spans.find(({ kind }) => kind === 2)!
    assert.equal(blocked.attributes['sluice.action'], 'block')
    assert.equal(blocked.attributes['sluice.rule.id'], 'rule-1')
    assert.equal(blocked.failed, false)
    await fetch(`${url}/broken`)
    await eventually(() => receiver.spans.length === 5)
    for (const { attributes, failed } of receiver.spans.slice(2).filter(({ kind }) => kind > 1)) {
      assert.equal(failed, true)
      assert.equal(attributes['error.type'], '503')
    }
  })

  test('invalid and overlong contexts begin a new trace', async t => {
    const { url, seen, receiver } = await start(t)
    const contexts = [
      'nonsense',
      `00-${'0'.repeat(32)}-${parentId}-01`,
      `${asks.traceparent}-${'x'.repeat(4000)}`,
    ]
    for (const traceparent of contexts) await (await fetch(url, { headers: { traceparent } })).text()
    await eventually(() => receiver.spans.length === 6)
    for (const { kind, parentSpanId } of receiver.spans) if (kind === 2) assert.equal(parentSpanId, '')
    for (const headers of seen)
      assert.match(String(headers['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })

  test('an invalid tracestate does not go on, its trace does', async t => {
    const { url, seen } = await start(t)
    await (await fetch(url, { headers: { ...asks, tracestate: 'nonsense' } })).text()
    assert.match(String(seen[0]!['traceparent']), new RegExp(`^00-${traceId}-`))
    assert.equal(seen[0]!['tracestate'], undefined)
  })

  test('clients cannot have all requests sampled, trusted proxies can', async t => {
    const sampler = 'parentbased_traceidratio'
    const clients = await start(t, { sampler })
    const count = spanLimits.askedByClientsMax * 3
    // In one second, or at most two.
    for (let n = 0; n < count; n++) await (await fetch(clients.url, { headers: asks })).text()
    const flags = (all: readonly IncomingHttpHeaders[]) =>
      all.map(headers => String(headers['traceparent']).slice(-2)).toSorted()
    assert.ok(flags(clients.seen).includes('00'))
    assert.ok(flags(clients.seen).includes('01'))
    // The trace of the client goes on in any case.
    for (const headers of clients.seen) assert.ok(headers['traceparent']!.toString().includes(traceId))

    const proxies = await start(t, { sampler, trustedProxies: trusted('127.0.0.1/32') })
    for (let n = 0; n < count; n++) await (await fetch(proxies.url, { headers: asks })).text()
    assert.deepEqual(flags(proxies.seen), Array(count).fill('01'))
    await (await fetch(proxies.url)).text()
    assert.equal(String(proxies.seen.at(-1)!['traceparent']).slice(-2), '00')

    const ratio = await start(t, { sampler: 'traceidratio' })
    await (
      await fetch(ratio.url, { headers: { traceparent: `00-${'0'.repeat(31)}1-${parentId}-01` } })
    ).text()
    assert.deepEqual(flags(ratio.seen), ['00'])
  })

  test('problems that OpenTelemetry reports come once, until the collector has another state', async t => {
    const { url, receiver, opened, failures, problems } = await start(t)
    const sent = async (count: number) => {
      await (await fetch(url)).text()
      await eventually(() => receiver.requests.length === count)
    }
    receiver.answer.rejected = 3
    await sent(1)
    receiver.answer.rejected = 4
    await sent(2)
    receiver.answer.status = 400
    await sent(3)
    receiver.answer.status = 200
    await sent(4)
    await opened.close()
    assert.deepEqual(
      failures.map(failure => failure === undefined),
      [false, true],
    )
    assert.deepEqual(
      problems.map(text => /^Received Partial Success response: .*"rejectedSpans":"?(\d)/.exec(text)?.[1]),
      ['3', '4'],
    )
  })

  test('without a collector, requests are served, and spans are dropped and counted', async t => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const { url, opened, failures, problems } = await start(t, { endpoint })
    const requests = Array.from({ length: 50 }, async () => (await fetch(url)).status)
    assert.deepEqual(await Promise.all(requests), Array(50).fill(200))
    await eventually(() => opened.stats.waiting === 100)
    await opened.close()
    assert.equal(opened.stats.exported, 0)
    assert.ok(failures.every(failure => failure === undefined || /ECONNREFUSED/.test(failure)))
    assert.deepEqual(problems, [])
  })
})

describe('variables of OpenTelemetry', () => {
  test('OTEL_SDK_DISABLED turns spans off', () => {
    assert.equal(areTracesOn(true, {}), true)
    assert.equal(areTracesOn(true, { OTEL_SDK_DISABLED: 'True' }), false)
    assert.equal(areTracesOn(false, { OTEL_SDK_DISABLED: 'false' }), false)
  })

  const sound = [
    [{}, 1, true],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0, false],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }, 0.25, false],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, 1, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.test:4318/base' }, 1, true],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic YTpi==, x-scope=a%2Cb,' }, 1, true],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '5000', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }, 1, true],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: import.meta.filename }, 1, true],
  ] as const
  for (const [environment, share, parentBased] of sound)
    test(`allowed: ${JSON.stringify(environment)}`, () =>
      assert.deepEqual(readSampling(environment), { share, parentBased }))

  const faulty = [
    [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /OTEL_TRACES_SAMPLER=jaeger_remote .* use always_on/],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '5' },
      /OTEL_TRACES_SAMPLER_ARG=5 .* 0\.01/,
    ],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /set OTEL_EXPORTER_OTLP_PROTOCOL=http\/protobuf/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT is not a URL/],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'abc' }, /OTEL_EXPORTER_OTLP_TIMEOUT=abc is not a time/],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, /OTEL_EXPORTER_OTLP_COMPRESSION=zstd .* use gzip/],
    [
      { OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'Bearer token' },
      /OTEL_EXPORTER_OTLP_TRACES_HEADERS is not a list/,
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=b;c' }, /OTEL_EXPORTER_OTLP_HEADERS is not a list/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=100%' }, /OTEL_EXPORTER_OTLP_HEADERS is not a list/],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere/ca.pem' }, /OTEL_EXPORTER_OTLP_CERTIFICATE cannot .*ENOENT/],
    [{ OTEL_EXPORTER_OTLP_CLIENT_KEY: '/nowhere/key.pem' }, /OTEL_EXPORTER_OTLP_CLIENT_KEY cannot .*ENOENT/],
  ] as const
  for (const [environment, message] of faulty)
    test(`refused: ${JSON.stringify(environment)}`, () => {
      assert.throws(() => readSampling(environment), message)
    })
})
