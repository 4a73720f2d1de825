import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, planFor, rule, startOrigin } from '../../testing/fixture.ts'
import {
  endHeaders,
  endStream,
  type Fields,
  fieldBlock,
  frame,
  frameTypes,
  get,
  headers,
  padded,
  RawHttp2,
} from '../../testing/http2-frames.ts'
import { ask, openHttp2, startTls } from '../../testing/tls-edge.ts'

const post: Fields = [[':method', 'POST'], ...get.slice(1)]
const open = headers(1, fieldBlock(post))
const nothing = Buffer.alloc(0)
const streamOf = (round: number) => 2 * round + 1
const cancel = (streamId: number) => frame(frameTypes.reset, 0, streamId, Buffer.from([0, 0, 0, 8]))
/** An entry of 3.9 KB in the dynamic table, which later blocks name with one byte (RFC 7541 6.2.1, 6.1). */
const entry = Buffer.concat([Buffer.from([0x40]), fieldBlock([['x', 'a'.repeat(3900)]]).subarray(1)])
const entries = (count: number) => Buffer.concat([fieldBlock(get), Buffer.alloc(count, 0xbe)])

/** nghttp2 closes a connection after 10,000 frames that carry no request. */
const many = (one: Buffer) => Buffer.concat(Array<Buffer>(100).fill(one))

type Flood = readonly [name: string, first: Buffer, each: (round: number) => Buffer]

/** Each ends its connection. */
const floods: readonly Flood[] = [
  [
    'header blocks that never end',
    frame(frameTypes.headers, endStream, 1, fieldBlock(get)),
    () => frame(frameTypes.continuation, 0, 1, fieldBlock([['a', 'b']])),
  ],
  [
    'empty parts of a header block',
    frame(frameTypes.headers, endStream, 1, fieldBlock(get)),
    () => frame(frameTypes.continuation, 0, 1),
  ],
  ['frames on streams that do not exist', nothing, round => headers(2 * round + 2, fieldBlock(get))],
  [
    'header blocks that are no HPACK',
    nothing,
    round => frame(frameTypes.headers, endHeaders, streamOf(round), Buffer.alloc(50, 0xff)),
  ],
  [
    'requests that are reset at once',
    nothing,
    round => Buffer.concat([headers(streamOf(round), fieldBlock(get), endStream), cancel(streamOf(round))]),
  ],
  [
    'requests that the edge has to reset',
    nothing,
    round => headers(streamOf(round), fieldBlock([...get, ['connection', 'close']]), endStream),
  ],
  [
    'requests with a wrong length',
    nothing,
    round =>
      Buffer.concat([
        headers(streamOf(round), fieldBlock([...post, ['content-length', '3']])),
        frame(frameTypes.data, endStream, streamOf(round), Buffer.from('a')),
      ]),
  ],
  ['requests that never end', nothing, round => headers(streamOf(round), fieldBlock(post))],
  [
    'long headers in few bytes',
    headers(1, Buffer.concat([fieldBlock(get), entry]), endStream),
    round => headers(streamOf(round + 1), entries(100), endStream),
  ],
  [
    'changes of the size of the table',
    nothing,
    round => headers(streamOf(round), Buffer.concat([Buffer.alloc(4000, 0x20), fieldBlock(get)]), endStream),
  ],
  ['empty parts of a body', open, () => frame(frameTypes.data, 0, 1)],
  ['windows of 0', open, () => frame(frameTypes.windowUpdate, 0, 1, Buffer.alloc(4))],
  ['a window that is too large', open, () => frame(frameTypes.windowUpdate, 0, 1, Buffer.alloc(4, 0x7f))],
  ['resets of one stream', open, () => cancel(1)],
  ['a reset inside of a header block', frame(frameTypes.headers, 0, 1, fieldBlock(get)), () => cancel(1)],
  ['pings', nothing, () => many(frame(frameTypes.ping, 0, 0, Buffer.alloc(8)))],
  ['settings', nothing, () => many(frame(frameTypes.settings, 0, 0))],
  ['answers to settings', nothing, () => many(frame(frameTypes.settings, 1, 0))],
  ['priorities', nothing, () => many(frame(frameTypes.priority, 0, 1, Buffer.from([0, 0, 0, 0, 16])))],
  [
    'priorities as RFC 9218 has them',
    nothing,
    () => many(frame(frameTypes.priorityUpdate, 0, 0, Buffer.from('\0\0\0\x01u=3'))),
  ],
  ['padding', open, () => many(frame(frameTypes.data, padded, 1, Buffer.from([0])))],
  ['frames of an unknown type', nothing, () => many(frame(0x42, 0, 0))],
  [
    'settings in one frame',
    nothing,
    () => frame(frameTypes.settings, 0, 0, Buffer.alloc(6 * 40, Buffer.from([0, 4, 0, 0, 1, 0]))),
  ],
  [
    'answers to pings that the edge did not send',
    nothing,
    () => frame(frameTypes.ping, 1, 0, Buffer.alloc(8)),
  ],
]

