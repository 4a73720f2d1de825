import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

/** Accepts WebSockets and echoes unmasked frames, one short frame at a time. */
async function echoOrigin(t: TestContext): Promise<string> {
  const { url, server } = await startOrigin(t, (_request, response) => {
    response.writeHead(426, { 'content-length': '0' })
    response.end()
  })
  server.on('upgrade', (request, socket: Duplex) => {
    if (request.url === '/refused') {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno')
      return
    }
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.on('error', () => {})
    socket.on('data', (frame: Buffer) => {
      const length = frame[1]! & 0x7f
      const payload = frame.subarray(6, 6 + length).map((byte, at) => byte ^ frame[2 + (at % 4)]!)
      socket.write(Buffer.concat([Buffer.from([frame[0]!, length]), payload]))
      if ((frame[0]! & 0x0f) === 8) socket.end()
    })
  })
  return url
}

const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

test('a WebSocket echoes through the edge', async t => {
  const { port, records, edge } = await startEdge(t, planFor(await echoOrigin(t)))
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`)
  const heard: unknown[] = []
  socket.onmessage = event => heard.push(event.data)
  await new Promise(resolve => {
    socket.onopen = resolve
  })
  socket.send('hello')
  await eventually(() => heard.length === 1)
  assert.deepEqual(heard, ['hello'])
  assert.equal(edge.stats().tunnels, 1)
  socket.close()
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 101)
  assert.equal(edge.stats().tunnels, 0)
})

for (const [name, line] of [
  ['POST', 'POST / HTTP/1.1'],
  ['HTTP/1.0', 'GET / HTTP/1.0'],
] as const)
  test(`a WebSocket cannot begin with ${name}`, async t => {
    const { port } = await startEdge(t, planFor(await echoOrigin(t)))
    const client = new RawClient(port).send(upgrade('/').replace('GET / HTTP/1.1', line))
    assert.match(await client.until('\r\n\r\n'), /^HTTP\/1.1 426 /)
    client.socket.destroy()
  })

test('a zone without WebSockets forwards the request without its upgrade', async t => {
  const plan = planFor(await echoOrigin(t), { settings: { websockets: false } })
  const { port, records } = await startEdge(t, plan)
  assert.match(await new RawClient(port).send(upgrade('/')).end(), /^HTTP\/1.1 426 /)
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 426)
})

test('rules can stop an upgrade', async t => {
  const custom = [rule({ kind: 'action', action: 'block' })]
  const { port, records } = await startEdge(t, planFor(await echoOrigin(t), { custom }))
  assert.match(await new RawClient(port).send(upgrade('/')).end(), /^HTTP\/1.1 403 Forbidden/)
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['SecurityAction'], 'block')
})

test("the origin's refusal reaches the client", async t => {
  const { port } = await startEdge(t, planFor(await echoOrigin(t)))
  assert.match(await new RawClient(port).send(upgrade('/refused')).end(), /^HTTP\/1.1 401 [\s\S]*no$/)
})

test('an upgrade to an origin that is down is 502', async t => {
  const { port } = await startEdge(t, planFor('http://127.0.0.1:1'))
  assert.match(await new RawClient(port).send(upgrade('/')).end(), /^HTTP\/1.1 502 /)
})

/** Reports a request for a WebSocket, and never answers it. */
async function silentOrigin(t: TestContext): Promise<{ url: string; asked: Duplex[] }> {
  const { url, server } = await startOrigin(t, () => {})
  const asked: Duplex[] = []
  server.on('upgrade', (_request, socket: Duplex) => asked.push(socket.on('error', () => {})))
  t.after(() => {
    for (const socket of asked) socket.destroy()
  })
  return { url, asked }
}

for (const early of ['', 'x'])
  test(`a client that leaves before its WebSocket is accepted stops its request: ${early === '' ? 'nothing' : 'a byte'} sent early`, async t => {
    const { url, asked } = await silentOrigin(t)
    const { edge, port, records } = await startEdge(t, planFor(url))
    const client = new RawClient(port).send(upgrade('/'))
    await eventually(() => asked.length === 1)
    client.socket.end(early)
    await client.end()
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], 499)
    await eventually(() => edge.stats().active === 0)
  })

test('a client that sends too much before its WebSocket is accepted is disconnected', async t => {
  const { url, asked } = await silentOrigin(t)
  const { edge, port, records } = await startEdge(t, planFor(url), { limits: { pipelinedBytesMax: 1000 } })
  const client = new RawClient(port).send(upgrade('/'))
  await eventually(() => asked.length === 1)
  client.send('x'.repeat(1001))
  await client.end()
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
  await eventually(() => edge.stats().active === 0)
})

test('early data of WebSockets counts as memory for bodies, until it is sent', async t => {
  const { url, asked } = await silentOrigin(t)
  const limits = { bodyBytesMax: 1000, clientBodyBytesMin: 1000, tunnelEndingMs: 50 }
  const { port, records } = await startEdge(t, planFor(url), { limits })
  const first = new RawClient(port).send(`${upgrade('/')}${'x'.repeat(600)}`)
  await eventually(() => asked.length === 1)
  await new RawClient(port).send(`${upgrade('/')}${'x'.repeat(600)}`).end()
  assert.equal(first.closed, false)
  asked[0]!.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  await first.until('101 ')
  const before = asked.length
  const third = new RawClient(port).send(`${upgrade('/')}${'x'.repeat(600)}`)
  await eventually(() => asked.length > before)
  assert.equal(third.closed, false)
  third.socket.destroy()
  first.socket.destroy()
  await eventually(() => records.length === 3)
})

test('a client that keeps sending sees the refusal of its WebSocket, and no reset', async t => {
  const { port, edge } = await startEdge(t, planFor(await echoOrigin(t)), { limits: { lingerMs: 5000 } })
  const client = new RawClient(port)
  let failed: Error | undefined
  client.socket.on('error', error => (failed = error))
  client.send(upgrade('/refused'))
  // By default, node ends a socket when the other side ends.
  client.socket.allowHalfOpen = true
  await client.until('no')
  await eventually(() => edge.stats().active === 0)
  client.send('x')
  await new Promise(resolve => setTimeout(resolve, 50))
  client.send('x')
  await new Promise(resolve => setTimeout(resolve, 50))
  client.socket.end()
  await client.end()
  assert.equal(failed, undefined)
})

test('early data of a WebSocket reaches the origin', async t => {
  const { url, server } = await startOrigin(t, () => {})
  let heard = ''
  const asked: Duplex[] = []
  server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('data', part => (heard += part)).on('error', () => {})
    asked.push(socket)
  })
  t.after(() => asked[0]?.destroy())
  const { port } = await startEdge(t, planFor(url))
  const client = new RawClient(port).send(`${upgrade('/')}one `)
  await eventually(() => asked.length === 1)
  client.send('two ')
  await new Promise(resolve => setTimeout(resolve, 50))
  asked[0]!.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  await client.until('101 ')
  client.send('three')
  await eventually(
    () => heard === 'one two three',
    () => heard,
  )
  client.socket.destroy()
})

test('a tunnel without traffic is closed', async t => {
  const { port } = await startEdge(t, planFor(await echoOrigin(t)), { limits: { tunnelIdleTimeoutMs: 100 } })
  const text = await new RawClient(port).send(upgrade('/')).end()
  assert.match(text, /^HTTP\/1.1 101 Switching Protocols\r\n[\s\S]*Ray-ID: [0-9a-f]{16}/)
})

test('closing the edge ends tunnels', async t => {
  const { port, edge } = await startEdge(t, planFor(await echoOrigin(t)))
  const client = new RawClient(port).send(upgrade('/'))
  await client.until('101 ')
  await eventually(() => edge.stats().tunnels === 1)
  await edge.close()
  await client.end()
})

test('a tunnel goes on while the edge retires, which takes no new connections', async t => {
  const { port, edge } = await startEdge(t, planFor(await echoOrigin(t)), { limits: { retireIdleMs: 0 } })
  const client = new RawClient(port).send(upgrade('/'))
  await client.until('101 ')
  const retired = edge.retire()
  assert.equal(await new RawClient(port).send(upgrade('/')).end(), '')
  // A masked frame of text.
  client.send('\x81\x85\0\0\0\0hello')
  await client.until('hello')
  client.socket.end()
  await retired
  assert.equal(edge.stats().tunnels, 0)
})

test('a tunnel is cut off when the time of a retired edge is over', async t => {
  const { port, edge } = await startEdge(t, planFor(await echoOrigin(t)), { limits: { retireMs: 0 } })
  const client = new RawClient(port).send(upgrade('/'))
  await client.until('101 ')
  await edge.retire()
  assert.equal(edge.stats().tunnels, 1)
  await edge.close()
  await client.end()
})

test('closing the edge ends pending requests for a tunnel', async t => {
  const { url, asked } = await silentOrigin(t)
  const { port, edge, records } = await startEdge(t, planFor(url), { limits: { drainMs: 50 } })
  const client = new RawClient(port).send(upgrade('/'))
  await eventually(() => asked.length === 1)
  let closed = false
  void edge.close().then(() => (closed = true))
  await client.end()
  await eventually(() => closed)
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
})

for (const ends of ['client', 'origin'] as const)
  test(`a tunnel whose ${ends} has ended is closed, even when the other side still sends`, async t => {
    const { url, server } = await startOrigin(t, (_request, response) => response.end())
    let originClosed = false
    server.on('upgrade', (_request, socket: Duplex) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.on('error', () => {})
      socket.resume()
      // Ignores the client's end and continues.
      const chatter = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => {
        clearInterval(chatter)
        originClosed = true
      })
      if (ends === 'origin') {
        clearInterval(chatter)
        socket.end()
      }
    })
    const { port, edge } = await startEdge(t, planFor(url), { limits: { tunnelEndingMs: 100 } })
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    t.after(() => client.destroy())
    client.on('error', () => {})
    client.resume()
    client.write(upgrade('/'))
    if (ends === 'client') {
      await eventually(() => edge.stats().tunnels === 1)
      client.end()
    }
    await eventually(() => edge.stats().requests === 1 && edge.stats().active === 0)
    await eventually(() => originClosed)
    assert.equal(edge.stats().tunnels, 0)
  })
