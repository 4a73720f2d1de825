import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin, trusted } from '../testing/fixture.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: site.test\r\n\r\n`
const post = (length: number) => `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: ${length}\r\n\r\n`

/** Responds when the test allows it. */
async function slowOrigin(t: TestContext) {
  const held: (() => void)[] = []
  const origin = await startOrigin(t, (request, response) => {
    request.resume()
    held.push(() => response.end('ok'))
  })
  let open = 0
  let most = 0
  origin.server.on('connection', socket => {
    most = Math.max(most, ++open)
    socket.once('close', () => open--)
  })
  return { url: origin.url, held, connections: () => ({ open, most }) }
}

test('connections to an origin are limited; further requests wait', async t => {
  const origin = await slowOrigin(t)
  const { port } = await startEdge(t, planFor(origin.url), { limits: { originConnectionsMax: 2 } })
  const clients = Array.from({ length: 5 }, (_, at) => new RawClient(port).send(get(`/${at}`)))
  for (let answered = 0; answered < 5; answered++) {
    await eventually(() => origin.held.length > answered)
    assert.ok(origin.held.length <= answered + 2)
    origin.held[answered]!()
  }
  for (const client of clients) assert.match(await client.until('ok'), /^HTTP\/1.1 200 /)
  assert.ok(origin.connections().most <= 2, `${origin.connections().most}`)
})

test('a request without a connection to its origin in time is 503, and recorded', async t => {
  const origin = await slowOrigin(t)
  const { edge, port, records } = await startEdge(t, planFor(origin.url), {
    limits: { originConnectionsMax: 1, originWaitingMax: 1, originWaitMs: 50 },
  })
  const first = new RawClient(port).send(get('/first'))
  await eventually(() => origin.held.length === 1)
  const waiting = new RawClient(port).send(get('/waiting'))
  assert.match(await waiting.until('</html>'), /^HTTP\/1.1 503 [\s\S]*\r\nRetry-After: \d+\r\n/)
  const [one, two] = [0, 1].map(() => new RawClient(port).send(get('/too-many')))
  await Promise.all([one!.until('HTTP/1.1 503 '), two!.until('HTTP/1.1 503 ')])
  origin.held[0]!()
  assert.match(await first.until('ok'), /^HTTP\/1.1 200 /)
  await eventually(() => records.length === 4)
  assert.deepEqual(
    records.map(record => record['EdgeResponseStatus']),
    [503, 503, 503, 200],
  )
  assert.equal(edge.stats().overloads.origin_connections, 3)
})

test('a client that leaves while it waits for a connection leaves the queue', async t => {
  const origin = await slowOrigin(t)
  const { edge, port, records } = await startEdge(t, planFor(origin.url), {
    limits: { originConnectionsMax: 1 },
  })
  const first = new RawClient(port).send(get('/first'))
  await eventually(() => origin.held.length === 1)
  const second = new RawClient(port).send(get('/second'))
  await eventually(() => edge.stats().active === 2)
  second.socket.destroy()
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
  const third = new RawClient(port).send(get('/third'))
  origin.held[0]!()
  await first.until('ok')
  await eventually(() => origin.held.length === 2)
  origin.held[1]!()
  assert.match(await third.until('ok'), /^HTTP\/1.1 200 /)
})

