import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { RawClient, startOrigin } from '../testing/fixture.ts'
import { endStream, fieldBlock, frame, frameTypes, get, headers, RawHttp2 } from '../testing/http2-frames.ts'
import { openHttp2, startTls } from '../testing/tls-edge.ts'
import { startHttp2Origin } from '../testing/tls-origin.ts'
import { ShortParts } from './short-parts.ts'

const letters = 'abcdefghij'.repeat(2000)

/** Starts an edge, and an origin that keeps the parts of the bodies that it receives. */
async function start(t: TestContext) {
  const received: string[] = []
  const origin = await startOrigin(t, (request, response) => {
    request.on('data', part => received.push(String(part)))
    request.on('end', () => response.end('fine'))
  })
  return { ...(await startTls(t, origin.url)), received }
}

/** All of the body has arrived, and the edge joined what arrived in one turn. */
function wasJoined(received: readonly string[]): void {
  assert.equal(received.join(''), letters)
  assert.ok(received.length < letters.length / 10, `${received.length} parts`)
}

test('chunks of one byte are joined', async t => {
  const { port, received } = await start(t)
  const client = new RawClient(port).send(
    'POST / HTTP/1.1\r\nHost: zone.test\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  client.send(`${[...letters].map(letter => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`)
  await client.until('fine')
  wasJoined(received)
  // The connection is read again.
  client.send('GET / HTTP/1.1\r\nHost: zone.test\r\nConnection: close\r\n\r\n')
  assert.match(await client.end(), /fine.*fine/s)
})

test('DATA frames of one byte are joined', async t => {
  const { tlsPort, received } = await start(t)
  const client = await RawHttp2.open(t, tlsPort)
  client.send(headers(1, fieldBlock([[':method', 'POST'], ...get.slice(1)])))
  client.send(...[...letters].map(letter => frame(frameTypes.data, 0, 1, Buffer.from(letter))))
  client.send(frame(frameTypes.data, endStream, 1))
  assert.equal(await client.outcome(1), 'response')
  wasJoined(received)
})

const part = 'a'.repeat(1000)

/** A request with a body of short parts, few of which arrive in one turn. */
interface Upload {
  readonly writable: Writable
  /** So much is written in one turn, and it has so many parts. */
  readonly burst: string
  readonly parts: number
  end(): void
}
type Edge = Awaited<ReturnType<typeof startTls>>

const uploads: readonly [protocol: string, open: (t: TestContext, edge: Edge) => Upload][] = [
  [
    'HTTP/1.1',
    (_, { port }) => {
      const { socket } = new RawClient(port).send(
        'POST / HTTP/1.1\r\nHost: zone.test\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      const chunks = `3e8\r\n${part}\r\n`.repeat(50)
      return { writable: socket, burst: chunks, parts: 50, end: () => void socket.write('0\r\n\r\n') }
    },
  ],
  [
    'HTTP/2',
    (t, { tlsPort }) => {
      const head = { ':method': 'POST', ':path': '/', ':authority': 'zone.test' }
      const stream = openHttp2(t, tlsPort).request(head, { endStream: false })
      return { writable: stream, burst: part, parts: 1, end: () => void stream.end() }
    },
  ],
]

/** Writes in bursts until the writable takes nothing more for many turns. @returns the written bursts */
async function fill({ writable, burst }: Upload): Promise<number> {
  let bursts = 0
  let isDrained = true
  writable.on('drain', () => {
    isDrained = true
  })
  while (isDrained) {
    assert.ok(++bursts < 5000, 'the client is not stopped')
    isDrained = writable.write(burst)
    for (let turns = 0; turns < 500 && !isDrained; turns++) await nextTurn()
    await nextTurn()
  }
  return bursts
}

for (const [protocol, open] of uploads)
  test(`${protocol}: a client that sends short parts is stopped while its origin does not read`, async t => {
    let request: Readable | undefined
    let read = 0
    const origin = await startHttp2Origin(t)
    origin.server.on('request', incoming => {
      request = incoming
      incoming.once('data', () => incoming.pause())
      incoming.on('data', chunk => {
        read += chunk.length
      })
    })
    const upload = open(t, await startTls(t, origin.url, { ssl: 'full' }))
    const bursts = await fill(upload)
    upload.end()
    const ended = once(request!, 'end')
    request!.resume()
    await ended
    assert.equal(read, bursts * upload.parts * part.length)
  })

/** A body that keeps what was read of it, and whether its client may send more after each part. */
function newBody() {
  const body = new Readable({ read() {} })
  const read: Buffer[] = []
  body.on('data', part => read.push(part))
  const short = new ShortParts(body, '192.0.2.1', part => body.push(part))
  const push = (part: string) => short.push(Buffer.from(part))
  return { body, short, push, read, texts: () => read.map(String) }
}

test('a client with many short parts is read on in a later turn', async () => {
  const { body, short, push, texts } = newBody()
  await nextTurn()
  const answers = [...letters.slice(0, 300)].map(push)
  assert.equal(answers[0], true)
  assert.equal(answers.at(-1), false)
  assert.deepEqual(texts(), [])
  await nextTurn()
  await nextTurn()
  assert.deepEqual(texts(), [letters.slice(0, 300)])
  assert.equal(push('a'), true)
  const long = 'b'.repeat(2000)
  assert.equal(push(long), true)
  push('c')
  short.push(null)
  await once(body, 'end')
  assert.deepEqual(texts().slice(1), ['a', long, 'c'])
})

test('a body of short parts that is not read fills no more than its buffer', async () => {
  const { body, push, texts } = newBody()
  await nextTurn()
  body.pause()
  let bytes = 0
  do {
    bytes += part.length
    assert.ok(bytes < body.readableHighWaterMark + part.length, 'the client is not stopped')
    await nextTurn()
  } while (push(part))
  body.resume()
  await nextTurn()
  assert.equal(texts().join('').length, bytes)
  assert.equal(push(part), true)
})

test('a few bytes hold no more memory than they need', async () => {
  const { body, push, read } = newBody()
  const sendPairs = async () => {
    for (let pairs = 0; pairs < 100; pairs++) {
      push('a')
      push('b')
      await nextTurn()
    }
  }
  await nextTurn()
  await sendPairs()
  body.pause()
  await sendPairs()
  body.resume()
  await nextTurn()
  const bytes = read.reduce((sum, { length }) => sum + length, 0)
  const held = read.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
  assert.equal(bytes, 400)
  assert.equal(held, 400)
  assert.equal(read.length, 101)
})
