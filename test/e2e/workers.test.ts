import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { canSharePorts } from '../../src/app/edge/shared-port.ts'
import {
  api,
  type Instance,
  newData,
  readJsonLines,
  runSluice,
  startSluice,
  testCrs,
} from '../support/sluice.ts'

/** Several edge workers behind one address. */
const shares = await canSharePorts({ host: '127.0.0.1', port: 0 })
const skip = !existsSync(testCrs)
  ? 'needs an OWASP CRS release, and none was found'
  : !shares && 'this system cannot share an address between threads'

test('workers share an address and their counts, and exclude a second instance', { skip }, async t => {
  const data = await newData({ SLUICE_CRS: testCrs })
  t.after(() => rm(data, { recursive: true, force: true }))
  const auditLog = join(data, 'audit.ndjson')
  const sluice = await startSluice({
    data,
    settings: {
      SLUICE_CRS: testCrs,
      SLUICE_WORKERS: '3',
      SLUICE_AUDIT_LOG: auditLog,
      SLUICE_AUDIT_LOG_MODE: 'all',
    },
  })
  t.after(() => sluice.kill())

  const requests = 60
  const answers = await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const attack = index % 3 === 0
      const query = attack ? "id=1' or '1'='1' union select password from users--" : `id=${index}`
      const answer = await fetch(`${sluice.edgeUrl}/?${new URLSearchParams(query)}`, {
        headers: { connection: 'close', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: '*/*' },
      })
      await answer.text()
      assert.equal(answer.status, attack ? 403 : 200)
    }),
  )
  assert.equal(answers.length, requests)
  const metrics = await metricsOf(sluice)
  assert.equal(metrics.get('sluice_edge_requests_total'), requests)
  assert.equal(metrics.get('sluice_edge_blocked_total'), requests / 3)
  assert.equal(metrics.get('sluice_waf_incomplete_total{reason="error",verdict="block"}'), 0)

  // A custom rule is in force at every worker.
  const [zone] = (await api(sluice, 'GET', '/zones')).result
  const path = `/zones/${zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`
  const rules = [{ action: 'block', expression: 'http.request.uri.path eq "/no"' }]
  assert.equal((await api(sluice, 'PUT', path, { rules })).status, 200)
  let asked = 0
  for (let blocked = 0; blocked < 30; asked++) {
    const answer = await fetch(`${sluice.edgeUrl}/no`, { headers: { connection: 'close' } })
    await answer.text()
    blocked = answer.status === 403 ? blocked + 1 : 0
    assert.ok(asked < 1000, 'the rule is not in force at every worker')
    if (blocked === 0) await sleep(50)
  }

  asked += await failOver(t, sluice, zone)

  const taken = new URL(sluice.edgeUrl).host
  const second = await runSluice(['serve'], {
    SLUICE_DATA: join(data, 'second'),
    SLUICE_CRS: testCrs,
    SLUICE_WORKERS: '2',
    SLUICE_API_LISTEN: '127.0.0.1:0',
    SLUICE_EDGE_LISTEN: taken,
    SLUICE_EDGE_TLS_LISTEN: 'none',
  })
  assert.equal(second.code, 1, second.stdout)
  assert.ok(second.stderr.includes('EADDRINUSE') && second.stderr.includes(taken), second.stderr)

  assert.equal(await sluice.stop(), 0, sluice.output())
  assert.equal((await readJsonLines(auditLog)).length, requests + asked)
})

async function metricsOf(sluice: Instance): Promise<Map<string, number>> {
  const headers = { authorization: `Bearer ${sluice.token}` }
  const text = await (await fetch(new URL('/metrics', sluice.apiUrl), { headers })).text()
  const samples = text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))] as const)
  const metrics = new Map(samples)
  assert.equal(metrics.size, samples.length, `a sample is there twice: ${text}`)
  return metrics
}

/**
 * One machine checks the origins of a pool, and every worker goes to the next pool when one is down.
 * @returns the number of requests
 */
async function failOver(
  t: TestContext,
  sluice: Instance,
  zone: { readonly id: string; readonly account: { readonly id: string } },
): Promise<number> {
  const [sick, spare] = await Promise.all(
    [503, 200].map(async status => {
      const server = createServer((_request, response) => response.writeHead(status).end(`${status}`))
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      t.after(() => server.close())
      return (server.address() as AddressInfo).port
    }),
  )
  const base = `/accounts/${zone.account.id}/load_balancers`
  const made = async (path: string, body: object) => (await api(sluice, 'POST', path, body)).result.id
  const monitor = await made(`${base}/monitors`, { path: '/health' })
  const origins = (port: number) => [{ address: '127.0.0.1', port }]
  const main = await made(`${base}/pools`, { name: 'main', monitor, origins: origins(sick!) })
  const next = await made(`${base}/pools`, { name: 'spare', origins: origins(spare!) })
  const pools = { default_pools: [main], fallback_pool: next }
  await made(`/zones/${zone.id}/load_balancers`, { name: 'localhost', proxied: true, ...pools })
  const { port } = new URL(sluice.edgeUrl)
  let asked = 0
  for (let spared = 0; spared < 30; asked++) {
    const answer = await fetch(`http://localhost:${port}/`, { headers: { connection: 'close' } })
    spared = (await answer.text()) === '200' ? spared + 1 : 0
    assert.ok(asked < 1000, 'some worker does not know that the origin is down')
    if (spared === 0) await sleep(50)
  }
  const { pop_health } = (await api(sluice, 'GET', `${base}/pools/${main}/health`)).result
  assert.equal(pop_health.healthy, false)
  assert.equal(pop_health.origins[0]['127.0.0.1'].response_code, 503)
  const up = (await metricsOf(sluice)).get(
    `sluice_origin_up{pool="main",pool_id="${main}",address="127.0.0.1",port="${sick}"}`,
  )
  assert.equal(up, 0)
  return asked
}
