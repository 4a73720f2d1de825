import assert from 'node:assert/strict'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startHaproxy, startNginx, without } from '../../src/agents/testing/proxies.ts'
import { eventually } from '../support/eventually.ts'
import { miniCrs } from '../support/mini-crs.ts'
import { api, discard, type Instance, startSluice } from '../support/sluice.ts'

/** The role `inspect` with two workers, behind other proxies. */

let sluice: Instance
let zone: string
let origin: Server
let originPort: number

before(async () => {
  // nginx gives the Ray ID to the origin only.
  origin = createServer(({ headers }, response) => response.setHeader('Ray-ID', headers['ray-id']!).end())
  await new Promise<void>(resolve => origin.listen(0, '127.0.0.1', resolve))
  originPort = (origin.address() as AddressInfo).port
  sluice = await startSluice({
    settings: {
      SLUICE_CRS: await miniCrs(),
      SLUICE_ROLES: 'control,delivery,inspect',
      SLUICE_WORKERS: '2',
      SLUICE_TRUSTED_PROXIES: '127.0.0.1/32',
      SLUICE_INSPECT_HTTP_LISTEN: '127.0.0.1:0',
      SLUICE_INSPECT_SPOE_LISTEN: '127.0.0.1:0',
      SLUICE_INSPECT_GRPC_LISTEN: 'none',
    },
  })
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const made = await api(sluice, 'POST', '/zones', {
    name: 'site.test',
    account: { id: account.id },
    origin: { url: 'http://127.0.0.1:1' },
  })
  zone = made.result.id
  const rules = [{ action: 'block', expression: 'http.request.uri.path eq "/blocked"' }]
  const path = `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`
  assert.equal((await api(sluice, 'PUT', path, { rules })).status, 200)
  await inForce()
})
after(async () => {
  origin.closeAllConnections()
  origin.close()
  await discard(sluice)
})

/** From the ready line. */
function agentPort(protocol: 'http' | 'spoe'): number {
  const [, urls = ''] = /^sluice ready: .* inspect (.*?)(?: {2}|$)/m.exec(sluice.output()) ?? []
  const url = urls.split(' ').find(one => one.startsWith(`${protocol}://127.0.0.1:`))
  assert.ok(url, sluice.output())
  return Number(url.split(':').at(-1))
}

/** Both workers know the rule. */
async function inForce(): Promise<void> {
  const headers = {
    'X-Forwarded-Method': 'GET',
    'X-Forwarded-Uri': '/blocked',
    'X-Forwarded-Host': 'site.test',
  }
  for (let seen = 0; seen < 30; ) {
    if ((await get(`http://127.0.0.1:${agentPort('http')}/forward-auth`, headers)).status === 403) seen++
    else {
      seen = 0
      await sleep(20)
    }
  }
}

/** Each request has a separate connection. */
function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ status: number; ray: string }>((resolve, reject) => {
    const options = { agent: false, headers: { host: 'site.test', ...headers } }
    const sent = request(url, options, answer => {
      answer.resume().on('end', () => {
        resolve({ status: answer.statusCode!, ray: String(answer.headers['ray-id']) })
      })
    })
    sent.on('error', reject).end()
  })
}

/** The records of these requests, through the API, in their order. */
async function recordsOf(rays: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const fields = 'RayID,ClientIP,ClientRequestURI,EdgeResponseStatus,OriginResponseStatus'
  return eventually(async () => {
    const { status, result } = await api(
      sluice,
      'GET',
      `/zones/${zone}/logs/sample?count=1000&fields=${fields}`,
    )
    assert.equal(status, 200)
    const of = Map.groupBy(result.records as { RayID: string }[], ({ RayID }) => RayID)
    return rays.map(ray => {
      const records = of.get(ray) ?? []
      assert.equal(records.length, 1, `records of ${ray}`)
      return records[0]!
    })
  })
}

test('nginx asks, and the API has the records of what passed and what was blocked', {
  skip: without('nginx'),
}, async t => {
  const { url } = await startNginx(t, { agentPort: agentPort('http'), originPort })
  const fine = await get(`${url}/fine?q=1`)
  const blocked = await get(`${url}/blocked`)
  assert.deepEqual([fine.status, blocked.status], [200, 403])
  const records = await recordsOf([fine.ray, blocked.ray])
  assert.deepEqual(
    records.map(record => [
      record['ClientIP'],
      record['ClientRequestURI'],
      record['EdgeResponseStatus'] ?? 0,
    ]),
    [
      ['127.0.0.1', '/fine?q=1', 0],
      ['127.0.0.1', '/blocked', 403],
    ],
  )
})

test('HAProxy reports responses over any connection, also to a worker that did not get the request', {
  skip: without('haproxy'),
}, async t => {
  const { url } = await startHaproxy(t, { agentPort: agentPort('spoe'), originPort })
  const asked = Array.from({ length: 60 }, (_, at) => get(at % 6 === 0 ? `${url}/blocked` : `${url}/fine`))
  const answers = await Promise.all(asked)
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, at) => (at % 6 === 0 ? 403 : 200)),
  )
  const records = await recordsOf(answers.map(({ ray }) => ray))
  // A report that finds no request leaves a record without the status, two minutes later.
  assert.deepEqual(
    records.map(record => [record['EdgeResponseStatus'], record['OriginResponseStatus'] ?? 0]),
    answers.map((_, at) => (at % 6 === 0 ? [403, 0] : [200, 200])),
  )
})
