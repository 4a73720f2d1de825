import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually, startOrigin } from '../../testing/fixture.ts'
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
import {
  caseLimits,
  data,
  fields,
  type Http2Case,
  request,
  requestCases,
} from '../../testing/request-cases.ts'
import { startTls } from '../../testing/tls-edge.ts'

/** Requests of any bytes, frame by frame over TLS. `request-cases.ts` has the requests of both versions of HTTP. */

const post = [':method', 'POST'] as const
const withLength = (length: string) => fields(post, ['content-length', length])
const trailers = (...all: Fields) =>
  Buffer.concat([
    headers(1, fieldBlock(fields(post))),
    data('a=b', 0),
    headers(1, fieldBlock(all), endStream),
  ])

type Row = readonly [name: string, frames: Buffer, want: Http2Case['want']]

const pseudoHeaders: readonly Row[] = get.flatMap(([name, value]): Row[] => [
  [`no ${name}`, request(get.filter(([other]) => other !== name)), 'reset'],
  [`two ${name}`, request([[name, value], ...get]), 'reset'],
  [`empty ${name}`, request(fields([name, ''])), 'reset'],
  [`${name} with a space`, request(fields([name, `${value} b`])), 'reset'],
  [`${name} with a line end`, request(fields([name, `${value}\r\nx: y`])), 'reset'],
  [`${name} with NUL`, request(fields([name, `${value}\0`])), 'reset'],
  [
    `${name} after a header`,
    request([...get.filter(([other]) => other !== name), ['x-a', 'b'], [name, value]]),
    'reset',
  ],
])

const rows: readonly Row[] = [
  ...pseudoHeaders,
  ['an unknown pseudo header', request([[':foo', 'bar'], ...get]), 'reset'],
  [':status', request([[':status', '200'], ...get]), 'reset'],
  ['a WebSocket', request(fields([':method', 'CONNECT'], [':protocol', 'websocket'])), 'reset'],
  ['CONNECT with a path', request(fields([':method', 'CONNECT'])), 'reset'],
  ['the scheme of plain HTTP', request(fields([':scheme', 'http'])), 200],
  ['a name in upper case', request([...get, ['X-Upper', 'a']]), 'reset'],
  ...['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'transfer-encoding'].map(
    (name): Row => [name, request([...get, [name, 'a']]), 'reset'],
  ),
  ['te: gzip', request([...get, ['te', 'gzip']]), 'reset'],
  ['te: trailers, gzip', request([...get, ['te', 'trailers, gzip']]), 'reset'],
  ['te: trailers', request([...get, ['te', 'trailers']]), 200],
  ['Host without :authority', request([...get.slice(0, 3), ['host', 'zone.test']]), 200],
  ['Host as :authority', request([...get, ['host', 'ZONE.test']]), 200],
  ['another Host than :authority', request([...get, ['host', 'www.zone.test']]), 400],
  ['a host of another certificate', request(fields([':authority', 'else.test'])), 421],
  ['the announced length', request(withLength('3'), 'a=b'), 200],
  ['a shorter body than announced', request(withLength('3'), 'a='), 'reset'],
  ['no body in place of the announced one', request(withLength('3')), 'reset'],
  ['a longer body than announced', request(withLength('3'), 'a=bc'), 'closed'],
  ['a body of length 0', request(withLength('0'), 'a=b'), 'closed'],
  ['trailers', trailers(['x-sum', '1']), 200],
  ['another length in trailers', trailers(['content-length', '9']), 'reset'],
  ['Host in trailers', trailers(['host', 'else.test']), 200],
  ['a pseudo header in trailers', trailers([':path', '/other']), 'reset'],
  ['Transfer-Encoding in trailers', trailers(['transfer-encoding', 'chunked']), 'reset'],
  [
    'trailers that do not end the request',
    Buffer.concat([headers(1, fieldBlock(fields(post))), headers(1, fieldBlock([['a', 'b']]))]),
    'reset',
  ],
  ['a body after the end', Buffer.concat([request(withLength('3'), 'a=b'), data('c')]), 'closed'],
  [
    'more padding than the frame has bytes',
    Buffer.concat([
      headers(1, fieldBlock(fields(post))),
      frame(frameTypes.data, endStream | padded, 1, Buffer.from([9, 1])),
    ]),
    'closed',
  ],
  ['a body without a request', data('a=b'), 'closed'],
  ['a request on an even stream', headers(2, fieldBlock(get), endStream), 'closed'],
  ['a request on stream 0', headers(0, fieldBlock(get), endStream), 'closed'],
  [
    'a block that is no HPACK',
    frame(frameTypes.headers, endHeaders | endStream, 1, Buffer.alloc(20, 0xff)),
    'closed',
  ],
  ['a frame above the largest size', frame(frameTypes.data, 0, 1, Buffer.alloc(16_385)), 'closed'],
  [
    'another frame inside of a header block',
    Buffer.concat([frame(frameTypes.headers, 0, 1, fieldBlock(get)), data('a')]),
    'closed',
  ],
  [
    'long values, more than the limit',
    request([...get, ...Array.from({ length: 4 }, () => ['a', 'b'.repeat(4000)] as const)]),
    431,
  ],
]

