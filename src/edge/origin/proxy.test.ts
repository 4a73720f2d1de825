import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import type { Reach } from '../../model/settings/index.ts'
import { defaultZoneSettings } from '../../model/zone-settings.ts'
import { eventually, planFor, RawClient, startEdge, startOrigin, trusted } from '../testing/fixture.ts'

const get = 'GET / HTTP/1.1\r\nHost: site.test\r\n'

test('large bodies pass completely in both directions', async t => {
  const origin = await startOrigin(t, (request, response) => request.pipe(response))
  const { url, records } = await startEdge(t, planFor(origin.url))
  const body = randomBytes(5 * 1024 * 1024)
  const response = await fetch(url, { method: 'POST', body })
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  assert.equal(digest(new Uint8Array(await response.arrayBuffer())), digest(body))
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseBodyBytes'], body.length)
  assert.equal(records[0]!['OriginResponseBytes'], body.length)
  assert.ok((records[0]!['ClientRequestBytes'] as number) > body.length)
})

for (const [bytes, gathered] of [
  [16, true],
  [17, false],
] as const) {
  test(`a body of ${bytes} bytes is ${gathered ? 'gathered before the origin is asked' : 'streamed'}`, async t => {
    let asked = false
    const origin = await startOrigin(t, (request, response) => {
      asked = true
      request.pipe(response)
    })
    const { port } = await startEdge(t, planFor(origin.url), { limits: { gatheredBodyBytesMax: 16 } })
    const client = new RawClient(port).send(
      `POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes - 1)}`,
    )
    if (gathered) await new Promise(resolve => setTimeout(resolve, 50))
    else await eventually(() => asked)
    assert.equal(asked, !gathered)
    assert.match(await client.send('z').until('z'), /^HTTP\/1.1 200 /)
  })
}

test('connections are kept alive on both sides', async t => {
  const peers = new Set<number | undefined>()
  const origin = await startOrigin(t, (request, response) => {
    peers.add(request.socket.remotePort)
    response.end('ok')
  })
  const { port, records } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port)
  for (let count = 1; count <= 3; count++) {
    client.send(`${get}\r\n`)
    await eventually(() => client.received.split('200 OK').length === count + 1 && records.length === count)
  }
  assert.equal(peers.size, 1)
})

test('server-sent events arrive one by one', async t => {
  let push: (text: string) => void = () => {}
  const origin = await startOrigin(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    push = text => response.write(text)
  })
  const { port } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(`${get}Accept: text/event-stream\r\n\r\n`)
  await client.until('text/event-stream')
  push('data: one\n\n')
  await client.until('data: one')
  push('data: two\n\n')
  await client.until('data: two')
})

test('100 Continue is sent when the edge reads the body', async t => {
  const origin = await startOrigin(t, (request, response) => {
    assert.equal(request.headers['expect'], undefined)
    request.pipe(response)
  })
  const { port } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(
    'POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n',
  )
  await client.until('100 Continue')
  client.send('hello')
  assert.match(await client.until('hello'), /200 OK/)
})

for (const status of [200, 204, 304]) {
  test(`HEAD, response ${status}`, async t => {
    const origin = await startOrigin(t, (_request, response) => {
      response.writeHead(status, status === 200 ? { 'content-length': '1234', etag: '"a"' } : { etag: '"a"' })
      response.end()
    })
    const { port } = await startEdge(t, planFor(origin.url))
    const client = new RawClient(port).send('HEAD / HTTP/1.1\r\nHost: site.test\r\n\r\n')
    const text = await client.until('\r\n\r\n')
    assert.ok(text.startsWith(`HTTP/1.1 ${status} `))
    assert.match(text, /etag: "a"/i)
    if (status === 200) assert.match(text, /content-length: 1234/i)
    assert.ok(text.endsWith('\r\n\r\n'))
    client.send('HEAD / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n')
    assert.equal((await client.end()).split('HTTP/1.1 ').length, 3)
  })
}

