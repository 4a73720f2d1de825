import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { eventually, startOrigin } from '../../testing/fixture.ts'
import { ask, openHttp2, startTls } from '../../testing/tls-edge.ts'

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

/** RFC 9113 4.1 */
function frame(type: number, flags: number, streamId: number, payload = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

const [headersFrame, resetFrame, settingsFrame, pingFrame, continuationFrame] = [1, 3, 4, 6, 9] as const
const settings = frame(settingsFrame, 0, 0)
/** HPACK's static table: GET, https, /; and a literal :authority. */
const get = Buffer.concat([Buffer.from([0x82, 0x87, 0x84, 0x41, 9]), Buffer.from('zone.test')])

function openRaw(t: TestContext, port: number): Promise<TLSSocket> {
  return new Promise(resolve => {
    const socket = connect(
      { port, host: '127.0.0.1', servername: 'zone.test', rejectUnauthorized: false, ALPNProtocols: ['h2'] },
      () => resolve(socket),
    )
    socket.on('error', () => {})
    t.after(() => socket.destroy())
  })
}

/** Repeats frames until the edge closes the connection. @returns the number of frames it took */
async function flood(
  socket: TLSSocket,
  frames: (round: number) => Buffer,
  roundsMax: number,
): Promise<number> {
  let closed = false
  socket.once('close', () => {
    closed = true
  })
  socket.resume()
  for (let round = 0; round < roundsMax; round++) {
    if (closed) return round
    socket.write(frames(round))
    if (round % 100 === 0) await new Promise(resolve => setTimeout(resolve, 2))
  }
  for (let wait = 0; wait < 100 && !closed; wait++) await new Promise(resolve => setTimeout(resolve, 20))
  return closed ? roundsMax : Number.POSITIVE_INFINITY
}

const floods: readonly (readonly [string, (round: number) => Buffer])[] = [
  [
    'header blocks that never end',
    round =>
      round === 0
        ? frame(headersFrame, 0x01, 1, get)
        : frame(continuationFrame, 0, 1, Buffer.from([0x40, 1, 0x61, 1, 0x62])),
  ],
  ['frames on streams that do not exist', round => frame(headersFrame, 0x05, 2 * round + 2, get)],
  [
    'header blocks that are no HPACK',
    round => frame(headersFrame, 0x05, 2 * round + 1, Buffer.alloc(50, 0xff)),
  ],
  [
    'requests that are reset at once',
    round =>
      Buffer.concat([
        frame(headersFrame, 0x05, 2 * round + 1, get),
        frame(resetFrame, 0, 2 * round + 1, Buffer.from([0, 0, 0, 8])),
      ]),
  ],
]

for (const [name, frames] of floods) {
  test(`a flood of ${name} ends the connection, and others are served`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end('fine'))
    const { tlsPort, edge } = await startTls(t, origin.url)
    const socket = await openRaw(t, tlsPort)
    socket.write(Buffer.concat([preface, settings]))
    assert.ok((await flood(socket, frames, 3000)) < Number.POSITIVE_INFINITY)
    assert.equal((await ask(openHttp2(t, tlsPort), { ':path': '/' })).text, 'fine')
    await eventually(() => edge.stats().active === 0)
  })
}

for (const [name, unanswered] of [
  ['settings', settings],
  ['pings', frame(pingFrame, 0, 0, Buffer.alloc(8))],
] as const) {
  test(`a client that sends ${name} and reads no answers is cut off`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end('fine'))
    const { tlsPort } = await startTls(t, origin.url)
    const socket = await openRaw(t, tlsPort)
    socket.pause()
    socket.write(Buffer.concat([preface, settings]))
    const many = Buffer.concat(Array<Buffer>(1000).fill(unanswered))
    let closed = false
    socket.once('close', () => {
      closed = true
    })
    for (let round = 0; round < 2000 && !closed && !socket.destroyed; round++) {
      socket.write(many)
      await new Promise(resolve => setTimeout(resolve, 1))
      // Without reading, only a failed write shows the end.
      if (socket.writableLength > 4_000_000) break
    }
    assert.equal((await ask(openHttp2(t, tlsPort), { ':path': '/' })).text, 'fine')
    socket.resume()
    await eventually(() => closed)
  })
}

test('too many header lines are answered with 431', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const { tlsPort } = await startTls(t, origin.url, {}, { limits: { headersMax: 50 } })
  const session = openHttp2(t, tlsPort)
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, 'v']))
  assert.equal((await ask(session, { ':path': '/', ...many })).status, 431)
  assert.equal((await ask(session, { ':path': '/' })).status, 200)
})

test('a client that opens no window for a response is cut off', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('x'.repeat(500_000)))
  const { tlsPort, edge } = await startTls(t, origin.url, {}, { limits: { bodyIdleTimeoutMs: 300 } })
  const socket = await openRaw(t, tlsPort)
  socket.resume()
  socket.write(Buffer.concat([preface, settings, frame(headersFrame, 0x05, 1, get)]))
  await eventually(() => edge.stats().requests === 1)
  await eventually(() => edge.stats().active === 0)
})
