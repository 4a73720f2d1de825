import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from './testing/fixture.ts'

/** Accepts WebSockets; echoes frames by unmasking them. One short frame at a time. */
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
