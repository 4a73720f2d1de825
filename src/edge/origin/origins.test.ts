import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { SslMode, ZoneSettings } from '../../model/zone-settings.ts'
import { zoneOrigins } from '../../rulesets/plan/host-origins.ts'
import {
  eventually,
  planFor,
  planPhase,
  RawClient,
  rule,
  startEdge,
  startOrigin,
  trusted,
} from '../testing/fixture.ts'
import { startTlsOrigin, trustTestCertificate } from '../testing/tls-origin.ts'

function get(port: number, host: string, headers: { readonly [name: string]: string } = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, headers: { host, ...headers } }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    })
    request.on('error', reject)
    request.end()
  })
}

test('an https origin with two hosts in turn needs one handshake for each', async t => {
  trustTestCertificate(t)
  const origin = await startTlsOrigin(t)
  const { port } = await startEdge(t, planFor(origin.url))
  for (let at = 0; at < 100; at++) {
    const host = at % 2 === 0 ? 'origin.test' : 'other.test'
    assert.deepEqual(await get(port, host), { status: 200, body: host })
  }
  assert.deepEqual(origin.names, ['origin.test', 'other.test'])
})

test('a host that is not in the certificate is refused, also after a request for another host', async t => {
  trustTestCertificate(t)
  const origin = await startTlsOrigin(t)
  const { port } = await startEdge(t, planFor(origin.url))
  for (const [host, status] of [
    ['origin.test', 200],
    ['third.test', 502],
    ['origin.test', 200],
    ['third.test', 502],
    ['ORIGIN.test:443', 200],
  ] as const)
    assert.equal((await get(port, host)).status, status, host)
  assert.equal(origin.names.filter(name => name === 'origin.test').length, 1)
})

test('the zone’s setting ssl decides about TLS with the origin and the check of its certificate', async t => {
  const plain = await startOrigin(t, (_request, response) => response.end())
  const secure = await startTlsOrigin(t)
  const statusOf = async (ssl: SslMode | undefined, originUrl: string, host = 'origin.test') => {
    const plan = planFor(originUrl, { settings: { ssl } })
    const { port } = await startEdge(t, { ...plan, origins: zoneOrigins(plan) })
    return (await get(port, host)).status
  }
  const asHttps = plain.url.replace('http:', 'https:')
  const asHttp = secure.url.replace('https:', 'http:')
  for (const ssl of ['off', 'flexible'] as const) assert.equal(await statusOf(ssl, asHttps), 200, ssl)
  assert.equal(await statusOf('full', asHttp), 200, 'an untrusted certificate')
  assert.equal(await statusOf('strict', asHttp), 502)
  assert.equal(await statusOf(undefined, secure.url), 502)
  trustTestCertificate(t)
  assert.equal(await statusOf('strict', asHttp), 200)
  assert.equal(await statusOf(undefined, secure.url), 200)
  assert.equal(await statusOf('strict', asHttp, 'third.test'), 502, 'a name that is not in the certificate')
  assert.equal(await statusOf('full', asHttp, 'third.test'), 200)
})

test('a zone without an origin answers with a page that says so, unless a rule names a server', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const { port } = await startEdge(t, planFor(undefined))
  const { status, body } = await get(port, 'site.test')
  assert.equal(status, 503)
  assert.match(body, /This site has no origin/)
  const { hostname, port: originPort } = new URL(origin.url)
  const route = rule({
    kind: 'route',
    host: hostname,
    port: Number(originPort),
    hostHeader: undefined,
    sni: undefined,
  })
  const statusWith = async (settings: Partial<ZoneSettings>) => {
    const request = [planPhase('http_request_origin', { zone: [route] })]
    const plan = planFor(undefined, { settings, request })
    const routed = await startEdge(t, { ...plan, origins: zoneOrigins(plan) })
    return (await get(routed.port, 'site.test')).status
  }
  assert.equal(await statusWith({}), 200)
  assert.equal(await statusWith({ ssl: 'strict' }), 502, 'the server speaks no TLS')
})

test('clients of a zone with ssl off are redirected to http', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const settings = { ssl: 'off', alwaysUseHttps: true } as const
  const { port } = await startEdge(t, planFor(origin.url, { settings }), {
    trustedProxies: trusted('127.0.0.1/32'),
  })
  const ask = (scheme: string) =>
    new RawClient(port)
      .send(
        `GET /a?b HTTP/1.1\r\nHost: site.test\r\nX-Forwarded-Proto: ${scheme}\r\nConnection: close\r\n\r\n`,
      )
      .end()
  assert.match(await ask('https'), /^HTTP\/1\.1 301 [\s\S]*\r\nLocation: http:\/\/site\.test\/a\?b\r\n/i)
  assert.match(await ask('http'), /^HTTP\/1\.1 200 /)
})