test('a WebSocket keeps its connection to the origin', async t => {
  const { url, server } = await startOrigin(t, (_request, response) => response.end('ok'))
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  const { edge, port } = await startEdge(t, planFor(url), {
    limits: { originConnectionsMax: 1, originWaitMs: 50, tunnelEndingMs: 50 },
  })
  const websocket = new RawClient(port).send(
    'GET / HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  await websocket.until('101 ')
  await new RawClient(port).send(get('/')).until('HTTP/1.1 503 ')
  websocket.socket.destroy()
  await eventually(() => edge.stats().active === 0)
  assert.match(await new RawClient(port).send(get('/')).until('ok'), /^HTTP\/1.1 200 /)
})

test('connections of a client are limited: further ones get 429, and a flood is closed', async t => {
  const { url } = await startOrigin(t, (_request, response) => response.end('ok'))
  const program = fakeProgram()
  const { edge, port, records } = await startEdge(t, planFor(url, { managed: [rule(execution(program))] }), {
    limits: { clientConnectionsMax: 2 },
  })
  const kept = [1, 2].map(() => new RawClient(port).send(get('/')))
  for (const client of kept) await client.until('ok')
  const refused = new RawClient(port).send(get('/?attack') + get('/2'))
  assert.match(await refused.end(), /^HTTP\/1.1 429 [\s\S]*\r\nRetry-After: \d+\r\n/)
  assert.equal(refused.received.split('HTTP/1.1 ').length, 2)
  // The rules did not run.
  assert.equal(program.requests.length, 2)
  const idle = [1, 2].map(() => new RawClient(port))
  await sleep(20)
  assert.equal(await new RawClient(port).end(), '')
  await eventually(() => records.length === 3)
  assert.equal(records[2]!['EdgeResponseStatus'], 429)
  assert.equal(edge.stats().overloads.client_connections, 2)
  for (const client of [...kept, ...idle]) client.socket.destroy()
  await eventually(() => [...kept, ...idle].every(client => client.closed))
  assert.match(await new RawClient(port).send(get('/')).until('ok'), /^HTTP\/1.1 200 /)
})

for (const [name, path] of [
  ['the origin', '/'],
  ['the edge', '/refused'],
] as const)
  test(`a client that does not read the responses of ${name} is cut off`, async t => {
    // Too short for the edge to wait until it is written.
    const origin = await startOrigin(t, (_request, response) => response.end('x'.repeat(12_000)))
    const refuses = rule({ kind: 'action', action: 'block' }, view => view.path === '/refused')
    const { edge, port } = await startEdge(t, planFor(origin.url, { custom: [refuses] }), {
      limits: { bodyIdleTimeoutMs: 300 },
    })
    const client = new RawClient(port)
    client.socket.pause()
    client.send(get(path).repeat(5000))
    let seen = -1
    while (edge.stats().requests !== seen) {
      seen = edge.stats().requests
      await sleep(1000)
    }
    assert.ok(seen > 0 && seen < 5000, `${seen} requests`)
    assert.equal(edge.stats().active, 0)
    client.socket.resume()
    await client.end()
  })

test('connections of trusted proxies are not counted', async t => {
  const { url } = await startOrigin(t, (_request, response) => response.end('ok'))
  const { port } = await startEdge(t, planFor(url), {
    limits: { clientConnectionsMax: 1 },
    trustedProxies: trusted('127.0.0.0/8'),
  })
  for (const client of [1, 2, 3].map(() => new RawClient(port).send(get('/'))))
    assert.match(await client.until('ok'), /^HTTP\/1.1 200 /)
})

test('memory for bodies is limited; a body beyond the limit is 503', async t => {
  const { url } = await startOrigin(t, (request, response) =>
    request.resume().on('end', () => response.end('ok')),
  )
  const managed = [rule(execution(fakeProgram()))]
  const { edge, port, records } = await startEdge(t, planFor(url, { managed }), {
    limits: { bodyBytesMax: 300_000 },
  })
  // These requests wait for the rest of their bodies, which the rules inspect.
  const stalled = [1, 2].map(() => new RawClient(port).send(post(200_000) + 'a'.repeat(100_000)))
  await eventually(() => edge.stats().active === 2)
  await sleep(50)
  assert.match(await new RawClient(port).send(post(200_000) + 'a'.repeat(199_000)).end(), /^HTTP\/1.1 503 /)
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 503)
  assert.equal(edge.stats().overloads.body_memory, 1)
  for (const client of stalled) client.socket.destroy()
  await eventually(() => records.length === 3)
  for (let again = 0; again < 3; again++) {
    const client = new RawClient(port).send(post(200_000) + 'a'.repeat(200_000))
    assert.match(await client.until('ok'), /^HTTP\/1.1 200 /)
  }
})

