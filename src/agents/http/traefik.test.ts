import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../kit/testing/free-port.ts'
import { startAgents } from '../testing/agents.ts'
import {
  ask,
  deployed,
  folderWith,
  type ProxyPorts,
  type RunningProxy,
  received,
  startProxy,
  without,
} from '../testing/proxies.ts'

const options = { skip: without('traefik') }

/** Starts Traefik with the configuration of `deploy/`, for the host `site.test`. */
async function startTraefik(t: TestContext, { agentPort, originPort }: ProxyPorts): Promise<RunningProxy> {
  const port = await freePort()
  const site = deployed('traefik/sluice.yaml', {
    '127.0.0.1:8081': `127.0.0.1:${agentPort}`,
    '127.0.0.1:3000': `127.0.0.1:${originPort}`,
    'shop.example': 'site.test',
  })
  const folder = folderWith(t, { 'sluice.yaml': site })
  const main = deployed('traefik/traefik.yaml', { ':80': `127.0.0.1:${port}`, '/etc/traefik': folder })
  const proxy = await startProxy(
    t,
    ['traefik', `--configFile=${folderWith(t, { 'traefik.yaml': main })}/traefik.yaml`],
    port,
  )
  // It listens before it has read the file of the site.
  while ((await ask(proxy.url, '/fine')).status === 404) await sleep(50)
  return proxy
}

const post = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'Content-Length': String(body.length) },
})

test('Traefik: requests pass with a Ray ID, or get the page of their rule', options, async t => {
  const agents = await startAgents(t, 'http')
  const { url } = await startTraefik(t, agents)
  const { records } = agents
  const last = () => records.at(-1)!
  const forged = { 'X-Forwarded-For': '198.51.100.1', 'X-Forwarded-Uri': '/other', 'Ray-ID': 'forged' }
  const fine = await ask(url, '/fine?x=1', { headers: forged })
  assert.equal(fine.status, 200)
  assert.equal(received(fine).headers['ray-id'], last()['RayID'])
  assert.deepEqual(
    ['ClientIP', 'EdgeResponseStatus', 'WAFFlags', 'ClientRequestURI'].map(field => last()[field]),
    ['127.0.0.1', 0, '0x10', '/fine?x=1'],
  )
  const blocked = await ask(url, '/blocked')
  assert.equal(blocked.status, 403)
  assert.ok(blocked.text.includes(String(last()['RayID'])))
  const teapot = await ask(url, '/teapot')
  assert.deepEqual([teapot.status, teapot.text], [418, 'no coffee'])
  const moved = await ask(url, '/moved')
  assert.deepEqual([moved.status, moved.headers.get('location')], [302, 'https://new.test/'])
  const challenged = await ask(url, '/challenged', { headers: { Accept: 'text/html' } })
  assert.deepEqual([challenged.status, challenged.headers.get('cf-mitigated')], [403, 'challenge'])
  assert.match(challenged.text, /<script>/)
  const solution = await ask(url, '/.sluice/challenge', { method: 'POST', body: 'token=x&number=1' })
  assert.match(solution.text, /"error":"challenge"/)
})

test('Traefik: bodies are inspected, and longer ones are refused', options, async t => {
  const agents = await startAgents(t, 'http')
  const { url } = await startTraefik(t, agents)
  assert.equal((await ask(url, '/form', post('an attack'))).status, 403)
  const harmless = await ask(url, '/form', post('x'.repeat(200_000)))
  assert.equal(received(harmless).bodyBytes, 200_000)
  const chunked = { method: 'POST', body: 'an attack', headers: { 'Transfer-Encoding': 'chunked' } }
  assert.equal((await ask(url, '/form', chunked)).status, 403)
  assert.equal((await ask(url, '/form', post('x'.repeat(10_485_761)))).status, 401)
})

test('Traefik: without an agent, requests are refused', options, async t => {
  const agents = await startAgents(t, 'http')
  const { url } = await startTraefik(t, agents)
  assert.equal((await ask(url, '/fine')).status, 200)
  await agents.agents.close()
  assert.equal((await ask(url, '/fine')).status, 500)
})