test('idle connections to an https origin with many hosts are limited', async t => {
  trustTestCertificate(t)
  const origin = await startTlsOrigin(t)
  let open = 0
  let most = 0
  origin.server.on('secureConnection', socket => {
    most = Math.max(most, ++open)
    socket.once('close', () => open--)
  })
  const { port } = await startEdge(t, planFor(origin.url), { limits: { originNamesMax: 2 } })
  for (let at = 0; at < 20; at++) await get(port, at % 2 === 0 ? 'origin.test' : `${at}.origin.test`)
  assert.ok(most <= 4, `${most} connections`)
})

test('the edge appends itself to CDN-Loop', async t => {
  const seen: (string | undefined)[] = []
  const origin = await startOrigin(t, (request, response) => {
    seen.push(String(request.headers['cdn-loop']))
    response.end('ok')
  })
  const { port } = await startEdge(t, planFor(origin.url))
  await get(port, 'site.test')
  await get(port, 'site.test', { 'CDN-Loop': 'other.example; v=1' })
  const [own] = seen
  assert.match(own!, /^sluice-[0-9a-f]{16}$/)
  assert.deepEqual(seen, [own, `other.example; v=1, ${own}`])
  // Another installation in front has another name.
  const other = await startEdge(t, planFor(`http://127.0.0.1:${port}`), { clearanceKey: 'another key' })
  assert.equal((await get(other.port, 'site.test')).status, 200)
  assert.match(seen[2]!, new RegExp(`^sluice-[0-9a-f]{16}, ${own}$`))
})

test('a request that already passed an edge of the installation is 508', async t => {
  // Two machines of one installation, each in front of the other.
  const first = await startEdge(t, planFor('http://127.0.0.1:1'))
  const second = await startEdge(t, planFor(`http://127.0.0.1:${first.port}`))
  assert.equal((await get(second.port, 'site.test')).status, 508)
  await eventually(() => first.records.length === 1 && second.records.length === 1)
  assert.equal(first.records[0]!['EdgeResponseStatus'], 508)
  assert.equal(first.edge.stats().loops, 1)
})

test('an origin that is the edge itself is refused', async t => {
  const plan = planFor('http://127.0.0.1:1')
  const { edge, port, records } = await startEdge(t, plan)
  const self = { servers: [{ url: `http://localhost:${port}`, weight: 1 }] }
  Object.assign(plan, { origins: { of: () => self } })
  assert.equal((await get(port, 'site.test')).status, 508)
  await eventually(() => records.length === 1)
  assert.deepEqual([records[0]!['EdgeResponseStatus'], edge.stats().loops], [508, 1])
})

test('when a client leaves, its connection to the origin ends', async t => {
  let open = 0
  const origin = await startOrigin(t, () => {})
  origin.server.on('connection', socket => {
    open++
    socket.once('close', () => open--)
  })
  const { edge, port } = await startEdge(t, planFor(origin.url))
  const clients = Array.from({ length: 20 }, () =>
    new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n'),
  )
  await eventually(() => open === 20)
  for (const client of clients) client.socket.destroy()
  await eventually(() => open === 0 && edge.stats().active === 0)
})

test('a client that leaves opens no further connection to the origin', async t => {
  let connections = 0
  let aborted = 0
  const origin = await startOrigin(t, request => request.once('close', () => aborted++))
  origin.server.on('connection', () => connections++)
  const { port } = await startEdge(t, planFor(origin.url))
  const clients = Array.from({ length: 20 }, () =>
    new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n'),
  )
  await eventually(() => connections === 20)
  for (const client of clients) client.socket.destroy()
  await eventually(() => aborted === 20)
  await setTimeout(200)
  assert.equal(connections, 20)
})

test('a client that leaves during the opening of a WebSocket frees everything', async t => {
  let open = 0
  const origin = await startOrigin(t, () => {})
  const { edge, port } = await startEdge(t, planFor(origin.url), { limits: { tunnelEndingMs: 50 } })
  let client: ReturnType<typeof connect> | undefined
  origin.server.on('upgrade', (_request, socket) => {
    open++
    socket.on('error', () => {})
    socket.resume().on('end', () => socket.end())
    socket.once('close', () => open--)
    // The edge reads the client's end and the origin's response in one turn.
    client!.destroy()
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  for (let at = 1; at <= 20; at++) {
    client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    client.write('GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await eventually(() => edge.stats().requests === at && open === 0 && edge.stats().active === 0)
  }
  assert.equal(edge.stats().tunnels, 0)
})