test('a 304 or 204 that announces a length is complete without a body', async t => {
  const origin = await startOrigin(t, (request, response) => {
    response.writeHead(Number(request.url!.slice(1)), { 'content-length': '500', etag: '"a"' })
    response.end()
  })
  const { port, records } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port)
  for (const status of [304, 204, 304]) {
    const before = client.received.length
    client.send(`GET /${status} HTTP/1.1\r\nHost: site.test\r\nIf-None-Match: "a"\r\n\r\n`)
    await eventually(() => client.received.endsWith('\r\n\r\n') && client.received.length > before)
    const head = client.received.slice(before)
    assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head)
    assert.match(head, /etag: "a"/i)
    assert.equal(/content-length: 500/i.test(head), status === 304)
  }
  await eventually(() => records.length === 3)
  const statuses = records.map(record => [record['EdgeResponseStatus'], record['OriginResponseStatus']])
  assert.deepEqual(statuses, [
    [304, 304],
    [204, 204],
    [304, 304],
  ])
})

test('an unreachable origin is 502 and recorded; the page shows the Ray ID', async t => {
  const origin = await startOrigin(t, () => {})
  await new Promise(resolve => origin.server.close(resolve))
  const { url, records, edge } = await startEdge(t, planFor(origin.url))
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  assert.equal(response.status, 502)
  const body = (await response.json()) as { error: string; ray_id: string }
  assert.equal(body.error, 'origin_unreachable')
  assert.equal(body.ray_id, response.headers.get('ray-id'))
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 502)
  assert.equal(records[0]!['OriginResponseStatus'], 0)
  assert.equal(records[0]!['RayID'], body.ray_id)
  assert.equal(edge.stats().originFailures, 1)
})

test('an origin without a response is 504', async t => {
  const origin = await startOrigin(t, () => {})
  const { url } = await startEdge(t, planFor(origin.url), { limits: { originHeadersTimeoutMs: 100 } })
  assert.equal((await fetch(url)).status, 504)
})

test('a zone limits the pauses of its origin', async t => {
  const origin = await startOrigin(t, (request, response) => {
    if (request.url === '/half') response.writeHead(200, { 'content-length': '100' }).write('half')
  })
  const settings = { originReadTimeoutMs: 100 }
  const { url } = await startEdge(t, planFor(origin.url, { settings }))
  assert.equal((await fetch(url)).status, 504)
  await assert.rejects((await fetch(`${url}/half`)).text(), /terminated/)
})

