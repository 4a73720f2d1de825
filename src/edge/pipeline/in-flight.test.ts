import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CidrSet, parseCidr } from '../../kit/cidr.ts'
import { collectAll, collectNew, oldBytes } from '../../kit/testing/garbage.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { eventually, planFor, RawClient, startOrigin } from '../testing/fixture.ts'
import { ask, openHttp2, startTls } from '../testing/tls-edge.ts'
import { RequestsInFlight } from './in-flight.ts'

/**
 * An edge with few slots, for `zone.test` and `other.test`, and an origin that answers when the test allows it.
 * @param trusted proxies
 */
async function startFull(t: TestContext, requestsMax = 5, trusted: readonly string[] = []) {
  const held: (() => void)[] = []
  const origin = await startOrigin(t, (request, response) => {
    request.resume()
    held.push(() => response.end('ok'))
  })
  origin.server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  const plan = planFor(origin.url)
  const other = { ...plan, zone: { ...plan.zone, id: 'f'.repeat(32), name: 'other.test' } }
  const started = await startTls(
    t,
    origin.url,
    {},
    {
      limits: { requestsMax },
      trustedProxies: new CidrSet(trusted.map(text => parseCidr(text)!)),
      plans: { find: host => (host === 'other.test' ? other : host === 'zone.test' ? plan : undefined) },
    },
  )
  return { ...started, held }
}

const get = (path: string, host = 'zone.test') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`

test('a worker at its bound answers further requests with 503, and records them', async t => {
  const { edge, port, tlsPort, held, records } = await startFull(t)
  const session = openHttp2(t, tlsPort)
  const path = (at: number) => ({ ':path': `/${at}`, ':authority': 'zone.test' })
  const underWay = [ask(session, path(1)), ask(session, path(2))]
  const plain = [3, 4].map(at => new RawClient(port).send(get(`/${at}`)))
  await eventually(() => held.length === 4)

  const refused = await ask(session, path(5))
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '10'])
  const client = new RawClient(port).send(
    'POST /6 HTTP/1.1\r\nHost: zone.test\r\nContent-Length: 3\r\n\r\na=1',
  )
  assert.match(await client.until('</html>'), /^HTTP\/1.1 503 [\s\S]*\r\nRetry-After: 10\r\n/)
  const malformed = new RawClient(port).send('GET /7 HTTP/1.1\r\nHost: zone.test\r\nA b: c\r\n\r\n')
  assert.match(await malformed.end(), /^HTTP\/1.1 503 /)
  assert.equal(held.length, 4)
  await eventually(() => records.length === 3)
  assert.deepEqual(
    records.map(record => [record['ClientRequestPath'], record['EdgeResponseStatus']]),
    [
      ['/5', 503],
      ['/6', 503],
      ['/7', 503],
    ],
  )
  assert.equal(edge.stats().overloads.requests_in_flight, 3)

  for (const release of held) release()
  for (const answer of underWay) assert.equal((await answer).status, 200)
  for (const one of plain) await one.until('ok')
  // Each of the four slots is free again, and the connection of a refused request is usable.
  client.send(get('/again'))
  await eventually(() => held.length === 5)
  held[4]!()
  await client.until('HTTP/1.1 200 ')
})

test('a zone with many requests leaves slots for another zone', async t => {
  const { port, held } = await startFull(t, 5, ['127.0.0.1'])
  const many = Array.from({ length: 20 }, () => new RawClient(port).send(get('/')))
  await eventually(() => many.filter(({ received }) => received.startsWith('HTTP/1.1 503 ')).length === 16)
  const neighbour = new RawClient(port).send(get('/', 'other.test'))
  await eventually(() => held.length === 5)
  for (const release of held) release()
  assert.match(await neighbour.until('ok'), /^HTTP\/1.1 200 /)
})

test('a client with many requests leaves slots for another client of its zone', async t => {
  const { edge, port, held } = await startFull(t, 20, ['127.0.0.1'])
  const from = (address: string) =>
    new RawClient(port).send(get('/').replace('\r\n\r\n', `\r\nX-Forwarded-For: ${address}\r\n\r\n`))
  // One client: addresses of one /64.
  const many = Array.from({ length: 16 }, (_, at) => from(`2001:db8::${at}`))
  await eventually(() => many.filter(({ received }) => received.startsWith('HTTP/1.1 429 ')).length === 2)
  assert.match(many.map(({ received }) => received).join(''), /requests in progress from your address/)
  assert.equal(edge.stats().overloads.client_requests, 2)
  const others = [from('2001:db8:0:1::1'), new RawClient(port).send(get('/'))]
  await eventually(() => held.length === 16)
  for (const release of held) release()
  for (const other of others) assert.match(await other.until('ok'), /^HTTP\/1.1 200 /)
})

test('WebSockets take no slots', async t => {
  const { port, held } = await startFull(t)
  for (let opened = 0; opened < 6; opened++)
    await new RawClient(port)
      .send('GET / HTTP/1.1\r\nHost: zone.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      .until('HTTP/1.1 101 ')
  const client = new RawClient(port).send(get('/'))
  await eventually(() => held.length === 1)
  held[0]!()
  await client.until('ok')
})

test('an ended request is not kept in memory beside others', () => {
  const inFlight = new RequestsInFlight(100)
  const underWay: Exchange[] = []
  const begin = () => {
    const facts = { zoneId: 'zone', client: '192.0.2.1' }
    const exchange = { facts, hasSlot: false, held: new Array(1000).fill(0.5) } as unknown as Exchange
    assert.equal(inFlight.enter(exchange), undefined)
    underWay.push(exchange)
  }
  for (let n = 0; n < 8; n++) begin()
  collectAll()
  const before = oldBytes()
  for (let n = 0; n < 1000; n++) {
    begin()
    inFlight.leave(underWay.shift()!)
    if (n % 50 === 0) collectNew()
  }
  const kept = oldBytes() - before
  assert.ok(kept < 1_000_000, `${kept} bytes`)
})
