import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { RawClient, startOrigin } from '../testing/fixture.ts'
import { endStream, fieldBlock, frame, frameTypes, get, headers, RawHttp2 } from '../testing/http2-frames.ts'
import { startTls } from '../testing/tls-edge.ts'
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

test('a client with many short parts is read on in a later turn', async () => {
  const parts: (string | null)[] = []
  const short = new ShortParts('192.0.2.1', part => {
    parts.push(part === null ? null : String(part))
    return true
  })
  const answers = [...letters.slice(0, 300)].map(letter => short.push(Buffer.from(letter)))
  assert.equal(answers[0], true)
  assert.equal(answers.at(-1), false)
  assert.deepEqual(parts, [])
  await nextTurn()
  await nextTurn()
  assert.deepEqual(parts, [letters.slice(0, 300)])
  assert.equal(short.push(Buffer.from('a')), true)
  const long = Buffer.alloc(2000, 'b')
  assert.equal(short.push(long), true)
  short.push(Buffer.from('c'))
  short.push(null)
  assert.deepEqual(parts.slice(1), ['a', String(long), 'c', null])
  await nextTurn()
  assert.equal(parts.length, 5)
})
