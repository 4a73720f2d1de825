import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../kit/testing/free-port.ts'
import { eventually, planFor, startEdge, startOrigin } from '../testing/fixture.ts'

/** An address at which nothing listens. */
async function closedPort(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

/** A server that reads requests and closes their connections. */
async function startRude(t: TestContext): Promise<{ url: string; requests: number }> {
  const rude = { url: '', requests: 0 }
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      rude.requests++
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  rude.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return rude
}

function planWith(...urls: readonly string[]) {
  const group = { servers: urls.map(url => ({ url, weight: 1 })) }
  return planFor(urls[0]!, { origins: { of: () => group } })
}

const named = (t: TestContext, name: string) =>
  startOrigin(t, (request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.writeHead(200, { 'x-bytes': bytes }).end(name))
  })

test('the servers of a name take turns', async t => {
  const [a, b] = [await named(t, 'a'), await named(t, 'b')]
  const { url, records } = await startEdge(t, planWith(a.url, b.url))
  const answers: string[] = []
  for (let n = 0; n < 4; n++) answers.push(await (await fetch(url)).text())
  assert.deepEqual(answers, ['a', 'b', 'a', 'b'])
  assert.deepEqual(
    records.map(record => record['OriginIP']),
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'],
  )
})

test('a server that is away costs no request, with any method and a short body', async t => {
  const [away, b] = [await closedPort(), await named(t, 'b')]
  const { url, edge } = await startEdge(t, planWith(away, b.url))
  for (let n = 0; n < 8; n++) {
    const response = await fetch(url, n % 2 === 0 ? {} : { method: 'POST', body: 'short' })
    const bytes = n % 2 === 0 ? '0' : '5'
    assert.deepEqual([response.headers.get('x-bytes'), await response.text()], [bytes, 'b'])
  }
  assert.equal(edge.stats().originFailures, 0)
})

test('a request that a server may have acted on is repeated only if that is safe', async t => {
  const [rude, b] = [await startRude(t), await named(t, 'b')]
  const long = 'x'.repeat(64 * 1024)
  for (const [method, body, statuses] of [
    ['GET', undefined, [200, 200]],
    ['PUT', 'short', [200, 200]],
    ['PUT', long, [200, 502]],
    ['POST', 'short', [200, 502]],
  ] as const) {
    const { url } = await startEdge(t, planWith(rude.url, b.url))
    const found: number[] = []
    for (let n = 0; n < 2; n++) found.push((await fetch(url, { method, body: body ?? null })).status)
    assert.deepEqual(found.sort(), statuses, `${method} ${body?.length}`)
  }
})

test('a request tries at most three servers', async t => {
  const rude = [await startRude(t), await startRude(t), await startRude(t), await startRude(t)]
  const { url } = await startEdge(t, planWith(...rude.map(server => server.url)))
  assert.equal((await fetch(url)).status, 502)
  assert.equal(
    rude.reduce((sum, { requests }) => sum + requests, 0),
    3,
  )
})

test('when a server has no free connection, another one gets the request', async t => {
  const held = Promise.withResolvers<ServerResponse>()
  const busy = await startOrigin(t, (_request, response) => held.resolve(response))
  const b = await named(t, 'b')
  const { url } = await startEdge(t, planWith(busy.url, b.url), { limits: { originConnectionsMax: 1 } })
  const slow = fetch(url)
  const response = await held.promise
  for (let n = 0; n < 4; n++) assert.equal(await (await fetch(url)).text(), 'b')
  response.end('slow')
  assert.equal(await (await slow).text(), 'slow')
})

test('a request goes on to the next pool of a load balancer, if that is wanted', async t => {
  const b = await startOrigin(t, (request, response) => response.end(request.headers.host))
  const pool = (url: string) => ({
    id: url,
    servers: [{ url, weight: 1, hostHeader: 'own.test' }],
    healthyMin: 1,
    weight: 1,
  })
  const pools = [pool(await closedPort()), pool(b.url)]
  for (const [failsOver, status, body] of [
    [false, 502, undefined],
    [true, 200, 'own.test'],
  ] as const) {
    const origins = { pools, fallback: pools[0]!, shared: false, failsOver }
    const { url } = await startEdge(t, planFor(b.url, { origins: { of: () => origins } }))
    const response = await fetch(url)
    assert.equal(response.status, status)
    if (body !== undefined) assert.equal(await response.text(), body)
  }
})

test('the connections of a bounded number of origins are kept', async t => {
  const opened = [0, 0, 0]
  const urls: string[] = []
  for (const at of opened.keys()) {
    const { url, server } = await startOrigin(t, (_request, response) => response.end())
    server.on('connection', () => opened[at]!++)
    urls.push(url)
  }
  let at = 0
  const origins = { of: () => ({ servers: [{ url: urls[at]!, weight: 1 }] }) }
  const { url } = await startEdge(t, planFor(urls[0]!, { origins }), { limits: { originsKeptMax: 2 } })
  for (at of [0, 1, 0, 2, 0, 1]) assert.equal((await fetch(url)).status, 200)
  assert.deepEqual(opened, [1, 2, 1])
})

test('records name the address of an origin whose connections with other checks are closed', async t => {
  const shared = await startOrigin(t, (_request, response) => response.end())
  const other = await startOrigin(t, (_request, response) => response.end())
  const checked = planFor(shared.url)
  const unchecked = planFor(shared.url, { settings: { ssl: 'full' } })
  let plan = checked
  const { url, records } = await startEdge(t, checked, {
    plans: { find: () => plan },
    limits: { originsKeptMax: 2 },
  })
  for (plan of [checked, unchecked, planFor(other.url), unchecked])
    assert.equal((await fetch(url)).status, 200)
  await eventually(() => records.length === 4)
  assert.deepEqual(
    records.map(record => record['OriginIP']),
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'],
  )
})
