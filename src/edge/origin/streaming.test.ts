import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { eventually, planFor, startEdge, startOrigin } from '../testing/fixture.ts'
import { openHttp2, startTls } from '../testing/tls-edge.ts'
import { startHttp2Origin } from '../testing/tls-origin.ts'

const mebibyte = 1024 * 1024
const part = Buffer.alloc(64 * 1024)

/** More than all buffers on the way, most of which are the system's. */
const bodyBytes = 32 * mebibyte
const bufferedBytesMax = 24 * mebibyte

/** Writes `bodyBytes` as fast as the receiver takes them. @returns the bytes taken so far */
function pump(writable: NodeJS.WritableStream): () => number {
  let bytes = 0
  const write = () => {
    while (bytes < bodyBytes) {
      bytes += part.length
      if (!writable.write(part)) return
    }
    writable.end()
  }
  writable.on('drain', write)
  write()
  return () => bytes
}

/** Resolves with the value once it no longer changes. */
async function settled(value: () => number): Promise<number> {
  let before = -1
  while (before !== value()) {
    before = value()
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  return before
}

interface Client {
  /** The bytes that the client received; it reads nothing more until `resume`. */
  received(): number
  resume(): void
  readonly writable: NodeJS.WritableStream
  leave(): void
}
type Open = (
  t: Parameters<typeof startTls>[0],
  edge: Awaited<ReturnType<typeof startTls>>,
  method: string,
) => Client

const http1: Open = (t, { port }, method) => {
  const request = httpRequest({ port, host: '127.0.0.1', method, headers: { host: 'zone.test' } })
  request.on('error', () => {})
  t.after(() => request.destroy())
  let received = 0
  let reads = false
  let response: IncomingMessage | undefined
  request.on('response', incoming => {
    response = incoming
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (!reads) incoming.pause()
    })
  })
  if (method === 'GET') request.end()
  return {
    received: () => received,
    resume() {
      reads = true
      response?.resume()
    },
    writable: request,
    leave: () => request.destroy(),
  }
}

const http2: Open = (t, { tlsPort }, method) => {
  const stream = openHttp2(t, tlsPort).request(
    { ':method': method, ':path': '/', ':authority': 'zone.test' },
    { endStream: method === 'GET' },
  )
  stream.on('error', () => {})
  let received = 0
  let reads = false
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (!reads) stream.pause()
  })
  return {
    received: () => received,
    resume() {
      reads = true
      stream.resume()
    },
    writable: stream,
    leave: () => stream.destroy(),
  }
}

/** Starts an https origin that speaks HTTP/2. */
async function startHttp2(t: TestContext, listener: RequestListener): Promise<{ readonly url: string }> {
  const origin = await startHttp2Origin(t)
  origin.server.on('request', listener as never)
  return origin
}

for (const [protocol, open, start] of [
  ['HTTP/1.1', http1, startOrigin],
  ['HTTP/2', http2, startHttp2],
] as const) {
  test(`${protocol}: an origin sends no more than its slow client reads`, async t => {
    let sent = () => 0
    const origin = await start(t, (_, response) => {
      sent = pump(response)
    })
    const edge = await startTls(t, origin.url, { ssl: 'full' })
    const client = open(t, edge, 'GET')
    await eventually(() => client.received() > 0)
    const bytes = await settled(sent)
    assert.ok(bytes < bufferedBytesMax, `${bytes} bytes were taken`)
    client.resume()
    await eventually(() => client.received() === bodyBytes, undefined, 30_000)
  })

  test(`${protocol}: a client sends no more than its slow origin reads`, async t => {
    let request: IncomingMessage | undefined
    let read = 0
    const origin = await start(t, (incoming, response) => {
      request = incoming
      incoming.once('data', () => incoming.pause())
      incoming.on('data', (chunk: Buffer) => {
        read += chunk.length
      })
      incoming.on('end', () => response.end('x'))
    })
    const client = open(t, await startTls(t, origin.url, { ssl: 'full' }), 'POST')
    const sent = pump(client.writable)
    await eventually(() => read > 0)
    const bytes = await settled(sent)
    assert.ok(bytes < bufferedBytesMax, `${bytes} bytes were taken`)
    request!.resume()
    await eventually(() => client.received() === 1, undefined, 30_000)
    assert.equal(read, bodyBytes)
  })
}

test('an origin that reads nothing of a body gets no more time than it may stall', async t => {
  let request: IncomingMessage | undefined
  const origin = await startOrigin(t, incoming => {
    request = incoming.on('error', () => {})
  })
  const { url } = await startEdge(t, planFor(origin.url), { limits: { originStalledMs: 100 } })
  const response = await fetch(url, { method: 'POST', body: Buffer.alloc(bodyBytes) })
  assert.equal(response.status, 504)
  request!.resume()
  await eventually(() => request!.destroyed)
})

test('an origin may answer first and read later', async t => {
  let request: IncomingMessage | undefined
  const origin = await startOrigin(t, (incoming, response) => {
    request = incoming
    response.write('early')
    incoming.on('end', () => response.end('late'))
  })
  const edge = await startTls(t, origin.url, {}, { limits: { originStalledMs: 100 } })
  const client = http2(t, edge, 'POST')
  pump(client.writable)
  await eventually(() => client.received() === 5)
  await new Promise(resolve => setTimeout(resolve, 300))
  request!.resume()
  client.resume()
  await eventually(() => client.received() === 9, undefined, 30_000)
})

test('an origin notices at once that a client of HTTP/2 leaves during an upload that it does not read', async t => {
  let request: IncomingMessage | undefined
  const origin = await startOrigin(t, incoming => {
    request = incoming.on('error', () => {})
  })
  const client = http2(t, await startTls(t, origin.url), 'POST')
  const sent = pump(client.writable)
  await eventually(() => request !== undefined)
  await settled(sent)
  client.leave()
  request!.resume()
  await eventually(() => request!.destroyed)
})