test('a flood ends its connection, and others are served', async t => {
  const origin = await startOrigin(t, (request, response) => {
    request.resume().on('end', () => response.end('fine'))
    request.on('error', () => {})
  })
  const { tlsPort, edge } = await startTls(t, origin.url)
  const other = openHttp2(t, tlsPort)
  for (const [name, first, each] of floods) {
    const client = (await RawHttp2.open(t, tlsPort)).send(first)
    for (let round = 0; round < 3000 && !client.closed; round++) {
      client.send(each(round))
      if (round % 100 === 0) await sleep(2)
    }
    await eventually(
      () => client.closed,
      () => `${name}: the connection is still open`,
    )
    assert.equal((await ask(other, { ':path': '/' })).text, 'fine', name)
    await eventually(() => edge.stats().active === 0)
  }
})

/** node answers or ignores them. They keep no request, and no idle connection, open. */
const idleFrames: readonly Flood[] = [
  ['padding', open, () => frame(frameTypes.data, padded, 1, Buffer.from([0]))],
  ['frames of an unknown type', nothing, () => frame(0x42, 0, 0, Buffer.from('a'))],
  ['no frames', nothing, () => nothing],
  ['a head in parts', frame(frameTypes.headers, 0, 1, fieldBlock(get)), () => nothing],
  ['a body in no part', open, () => nothing],
]
for (const [name, first, each] of idleFrames)
  test(`a client that sends only ${name} is not waited for`, async t => {
    const origin = await startOrigin(t, request => void request.resume().on('error', () => {}))
    const { tlsPort, edge, records } = await startTls(
      t,
      origin.url,
      {},
      {
        limits: { bodyIdleTimeoutMs: 200, keepAliveTimeoutMs: 200, lingerMs: 100 },
      },
    )
    const client = (await RawHttp2.open(t, tlsPort)).send(first)
    await eventually(() => {
      client.send(each(0))
      return client.closed
    })
    assert.equal(edge.stats().active, 0)
    if (first !== open) return
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], 408)
  })

test('a client that sends nothing after its handshake is not waited for', async t => {
  const { tlsPort } = await startTls(t, 'http://127.0.0.1:1', {}, { limits: { keepAliveTimeoutMs: 100 } })
  const client = await RawHttp2.openSilent(t, tlsPort)
  await eventually(() => client.closed)
})

for (const [name, unanswered] of [
  ['settings', frame(frameTypes.settings, 0, 0)],
  ['pings', frame(frameTypes.ping, 0, 0, Buffer.alloc(8))],
] as const) {
  test(`a client that sends ${name} and reads no answers is cut off`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end('fine'))
    const { tlsPort } = await startTls(t, origin.url)
    const client = await RawHttp2.open(t, tlsPort)
    client.socket.pause()
    const many = Buffer.concat(Array<Buffer>(1000).fill(unanswered))
    for (let round = 0; round < 2000 && !client.closed; round++) {
      client.send(many)
      await sleep(1)
      // Without reading, only a failed write shows the end.
      if (client.socket.writableLength > 4_000_000) break
    }
    assert.equal((await ask(openHttp2(t, tlsPort), { ':path': '/' })).text, 'fine')
    client.socket.resume()
    await eventually(() => client.closed)
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

test('a client that opens no window for its responses is cut off', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('x'.repeat(100_000)))
  const refuses = rule({ kind: 'action', action: 'block' }, view => view.path === '/refused')
  const { tlsPort, edge } = await startTls(
    t,
    planFor(origin.url, { custom: [refuses] }),
    {},
    {
      limits: { bodyIdleTimeoutMs: 300 },
    },
  )
  const client = await RawHttp2.open(t, tlsPort)
  // SETTINGS_INITIAL_WINDOW_SIZE
  client.send(frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])))
  for (let round = 0; round < 50; round++) {
    const path = round % 2 === 0 ? '/' : '/refused'
    client.ask(streamOf(round), [...get.filter(([name]) => name !== ':path'), [':path', path]])
  }
  await eventually(() => edge.stats().requests === 50)
  await eventually(() => edge.stats().active === 0)
})

test('memory for bodies is limited over all streams', async t => {
  const held: (() => void)[] = []
  const origin = await startOrigin(t, (_request, response) => held.push(() => response.end('ok')))
  const { tlsPort, edge } = await startTls(
    t,
    origin.url,
    {},
    {
      limits: { bodyBytesMax: 50_000, clientBodyShare: 1, gatheredBodyBytesMax: 20_000 },
    },
  )
  const session = openHttp2(t, tlsPort)
  const streams = Array.from({ length: 5 }, () => {
    const stream = session.request({ ':path': '/', ':method': 'POST', 'content-length': '16000' })
    stream.write('x'.repeat(15_999))
    return stream
  })
  const statuses = await Promise.all(
    streams
      .slice(3)
      .map(stream => new Promise(resolve => stream.once('response', h => resolve(h[':status'])))),
  )
  assert.deepEqual(statuses, [503, 503])
  assert.equal(edge.stats().overloads.body_memory, 2)
  for (const stream of streams) stream.close()
  await eventually(() => edge.stats().active === 0)
})

test('connections of a client are limited: further ones get 429, and a flood is closed', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const { tlsPort, edge } = await startTls(t, origin.url, {}, { limits: { clientConnectionsMax: 2 } })
  for (const status of [200, 200, 429, 429])
    assert.equal((await ask(openHttp2(t, tlsPort), { ':path': '/' })).status, status)
  await assert.rejects(RawHttp2.openSilent(t, tlsPort))
  assert.equal(edge.stats().overloads.client_connections, 3)
})