test('a zone limits the time to connect to its origin', async t => {
  // Accepts connections, and never answers the TLS handshake.
  const silent = createServer(socket => t.after(() => socket.destroy()))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const settings = { originConnectTimeoutMs: 100 }
  const plan = planFor(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`, { settings })
  const { url } = await startEdge(t, plan)
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  assert.equal(response.status, 504)
  assert.equal(((await response.json()) as { error: string }).error, 'origin_slow')
})

test('a response that the origin breaks off is visibly incomplete', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half')
    setTimeout(() => response.destroy(), 50)
  })
  const { port } = await startEdge(t, planFor(origin.url))
  const text = await new RawClient(port).send(`${get}\r\n`).end()
  assert.ok(text.endsWith('\r\n\r\nhalf'))
})

test('GET is retried when its kept-alive connection is dead', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('ok'))
  const { url } = await startEdge(t, planFor(origin.url))
  assert.equal(await (await fetch(url)).text(), 'ok')
  origin.server.closeAllConnections()
  assert.equal(await (await fetch(url)).text(), 'ok')
})

test('GET is retried on a new connection, because other kept ones may be dead, too', async t => {
  const used = new Set<Socket>()
  const held: ServerResponse[] = []
  const slowIsRead = Promise.withResolvers<void>()
  const origin = await startOrigin(t, async (request, response) => {
    const { socket } = request
    const isKept = used.has(socket)
    used.add(socket)
    if (request.url === '/last') {
      if (isKept) {
        // The connection that served this is free now, and it is as dead as the other one.
        for (const slow of held.splice(0)) slow.end('slow')
        await slowIsRead.promise
        socket.destroy()
      } else response.end('new')
      return
    }
    held.push(response)
    if (request.url === '/pair' && held.length === 2) for (const one of held.splice(0)) one.end('ok')
  })
  const { url } = await startEdge(t, planFor(origin.url))
  const ask = async (path: string) => (await fetch(`${url}${path}`)).text()
  await Promise.all([ask('/pair'), ask('/pair')])
  const slow = ask('/slow').then(() => slowIsRead.resolve())
  await eventually(() => held.length === 1)
  assert.equal(await ask('/last'), 'new')
  await slow
})

test('the connection to the origin ends when the client leaves', async t => {
  let asked = false
  let gone = false
  const origin = await startOrigin(t, request => {
    asked = true
    request.socket.on('close', () => {
      gone = true
    })
  })
  const { port, records } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(`${get}\r\n`)
  await eventually(() => asked)
  client.socket.destroy()
  await eventually(() => gone && records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
})

test('hop-by-hop headers and trailers of a request are not forwarded', async t => {
  let seen: readonly string[] = []
  const origin = await startOrigin(t, (request, response) => {
    seen = request.rawHeaders.map(text => text.toLowerCase())
    response.writeHead(200, {
      connection: 'keep-alive, x-origin-hop',
      'x-origin-hop': '1',
      'proxy-authenticate': 'Basic',
      'x-kept': 'caf\xe9',
    })
    response.end('body')
  })
  const { port } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(
    'POST / HTTP/1.1\r\nHost: site.test\r\nConnection: close, X-Hop, Cookie\r\nX-Hop: 1\r\nTE: gzip;q=1\r\nCookie: a=1\r\n' +
      'Proxy-Authorization: Basic x\r\nUpgrade: h2c\r\nX-Bytes: \xff\xe9\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n',
  )
  const text = await client.end()
  for (const name of ['x-hop', 'gzip;q=1', 'proxy-authorization', 'upgrade', 'x-trailer'])
    assert.ok(!seen.includes(name), name)
  for (const name of ['cookie', 'x-bytes', 'ray-id']) assert.ok(seen.includes(name), name)
  assert.equal(seen[seen.indexOf('x-bytes') + 1], '\xff\xe9')
  assert.doesNotMatch(text, /x-origin-hop|proxy-authenticate/i)
  assert.match(text, /x-kept: caf\xe9/)
  assert.match(text, /Ray-ID: [0-9a-f]{16}/)
})

const forwarded: readonly {
  name: string
  trust: readonly string[]
  headers: Record<string, string>
  want: readonly [forwardedFor: string, proto: string, client: string]
}[] = [
  { name: 'no proxy in front', trust: [], headers: {}, want: ['127.0.0.1', 'http', '127.0.0.1'] },
  {
    name: 'an untrusted claim is replaced',
    trust: ['10.0.0.0/8'],
    headers: { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' },
    want: ['127.0.0.1', 'http', '127.0.0.1'],
  },
  {
    name: 'a claim of a trusted proxy counts',
    trust: ['127.0.0.0/8'],
    headers: { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' },
    want: ['1.2.3.4, 127.0.0.1', 'https', '1.2.3.4'],
  },
  {
    name: 'the nearest untrusted address is the client',
    trust: ['127.0.0.0/8', '10.0.0.0/8'],
    headers: { 'x-forwarded-for': '6.6.6.6, [2001:db8::1]:99, 10.1.1.1' },
    want: ['2001:db8::1, 10.1.1.1, 127.0.0.1', 'http', '2001:db8::1'],
  },
  {
    name: 'an invalid address ends the search',
    trust: ['127.0.0.0/8', '10.0.0.0/8'],
    headers: { 'x-forwarded-for': 'unknown, 10.1.1.1' },
    want: ['10.1.1.1, 127.0.0.1', 'http', '10.1.1.1'],
  },
  {
    name: 'an IPv4-mapped IPv6 address is the IPv4 address',
    trust: ['127.0.0.0/8'],
    headers: { 'x-forwarded-for': '::ffff:203.0.113.7' },
    want: ['203.0.113.7, 127.0.0.1', 'http', '203.0.113.7'],
  },
  {
    name: 'an IPv4-mapped address in hexadecimal is the IPv4 address',
    trust: ['127.0.0.0/8'],
    headers: { 'x-forwarded-for': '[0:0:0:0:0:FFFF:cb00:7107]:80' },
    want: ['203.0.113.7, 127.0.0.1', 'http', '203.0.113.7'],
  },
  {
    name: 'addresses are canonical',
    trust: ['127.0.0.0/8'],
    headers: { 'x-forwarded-for': '2001:DB8:0:0::0001' },
    want: ['2001:db8::1, 127.0.0.1', 'http', '2001:db8::1'],
  },
]
for (const { name, trust, headers, want } of forwarded) {
  test(`X-Forwarded-For: ${name}`, async t => {
    const origin = await startOrigin(t, (request, response) => {
      response.end(`${request.headers['x-forwarded-for']}|${request.headers['x-forwarded-proto']}`)
    })
    const { url, records } = await startEdge(t, planFor(origin.url), { trustedProxies: trusted(...trust) })
    assert.equal(await (await fetch(url, { headers })).text(), `${want[0]}|${want[1]}`)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['ClientIP'], want[2])
  })
}

test('an origin that responds before it has the body', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    response.writeHead(413, { 'content-length': '3' })
    response.end('big')
  })
  const { port, edge } = await startEdge(t, planFor(origin.url), { limits: { lingerMs: 200 } })
  const client = new RawClient(port)
  client.send(`POST / HTTP/1.1\r\nHost: site.test\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(500_000)}`)
  await client.until('big')
  assert.match(await client.end(), /^HTTP\/1.1 413 /)
  await eventually(() => edge.stats().active === 0)
})

test('closing lets requests in flight end, and refuses new connections', async t => {
  const closes = Promise.withResolvers<void>()
  const origin = await startOrigin(t, async (_request, response) => {
    await closes.promise
    response.end('late')
  })
  const { port, edge } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(`${get}\r\n`)
  await eventually(() => edge.stats().active === 1)
  const closing = edge.close()
  closes.resolve()
  assert.match(await client.end(), /Connection: close[\s\S]*late/i)
  await closing
  const refused = new RawClient(port)
  await refused.end()
  assert.equal(refused.received, '')
})

test('origins are reached only at allowed addresses: never link-local ones, loopback unless that is off', async t => {
  const asked: string[] = []
  const origin = await startOrigin(t, (request, response) => {
    asked.push(request.url!)
    response.end('here')
  })
  const statusOf = async (originUrl: string, origins: Reach) => {
    const { url } = await startEdge(t, planFor(originUrl), { origins })
    return (await fetch(`${url}/${origins}`)).status
  }
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = origin.url.replace('127.0.0.1', host)
    assert.equal(await statusOf(url, 'private'), 200)
    assert.equal(await statusOf(url, 'public'), 502)
  }
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '2852039166'])
    assert.equal(await statusOf(`http://${host}`, 'private'), 502, host)
  assert.deepEqual(asked, ['/private', '/private'])
})

test('a body longer than the zone accepts is 413, announced or not, and the connection ends', async t => {
  const origin = await startOrigin(t, (request, response) => {
    request.resume().on('error', () => {})
    request.once('end', () => response.end('taken'))
  })
  const settings = { ...defaultZoneSettings, uploadBytesMax: 40_000 }
  const { port, records } = await startEdge(t, { ...planFor(origin.url), settings })
  const head = 'POST / HTTP/1.1\r\nHost: site.test\r\n'
  const chunk = `4e20\r\n${'x'.repeat(20_000)}\r\n`
  const rows: [request: string, status: number][] = [
    [`${head}Content-Length: 40001\r\n\r\n`, 413],
    [`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(2)}1\r\nx\r\n0\r\n\r\n`, 413],
    [`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(2)}0\r\n\r\n`, 200],
  ]
  for (const [request, status] of rows)
    assert.match(await new RawClient(port).send(request).end(), new RegExp(`^HTTP/1.1 ${status} `))
  await eventually(() => records.length === rows.length)
  assert.deepEqual(
    records.map(record => record['EdgeResponseStatus']),
    rows.map(([, status]) => status),
  )
})