async function start(t: TestContext) {
  const reached: { target: string; headers: string[]; body: string }[] = []
  const origin = await startOrigin(t, (incoming, response) => {
    let body = ''
    incoming.setEncoding('latin1').on('data', (part: string) => {
      body += part
    })
    incoming.on('error', () => {})
    incoming.on('end', () => {
      reached.push({ target: incoming.url!, headers: incoming.rawHeaders, body })
      response.end('ok')
    })
  })
  return { ...(await startTls(t, origin.url, {}, { limits: caseLimits })), reached }
}

test('requests of HTTP/2 end as those of HTTP/1.1, or are refused by their frames', async t => {
  const { tlsPort, edge, audit, reached } = await start(t)
  const shared = requestCases.flatMap(({ name, http2 }): Row[] =>
    typeof http2 === 'string' ? [] : [[name, http2.frames, http2.want]],
  )
  for (const [name, frames, want] of [...shared, ...rows]) {
    const before = { requests: edge.stats().requests, reached: reached.length, audit: audit.length }
    const client = await RawHttp2.open(t, tlsPort)
    const outcome = await client.send(frames).outcome(1)
    assert.equal(outcome, typeof want === 'number' ? 'response' : want, name)
    await eventually(() => audit.length - before.audit === edge.stats().requests - before.requests)
    if (typeof want === 'number') assert.equal(audit.at(-1)!['status'], want, name)
    assert.equal(reached.length - before.reached, want === 200 ? 1 : 0, name)
    client.socket.destroy()
  }
  await eventually(() => edge.stats().active === 0)
  for (const { headers, body } of reached) {
    const names = headers.filter((_, at) => at % 2 === 0).map(name => name.toLowerCase())
    assert.equal(names.filter(name => name === 'host').length, 1)
    assert.ok(!(names.includes('content-length') && names.includes('transfer-encoding')))
    assert.ok(['', 'a=b'].includes(body), body)
  }
})

test('nothing of a refused request is taken for another one', async t => {
  const { tlsPort, reached } = await start(t)
  const client = await RawHttp2.open(t, tlsPort)
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: zone.test\r\n\r\n'
  client.send(request([...fields(post), ['transfer-encoding', 'chunked']], `0\r\n\r\n${smuggled}`))
  assert.equal(await client.outcome(1), 'reset')
  client.ask(3, get)
  assert.equal(await client.outcome(3), 'response')
  // A body without a length is sent on in chunks, even one that looks like a request.
  client.send(
    headers(5, fieldBlock(fields(post))),
    frame(frameTypes.data, endStream, 5, Buffer.from(smuggled)),
  )
  assert.equal(await client.outcome(5), 'response')
  assert.deepEqual(
    reached.map(({ target, body }) => [target, body]),
    [
      ['/', ''],
      ['/', smuggled],
    ],
  )
})

test('a field with bytes that HTTP forbids reaches neither the rules nor the origin', async t => {
  const origin = await startOrigin(t, (incoming, response) => response.end(incoming.rawHeaders.join('\n')))
  const { tlsPort, audit } = await startTls(t, origin.url)
  const bad: Fields = [
    ...['x-bad\r', 'x-bad\n', 'x-bad\0', 'x-bad:', 'x-bad ', 'x-bad b', '\xff', ''].map(
      name => [name, 'mark'] as const,
    ),
    ...['mark\rb', 'mark\nb', 'mark\r\nx-bad: b', 'mark\0', ' mark', 'mark ', 'mark\x7f', 'mark\x01'].map(
      value => ['x-bad', value] as const,
    ),
  ]
  const client = await RawHttp2.open(t, tlsPort)
  assert.equal(await client.ask(1, [...get, ...bad, ['x-good', 'fine']]).outcome(1), 'response')
  await eventually(() => audit.length === 1)
  const line = JSON.stringify(audit[0])
  assert.match(line, /x-good/)
  assert.doesNotMatch(line, /x-bad|mark/)
  await eventually(() => client.frames.some(({ type }) => type === frameTypes.data))
  const body = client.frames.find(({ type }) => type === frameTypes.data)!.payload.toString()
  assert.match(body, /x-good/)
  assert.doesNotMatch(body, /x-bad|mark/)
})

test('a client that leaves without a word ends its requests', async t => {
  const origin = await startOrigin(t, incoming => incoming.resume())
  const { tlsPort, edge, records } = await startTls(t, origin.url)
  const client = await RawHttp2.open(t, tlsPort)
  client.ask(1, get).send(headers(3, fieldBlock(fields(post))))
  await eventually(() => edge.stats().active === 2)
  client.socket.destroy()
  await eventually(() => records.length === 2)
  for (const record of records) assert.equal(record['EdgeResponseStatus'], 499)
  assert.equal(edge.stats().active, 0)
})