const held = 90_000
const shares: readonly {
  readonly name: string
  readonly from: readonly string[]
  readonly status: number
}[] = [
  { name: 'one address', from: ['203.0.113.1', '203.0.113.1', '203.0.113.1'], status: 429 },
  { name: 'one network of IPv6', from: ['2001:db8::1', '2001:db8::2', '2001:db8::3'], status: 429 },
  {
    name: 'an address next to a client at its limit',
    from: ['203.0.113.1', '203.0.113.1', '203.0.113.2'],
    status: 200,
  },
  { name: 'a proxy that names no client', from: ['', '', ''], status: 200 },
]
for (const { name, from, status } of shares)
  test(`bodies of one client have a share of the memory: ${name}`, async t => {
    const { url } = await startOrigin(t, (request, response) =>
      request.resume().on('end', () => response.end('ok')),
    )
    const managed = [rule(execution(fakeProgram()))]
    const { edge, port, records } = await startEdge(t, planFor(url, { managed }), {
      limits: { bodyBytesMax: 5 * held, clientBodyShare: 0.45, clientBodyBytesMin: 0 },
      trustedProxies: trusted('127.0.0.0/8'),
    })
    const send = (client: string, body: string) => {
      const forwarded = client === '' ? '' : `X-Forwarded-For: ${client}\r\n`
      const head = `POST / HTTP/1.1\r\nHost: site.test\r\n${forwarded}Content-Length: ${held}\r\n\r\n`
      return new RawClient(port).send(head + body)
    }
    // These requests wait for the last bytes of their bodies, which the rules inspect.
    const stalled = from.slice(0, 2).map(client => send(client, 'a'.repeat(held - 1)))
    await eventually(() => edge.stats().active === 2)
    await sleep(50)
    const answer = await send(from[2]!, 'a'.repeat(held)).until('\r\n\r\n')
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    if (status === 429) assert.match(answer, /\r\nRetry-After: \d+\r\n/)
    assert.equal(edge.stats().overloads.client_body_memory, status === 429 ? 1 : 0)
    for (const client of stalled) assert.match(await client.send('a').until('ok'), /^HTTP\/1.1 200 /)
    for (let again = 0; again < 3; again++)
      assert.match(await send(from[0]!, 'a'.repeat(held)).until('ok'), /^HTTP\/1.1 200 /)
    await eventually(() => records.length === 6)
  })

test('bytes that a slow origin has not read stay counted', async t => {
  const mebibyte = 1024 * 1024
  const slow: IncomingMessage[] = []
  const { url } = await startOrigin(t, (request, response) => {
    if (request.url === '/slow') slow.push(request)
    else request.resume()
    request.on('end', () => response.end('ok'))
  })
  const managed = [rule(execution(fakeProgram()))]
  // More than the system buffers for an unread connection.
  const limits = { bodyBytesMax: 20 * mebibyte, clientBodyShare: 1, inspectedBodyBytesMax: 15 * mebibyte }
  const { port } = await startEdge(t, planFor(url, { managed }), { limits })
  const client = new RawClient(port)
  client.send(`POST /slow HTTP/1.1\r\nHost: site.test\r\nContent-Length: ${16 * mebibyte}\r\n\r\n`)
  client.socket.write(Buffer.alloc(16 * mebibyte))
  await eventually(() => slow.length === 1)
  await sleep(100)
  assert.match(
    await new RawClient(port).send(post(12 * mebibyte) + 'a'.repeat(12 * mebibyte)).end(),
    /^HTTP\/1.1 503 /,
  )
  slow[0]!.resume()
  assert.match(await client.until('ok'), /^HTTP\/1.1 200 /)
  const next = new RawClient(port).send(post(12 * mebibyte) + 'a'.repeat(12 * mebibyte))
  assert.match(await next.until('ok'), /^HTTP\/1.1 200 /)
})

test('forwarded bytes of a body free their memory', async t => {
  const { url } = await startOrigin(t, (request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.end(`${bytes} bytes`))
  })
  const { port } = await startEdge(t, planFor(url), { limits: { bodyBytesMax: 1024 * 1024 } })
  const client = new RawClient(port).send(post(8_000_000) + 'a'.repeat(8_000_000))
  assert.match(await client.until('8000000 bytes'), /^HTTP\/1.1 200 /)
})

