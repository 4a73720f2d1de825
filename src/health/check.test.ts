import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { after, before, test } from 'node:test'
import { madeCertificate } from '../kit/testing/certificates.ts'
import type { Monitor, PoolOrigin } from '../model/load-balancing.ts'
import type { OriginTls } from '../model/origin-tls.ts'
import type { Reach } from '../model/settings/index.ts'
import { aMonitor } from '../store/testing/data.ts'
import { check } from './check.ts'
import { healthLimits } from './limits.ts'

const servers: Server[] = []
const seen: IncomingMessage[] = []
let port: number
let other: number
let tls: number
let mutual: number
let ofZone: OriginTls

const answer: RequestListener = (request, response) => {
  seen.push(request)
  const { pathname } = new URL(request.url!, 'http://x')
  if (pathname === '/never') return
  if (pathname === '/away') response.writeHead(302, { location: `http://127.0.0.1:${other}/ok` })
  if (pathname === '/upgrade') response.writeHead(301, { location: `https://127.0.0.1:${mutual}/ok` })
  if (pathname === '/private') response.writeHead(302, { location: 'http://169.254.169.254/' })
  if (pathname === '/loop') response.writeHead(307, { location: '/loop' })
  if (pathname === '/sick') response.statusCode = 503
  const filler = pathname === '/far' ? 'x'.repeat(healthLimits.checkedBodyBytesMax) : ''
  response.end(`${filler}All is Well`)
}

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

before(async () => {
  port = await listen(createServer(answer))
  other = await listen(createServer(answer))
  const { certificate: cert, key } = await madeCertificate(['shop.example'])
  tls = await listen(createTlsServer({ cert, key }, answer))
  const client = await madeCertificate(['client.example'])
  const demanding = { cert, key, ca: client.certificate, requestCert: true, rejectUnauthorized: true }
  mutual = await listen(createTlsServer(demanding, answer))
  ofZone = { id: '', authorities: [cert], client }
})
after(() => {
  for (const server of servers) {
    server.close()
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)()
  }
})

interface Parts {
  readonly monitor?: Partial<Monitor>
  readonly origin?: Partial<PoolOrigin>
  readonly reach?: Reach
  readonly tls?: OriginTls
}

function checked({ monitor, origin, reach = 'loopback', tls }: Parts) {
  const target = {
    ...(tls && { tls }),
    monitor: aMonitor('', { retries: 0, ...monitor }),
    origin: {
      name: '',
      address: '127.0.0.1',
      enabled: true,
      weight: 1,
      port,
      unused: {},
      ...origin,
    },
  }
  const policy = { reach, setting: 'SLUICE_ORIGINS' } as const
  return check(target, policy, new AbortController().signal)
}

test('an origin is healthy if its answer is the expected one', async () => {
  const follows = { followRedirects: true }
  type Row = [Parts, reason: RegExp | undefined, status: number]
  const host = { Host: ['shop.example'] }
  const secure = (change: Partial<Monitor>, own?: OriginTls): Parts => ({
    monitor: { type: 'https', header: host, ...change },
    ...(own && { tls: own }),
  })
  const withCertificates: Row[] = [
    [secure({ port: tls }), /certificate is not valid/, 0],
    [secure({ port: tls }, ofZone), undefined, 200],
    [secure({ port: mutual }, { ...ofZone, client: undefined }), /./, 0],
    [secure({ port: mutual }, ofZone), undefined, 200],
    [secure({ type: 'http', path: '/upgrade', ...follows }, ofZone), undefined, 200],
    [secure({ type: 'http', path: '/upgrade', ...follows }), /certificate is not valid/, 0],
  ]
  const rows: Row[] = [
    [{}, undefined, 200],
    [{ monitor: { expectedBody: 'all is well' } }, undefined, 200],
    [{ monitor: { expectedBody: 'ill' } }, /does not have the expected text/, 200],
    [{ monitor: { path: '/far', expectedBody: 'all is well' } }, /does not have the expected text/, 200],
    [{ monitor: { path: '/sick' } }, /answers with status 503, and 200 is expected/, 503],
    [{ monitor: { path: '/sick', expectedCodes: '2xx,503' } }, undefined, 503],
    [{ monitor: { path: '/away' } }, /answers with status 302/, 302],
    [{ monitor: { path: '/away', ...follows } }, undefined, 200],
    [{ monitor: { path: '/loop', ...follows } }, /redirects more than 5 times/, 0],
    [{ monitor: { path: '/private', ...follows } }, /never connected to/, 0],
    [{ reach: 'public' }, /SLUICE_ORIGINS=public does not allow/, 0],
    [{ monitor: { port: 1 } }, /refuses connections/, 0],
    [{ monitor: { type: 'tcp', port } }, undefined, 0],
    [{ monitor: { type: 'tcp', port: 1 } }, /refuses connections/, 0],
    [{ monitor: { type: 'tcp', port }, reach: 'public' }, /SLUICE_ORIGINS=public/, 0],
    [{ monitor: { type: 'https', port: tls } }, /certificate is not valid/, 0],
    [{ monitor: { type: 'https', port: tls, allowInsecure: true } }, undefined, 200],
    [{ monitor: { type: 'https' } }, /does not speak TLS/, 0],
    ...withCertificates,
  ]
  for (const [parts, reason, status] of rows) {
    const finding = await checked(parts)
    const said = JSON.stringify([parts, finding])
    assert.equal(finding.healthy, reason === undefined, said)
    if (reason === undefined) assert.equal(finding.reason, '', said)
    else assert.match(finding.reason, reason)
    assert.equal(finding.status, status, said)
  }
})

test('the request of a check has the headers of the monitor and the host of the origin', async () => {
  const header = { Host: ['m.test'], 'X-App': ['a', 'b'], Authorization: ['secret'] }
  const ask = async (parts: Parts) => {
    seen.length = 0
    await checked(parts)
    return seen.map(({ headers }) => [
      headers.host,
      headers['x-app'],
      headers.authorization,
      headers['user-agent'],
    ])
  }
  const agent = 'Sluice-Health-Check'
  assert.deepEqual(await ask({}), [[`127.0.0.1:${port}`, undefined, undefined, agent]])
  assert.deepEqual(await ask({ monitor: { header } }), [['m.test', 'a, b', 'secret', agent]])
  assert.deepEqual(await ask({ monitor: { header }, origin: { hostHeader: 'o.test' } }), [
    ['o.test', 'a, b', 'secret', agent],
  ])
  assert.deepEqual(
    await ask({ monitor: { header, path: '/away', followRedirects: true } }),
    [
      ['m.test', 'a, b', 'secret', agent],
      [`127.0.0.1:${other}`, undefined, undefined, agent],
    ],
    'secrets do not follow a redirect to another server',
  )
})

test('only a time-out is tried again', async () => {
  seen.length = 0
  const finding = await checked({ monitor: { path: '/never', timeoutSeconds: 0.1, retries: 2 } })
  assert.equal(finding.reason, 'it did not answer within 0.1 s')
  assert.equal(seen.length, 3)
  seen.length = 0
  await checked({ monitor: { path: '/sick', retries: 2 } })
  assert.equal(seen.length, 1)
})
