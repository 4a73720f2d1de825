import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, trusted } from '../../edge/testing/fixture.ts'
import { freePort } from '../../kit/testing/free-port.ts'
import { createAgents } from '../agents.ts'
import { startAgents } from '../testing/agents.ts'
import {
  ask,
  deployed,
  folderWith,
  type RunningProxy,
  received,
  startNginx,
  startProxy,
  type Told,
  without,
} from '../testing/proxies.ts'
import { pageAsHeader } from './kept-page.ts'

type Started = Awaited<ReturnType<typeof startAgents>>

/** Starts a proxy of this machine in front of an origin. */
type Starts = (t: Parameters<typeof startProxy>[0], agents: Started) => Promise<RunningProxy>

const startCaddy: Starts = async (t, { agentPort, originPort }) => {
  const port = await freePort()
  const site = deployed('caddy/Caddyfile', {
    '127.0.0.1:8081': `127.0.0.1:${agentPort}`,
    '127.0.0.1:3000': `127.0.0.1:${originPort}`,
    'shop.example': `http://site.test:${port}`,
  })
  const folder = folderWith(t, { Caddyfile: `{\n\tadmin off\n}\n${site}` })
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return startProxy(
    t,
    ['caddy', 'run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
    port,
    home,
  )
}

for (const [name, program, start] of [
  ['nginx', 'nginx', startNginx],
  ['Caddy', 'caddy', startCaddy],
] as const) {
  test(`${name}: requests pass with a Ray ID, or get the page of their rule`, {
    skip: without(program),
  }, async t => {
    const agents = await startAgents(t, 'http')
    const { url } = await start(t, agents)
    const { records } = agents
    const get = (path: string, headers: Record<string, string> = {}): Promise<Told> =>
      ask(url, path, { headers })
    const fine = await get('/fine?x=1', { 'X-Forwarded-For': '198.51.100.1' })
    assert.equal(fine.status, 200)
    assert.equal(received(fine).headers['ray-id'], records[0]!['RayID'])
    assert.deepEqual(
      ['ClientIP', 'EdgeResponseStatus', 'WAFFlags', 'ClientRequestURI'].map(field => records[0]![field]),
      ['127.0.0.1', 0, '0x10', '/fine?x=1'],
    )
    const blocked = await get('/blocked')
    assert.equal(blocked.status, 403)
    assert.ok(blocked.text.includes(String(records[1]!['RayID'])))
    assert.match(blocked.headers.get('content-type')!, /text\/html/)
    const teapot = await get('/teapot')
    assert.deepEqual([teapot.status, teapot.text], [418, 'no coffee'])
    const moved = await get('/moved')
    assert.deepEqual([moved.status, moved.headers.get('location')], [302, 'https://new.test/'])
    const challenged = await get('/challenged', { Accept: 'text/html' })
    assert.deepEqual([challenged.status, challenged.headers.get('cf-mitigated')], [403, 'challenge'])
    assert.match(challenged.text, /<script>/)
    // Managed rules see the target.
    assert.equal((await get('/?q=an+attack')).status, 403)
    const posted = await ask(url, '/form', {
      method: 'POST',
      body: 'an attack',
      headers: { 'Content-Length': '9' },
    })
    assert.equal(received(posted).bodyBytes, 9)
    assert.equal(records.at(-1)!['WAFFlags'], '0x18')
    const solution = await ask(url, '/.sluice/challenge', { method: 'POST', body: 'token=x&number=1' })
    assert.equal(solution.status, 403)
    assert.match(solution.text, /"error":"challenge"/)
    assert.equal(records.length, 8)
    await eventually(() => agents.edge.stats().active === 0)
  })
}

test('only trusted proxies may ask, and a call has to name its request', async t => {
  const { agents, edge, agentPort, warnings, records } = await startAgents(t, 'http')
  const url = `http://127.0.0.1:${agentPort}`
  assert.equal((await ask(url, '/forward-auth')).status, 400)
  assert.equal((await ask(url, '/other')).status, 404)
  assert.equal((await ask(url, '/answer', { headers: { 'X-Sluice-Answer': 'no page' } })).status, 403)
  assert.equal(records.length, 0)
  const untrusted = await agents.listen('http', { host: '::1', port: 0 })
  const refused = await ask(`http://[::1]:${untrusted}`, '/forward-auth')
  assert.equal(refused.status, 403)
  assert.match(refused.text, /SLUICE_TRUSTED_PROXIES/)
  assert.equal(warnings.length, 1)
  assert.equal(edge.stats().requests, 0)
})

test('a call that cannot be answered ends its connection only', async t => {
  const warnings: string[] = []
  const agents = createAgents({
    inspect: () => {
      throw new Error('broken')
    },
    waiting: () => undefined,
    trustedProxies: trusted('127.0.0.1/32'),
    logger: { warn: (_fields, message) => warnings.push(message) },
  })
  t.after(() => agents.close())
  const url = `http://127.0.0.1:${await agents.listen('http', { host: '127.0.0.1', port: 0 })}`
  const headers = { 'X-Forwarded-Method': 'GET', 'X-Forwarded-Uri': '/', 'X-Forwarded-Host': 'site.test' }
  await assert.rejects(ask(url, '/forward-auth', { headers }))
  assert.deepEqual(warnings, ['a call of a proxy could not be answered'])
  const page = pageAsHeader({ status: 200, headers: [['Trailer', 'x']], body: Buffer.from('x') })
  assert.equal((await ask(url, '/answer', { headers: { 'X-Sluice-Answer': page } })).status, 403)
})

test('a body that comes with the call is inspected', async t => {
  const { agentPort, records } = await startAgents(t, 'http')
  const headers = {
    'X-Forwarded-Method': 'POST',
    'X-Forwarded-Uri': '/form',
    'X-Forwarded-Host': 'site.test',
    'Content-Length': '9',
  }
  // Traefik asks by GET, unless it preserves the method.
  for (const method of ['GET', 'POST']) {
    const call = { method, body: 'an attack', headers }
    const told = await ask(`http://127.0.0.1:${agentPort}`, '/forward-auth', call)
    assert.deepEqual([told.status, told.headers.get('x-sluice-score')], [403, '9'])
    const { ClientRequestHost, ClientRequestMethod, WAFFlags } = records.at(-1)!
    assert.deepEqual([ClientRequestHost, ClientRequestMethod, WAFFlags], ['site.test', 'POST', ''])
  }
})