test('with a full record log, new requests are 503 and unrecorded, and requests in flight are recorded', async t => {
  const origin = await slowOrigin(t)
  const program = fakeProgram()
  const written: string[] = []
  const records = {
    full: undefined as string | undefined,
    append: (record: string) => void written.push(record),
    handedOver: async () => {},
    flush: async () => {},
    close: async () => {},
  }
  const lines: string[] = []
  const logger = {
    warn: (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`),
    error: (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  }
  const plan = planFor(origin.url, { managed: [rule(execution(program))] })
  const { edge, port, audit } = await startEdge(t, plan, { records, logger })
  const underWay = new RawClient(port).send(get('/under-way'))
  await eventually(() => origin.held.length === 1)
  records.full = 'the spool is full'
  const refused = new RawClient(port).send(get('/1'))
  assert.match(await refused.until('</html>'), /^HTTP\/1.1 503 [\s\S]*\r\nRetry-After: \d+\r\n/)
  for (const request of [
    `${post(3)}a=1`,
    'GET /ws HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: site.test\r\nA b: c\r\n\r\n',
  ])
    await new RawClient(port).send(request).until('HTTP/1.1 503 ')
  const nowhere = new RawClient(port).send('GET / HTTP/1.1\r\nHost: other.example\r\n\r\n')
  assert.match(await nowhere.until('</html>'), /^HTTP\/1.1 404 /)
  assert.equal(edge.refuses(), 'the spool is full')
  assert.deepEqual([origin.held.length, program.requests.length, written.length], [1, 1, 0])
  origin.held[0]!()
  assert.match(await underWay.until('ok'), /^HTTP\/1.1 200 /)
  await eventually(() => written.length === 1)

  records.full = undefined
  // Sent over the connection of the refused request.
  refused.send(get('/again'))
  await eventually(() => origin.held.length === 2)
  origin.held[1]!()
  await refused.until('HTTP/1.1 200 ')
  await eventually(() => written.length === 2)
  assert.deepEqual(
    written.map(line => JSON.parse(line).fields.ClientRequestPath),
    ['/under-way', '/again'],
  )
  await eventually(() => edge.stats().active === 0)
  assert.equal(edge.stats().overloads.record_log, 4)
  assert.equal(edge.refuses(), undefined)
  // The host of no zone has a line in the audit log, and no record.
  assert.equal(audit.length, 3)
  assert.deepEqual(lines, [
    'requests are refused with 503: the spool is full {"refused":1}',
    'the record log has capacity again: requests are served {"refused":3}',
  ])
})

for (const inspected of [true, false])
  test(`a slow body that catches up is not cut off, ${inspected ? 'inspected' : 'streamed'}`, async t => {
    const { url } = await startOrigin(t, (request, response) =>
      request.resume().on('end', () => response.end('ok')),
    )
    const managed = inspected ? [rule(execution(fakeProgram()))] : []
    const graceMs = 2000
    const { port } = await startEdge(t, planFor(url, { managed }), {
      limits: { bodyGraceMs: graceMs, bodyBytesPerSecondMin: 10_000 },
    })
    const parts = 6
    const client = new RawClient(port).send(post(parts * 20_000))
    // The total wait exceeds the grace, but each part makes up for two seconds.
    for (let part = 0; part < parts; part++) {
      await sleep(graceMs / 4)
      client.send('a'.repeat(20_000))
    }
    assert.match(await client.until('ok'), /^HTTP\/1.1 200 /)
  })

test('early bytes earn a slow body no time', async t => {
  const { url } = await startOrigin(t, request => request.resume())
  const { port } = await startEdge(t, planFor(url), {
    limits: { bodyGraceMs: 300, bodyBytesPerSecondMin: 1000 },
  })
  const client = new RawClient(port).send(post(2_000_000) + 'a'.repeat(1_000_000))
  const drip = setInterval(() => client.send('a'), 20)
  t.after(() => clearInterval(drip))
  assert.match(await client.end(), /^HTTP\/1.1 408 /)
})

for (const inspected of [true, false])
  test(`a body that comes too slowly is 408, ${inspected ? 'inspected' : 'streamed'}`, async t => {
    const { url } = await startOrigin(t, request => request.resume())
    const managed = inspected ? [rule(execution(fakeProgram()))] : []
    const { port, records } = await startEdge(t, planFor(url, { managed }), {
      limits: { bodyGraceMs: 200, bodyBytesPerSecondMin: 1000 },
    })
    const client = new RawClient(port).send(post(1_000_000))
    const drip = setInterval(() => client.send('a'), 20)
    t.after(() => clearInterval(drip))
    assert.match(await client.end(), /^HTTP\/1.1 408 /)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], 408)
  })
