import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { startOtlpReceiver } from '../../src/app/edge/spans/testing/otlp-receiver.ts'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { inForce } from '../support/in-force.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { api, discard, type Instance, runSluice, startSluice } from '../support/sluice.ts'

/** The dashboard and the alerts of `deploy/`, on a scrape by a real Prometheus. */

const deploy = join(import.meta.dirname, '../../deploy')
const hasPrometheus = spawnSync('promtool', ['--version']).status === 0
const skip = !hasPrometheus && 'no prometheus: it is not installed'

test('Prometheus evaluates the alerts as their cases say', { skip }, () => {
  for (const [command, file] of [
    ['check', 'sluice-alerts.yml'],
    ['test', 'sluice-alerts.test.yml'],
  ] as const) {
    const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', file], {
      cwd: join(deploy, 'prometheus'),
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout + stderr)
  }
})

test('a scrape has every metric that the dashboard and the alerts ask for', { skip }, async t => {
  const origin = await startOrigin()
  t.after(() => origin.close())
  const collector = await startOtlpReceiver(t)
  const sluice = await startSluice({
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_WORKERS: '2',
      // Asked for no certificate.
      SLUICE_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
      SLUICE_ACME_TERMS_AGREED: 'yes',
      SLUICE_TRACES: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  })
  t.after(() => discard(sluice))
  await traffic(sluice, origin)
  const prometheus = await scrape(t, sluice)
  const value = async (query: string) => (await prometheus('query', { query })).result[0]?.value[1]
  await eventually(async () => assert.equal(await value('up{job="sluice"}'), '1'))

  const known = await prometheus<Record<string, unknown>>('metadata')
  const queries = [...(await alertQueries()), ...(await dashboardQueries())]
  assert.ok(queries.length > 50)
  for (const query of queries) {
    for (const [name] of query.matchAll(/\b(?:sluice|process)_\w+/g))
      assert.ok(name.replace(/_bucket$/, '') in known, `${name} is not exported: ${query}`)
    await prometheus('query', { query })
  }
  const counted = [
    ['sum(sluice_zone_requests_total{zone="metered.test",status="2xx",action="none"})', '3'],
    ['sum(sluice_zone_requests_total{zone="metered.test",status="4xx",action="block"})', '1'],
    ['sluice_edge_request_duration_seconds_count == bool sluice_edge_requests_total', '1'],
    ['sluice_edge_origin_duration_seconds_count >= bool 3', '1'],
    ['sluice_waf_duration_seconds_count >= bool 3', '1'],
    ['sluice_waf_work_ratio_count == bool sluice_waf_duration_seconds_count', '1'],
    ['sum(sluice_spans_total{outcome="exported"}) >= bool 11', '1'],
    ['count(sluice_event_loop_busy_seconds_total)', '3'],
    ['count(sluice_logpush_lag_seconds{exported_job!=""})', '1'],
  ] as const
  await eventually(async () => {
    for (const [query, want] of counted) assert.equal(await value(query), want, query)
  })
  const requests = collector.spans.filter(({ attributes }) => attributes['sluice.zone'] === 'metered.test')
  assert.deepEqual(
    requests.map(({ attributes }) => attributes['http.response.status_code']).toSorted(),
    [200, 200, 200, 403],
  )
  const shown = await runSluice(['top'], {
    CLOUDFLARE_BASE_URL: sluice.apiUrl,
    CLOUDFLARE_API_TOKEN: sluice.token,
  })
  for (const row of [/^metered\.test /m, /^main +\d/m, /^latency +p50 /m]) assert.match(shown.stdout, row)
})

/** Three requests that managed rules inspect, and one that a rule blocks before them. */
async function traffic(sluice: Instance, origin: Origin): Promise<void> {
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = { name: 'metered.test', account: { id: account.id }, origin: { url: origin.url } }
  const { id } = (await api(sluice, 'POST', '/zones', zone)).result
  const managed = (await api(sluice, 'GET', `/zones/${id}/rulesets`)).result.find(
    (ruleset: { kind: string; phase: string }) =>
      ruleset.kind === 'managed' && ruleset.phase === 'http_request_firewall_managed',
  )
  const put = async (phase: string, rule: object) => {
    const path = `/zones/${id}/rulesets/phases/${phase}/entrypoint`
    const { status, errors } = await api(sluice, 'PUT', path, { rules: [rule] })
    assert.equal(status, 200, JSON.stringify(errors))
  }
  await put('http_request_firewall_custom', {
    action: 'block',
    expression: 'http.request.uri.path eq "/no"',
  })
  await put('http_request_firewall_managed', {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: managed.id },
  })
  const job = { destination_conf: 'file:./never', dataset: 'http_requests', enabled: true }
  assert.equal((await api(sluice, 'POST', `/zones/${id}/logpush/jobs`, job)).status, 200)
  await inForce(sluice)
  for (const [path, status] of [
    ['/', 200],
    ['/a', 200],
    ['/b', 200],
    ['/no', 403],
  ] as const) {
    const answer = await origin.through(sluice.edgePort, 'metered.test', path)
    await answer.text()
    assert.equal(answer.status, status)
  }
}

/** The parts of Prometheus' answers that the tests read. */
interface Answer {
  readonly result: readonly { readonly value: readonly [time: number, value: string] }[]
}

type Ask = <Data = Answer>(path: string, query?: Record<string, string>) => Promise<Data>

/** A Prometheus that scrapes an installation as `docs/guides/go-live.md` says. @returns its API: the data of an answer */
async function scrape(t: TestContext, sluice: Instance): Promise<Ask> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-prometheus-'))
  const port = await freePort()
  const token = join(folder, 'token')
  await writeFile(token, sluice.token)
  const job = {
    job_name: 'sluice',
    scrape_interval: '1s',
    static_configs: [{ targets: [new URL(sluice.apiUrl).host] }],
    authorization: { credentials_file: token },
  }
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify({ scrape_configs: [job] }))
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const server = spawn('prometheus', flags, { stdio: 'ignore' })
  t.after(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const ask = async <Data>(path: string, query: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(query)}`)
    const { status, data, error } = (await answer.json()) as { status: string; data: Data; error?: string }
    assert.equal(status, 'success', `${query['query']}: ${error}`)
    return data
  }
  await eventually(() => ask('status/buildinfo'))
  return ask
}

async function alertQueries(): Promise<readonly string[]> {
  const { groups } = parse(await readFile(join(deploy, 'prometheus/sluice-alerts.yml'), 'utf8')) as {
    groups: readonly { rules: readonly { expr: string }[] }[]
  }
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
}

/** With the values that Grafana inserts for its variables. */
async function dashboardQueries(): Promise<readonly string[]> {
  const { panels, templating } = JSON.parse(await readFile(join(deploy, 'grafana/sluice.json'), 'utf8')) as {
    panels: readonly { targets?: readonly { expr: string }[] }[]
    templating: { list: readonly { query: string }[] }
  }
  const { query } = templating.list[1]!
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const choice = /^label_values\((\w+), job\)$/.exec(query)![1]!
  return [choice, ...asked].map(text => text.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*'))
}
