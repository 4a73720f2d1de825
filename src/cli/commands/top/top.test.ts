import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { productEntry } from '../../../../test/support/product.ts'
import { openTestApi, type TestApi, token } from '../../../api/testing/test-api.ts'
import { bareEnvironment } from '../../../kit/testing/bare-environment.ts'
import { figuresBetween } from './figures.ts'
import { parseMetrics } from './scrape.ts'

/** Metrics after so many seconds: ten requests a second for a zone, one of them blocked. */
function metricsAt(seconds: number): string {
  return `# HELP sluice_edge_requests_total Requests
# TYPE sluice_edge_requests_total counter
sluice_edge_requests_total ${seconds * 12}
sluice_edge_active_requests 3
sluice_zone_requests_total{zone="a.test",status="2xx",action="none",thread="1"} ${seconds * 5}
sluice_zone_requests_total{zone="a.test",status="2xx",action="none",thread="2"} ${seconds * 4}
sluice_zone_requests_total{zone="a.test",status="4xx",action="block",thread="2"} ${seconds}
sluice_zone_requests_total{zone="b.test",status="5xx",action="none",thread="2"} ${seconds * 2}
sluice_edge_request_duration_seconds_bucket{le="0.01"} ${seconds * 6}
sluice_edge_request_duration_seconds_bucket{le="0.1"} ${seconds * 12}
sluice_edge_request_duration_seconds_bucket{le="+Inf"} ${seconds * 12}
sluice_event_loop_busy_seconds_total{thread="main"} ${seconds / 4}
sluice_heap_used_bytes{thread="main"} 10485760
sluice_logpush_lag_seconds{job="7"} 5
sluice_logpush_uploads_total{job="7",outcome="successful",status="200"} ${seconds * 3}
sluice_logpush_uploads_total{job="7",outcome="failed",status="503"} ${seconds}
`
}

let api: TestApi
let scrapes = 0
let environment: NodeJS.ProcessEnv

before(async () => {
  api = await openTestApi({ metrics: async () => metricsAt(++scrapes) })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  environment = {
    ...bareEnvironment,
    CLOUDFLARE_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    CLOUDFLARE_API_TOKEN: token,
  }
})

after(() => api.close())

test('figures are what happened between two scrapes', () => {
  const figures = figuresBetween(parseMetrics(metricsAt(100), 0), parseMetrics(metricsAt(102), 2000))
  assert.equal(figures.requests, 12)
  assert.equal(figures.active, 3)
  assert.deepEqual(figures.actions, [{ name: 'block', values: [1] }])
  assert.deepEqual(figures.zones, [
    { name: 'a.test', values: [10, 1, 1, 0] },
    { name: 'b.test', values: [2, 0, 0, 2] },
  ])
  assert.deepEqual(figures.jobs, [{ name: '7', values: [5, 0, 4, 1, 0] }])
  assert.deepEqual(figures.threads, [{ name: 'main', values: [25, 0, 10] }])
  // Half of the requests took less than 10 ms; the others are even up to 100 ms.
  assert.deepEqual(
    figures.quantiles.map(seconds => Math.round(seconds * 1000)),
    [10, 91, 98],
  )
  const restarted = figuresBetween(parseMetrics(metricsAt(100), 0), parseMetrics(metricsAt(1), 1000))
  assert.equal(restarted.requests, 0)
  const idle = figuresBetween(parseMetrics(metricsAt(1), 0), parseMetrics(metricsAt(1), 1000))
  assert.deepEqual(idle.quantiles, [Number.NaN, Number.NaN, Number.NaN])
})

test('without a terminal, the figures are printed once', async () => {
  const child = spawn(process.execPath, [productEntry, 'top'], { env: environment })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.match(output, /^sluice top {2}http:\/\/127\.0\.0\.1:\d+ /)
  assert.match(output, /^zone +requests\/s↓ /m)
  assert.match(output, /^a\.test +[\d.]+ /m)
  assert.doesNotMatch(output, /\x1b/)
})

const hasScript = spawnSync('script', ['--version']).status === 0

test('in a terminal, keys sort and quit', {
  skip: !hasScript && 'no script(1), which makes a terminal',
}, async () => {
  const command = `stty cols 60 rows 40; '${process.execPath}' '${productEntry}' top`
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...environment, TERM: 'xterm' } })
  let output = ''
  const shows = async (pattern: RegExp) => {
    while (!pattern.test(output)) await once(child.stdout, 'data')
  }
  child.stdout.on('data', chunk => (output += chunk))
  await shows(/requests\/s↓/)
  child.stdin.write('s')
  await shows(/lines\/s↓/)
  child.stdin.write('q')
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.ok(output.endsWith('\x1b[?25h\x1b[?1049l'), 'the screen is as it was')
})

test('a refusal says what the token lacks', async () => {
  const child = spawn(process.execPath, [productEntry, 'top'], {
    env: { ...environment, CLOUDFLARE_API_TOKEN: 'x'.repeat(40) },
  })
  let output = ''
  child.stderr.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  assert.equal(code, 1)
  assert.match(output, /^sluice: http:\/\/\S+\/metrics answers 40[13]: /)
})
