import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { startOrigin } from '../support/origin.ts'
import { api, discard, startSluice } from '../support/sluice.ts'

/** Spans in OpenTelemetry's own collector. `npm run test:servers -- otel-collector` runs it. */

const program = join(process.env['SLUICE_TEST_OTEL_COLLECTOR']!, 'otel-collector')
const traceId = '0af7651916cd43dd8448eb211c80319c'
const clientId = 'b7ad6b7169203331'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
}

test('the collector gets the spans of requests; without it, requests are served', async t => {
  const collector = await startCollector(t)
  const origin = await startOrigin()
  t.after(() => origin.close())
  const sluice = await startSluice({
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_TRACES: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    },
  })
  t.after(() => discard(sluice))
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = { name: 'traced.test', account: { id: account.id }, origin: { url: origin.url } }
  assert.equal((await api(sluice, 'POST', '/zones', zone)).status, 200)
  const ask = async () => {
    const headers = { traceparent: `00-${traceId}-${clientId}-01` }
    const answer = await origin.through(sluice.edgePort, zone.name, '/', { headers })
    await answer.text()
    return answer.status
  }
  await eventually(async () => assert.equal(await ask(), 200))
  await eventually(async () => {
    const spans = (await collector.spans()).filter(span => span.traceId === traceId)
    const requests = spans.filter(({ kind, parentSpanId }) => kind === 2 && parentSpanId === clientId)
    const attempt = spans.find(({ kind }) => kind === 3)
    // Requests before the edge knew the zone have no attempt.
    assert.ok(requests.some(({ spanId }) => spanId === attempt?.parentSpanId))
  })
  await collector.stop()
  for (let n = 0; n < 20; n++) assert.equal(await ask(), 200)
  await eventually(() => assert.match(sluice.output(), /the collector does not take spans/))
})

async function startCollector(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-otel-'))
  const port = await freePort()
  const file = join(folder, 'spans.json')
  const config = join(folder, 'config.yaml')
  await writeFile(
    config,
    `receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:${port}"}}}}
exporters: {file: {path: ${file}}}
service:
  telemetry: {metrics: {level: none}}
  pipelines: {traces: {receivers: [otlp], exporters: [file]}}
`,
  )
  const child = spawn(program, ['--config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill()
    await once(child, 'exit')
  }
  t.after(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(() => fetch(url))
  return { url, stop, spans: async () => spansIn(await readFile(file, 'utf8').catch(() => '')) }
}

/** One message of OTLP in JSON on each line. */
function spansIn(text: string): Span[] {
  return text
    .split('\n')
    .filter(Boolean)
    .flatMap(line => JSON.parse(line).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
}
