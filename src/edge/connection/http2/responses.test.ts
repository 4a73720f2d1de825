import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually, RawClient } from '../../testing/fixture.ts'
import { ask, openHttp2, startTls } from '../../testing/tls-edge.ts'

/** Responses by path, as an origin sends them. */
const answers: Readonly<Record<string, readonly string[]>> = {
  '/fine': ['HTTP/1.1 200 OK', 'Content-Length: 4', '', 'fine'],
  '/doubled': [
    'HTTP/1.1 200 OK',
    ...['Date: one', 'Date: two', 'Content-Type: text/a', 'Content-Type: text/b', 'ETag: "1"', 'ETag: "2"'],
    ...['X-Content-Type-Options: nosniff', 'X-Content-Type-Options: nosniff', 'Age: 1', 'Age: 2'],
    ...['Content-Encoding: a', 'Content-Encoding: b', 'Set-Cookie: a=1', 'Set-Cookie: b=2'],
    ...['HTTP2-Settings: x', 'Content-Length: 4', '', 'body'],
  ],
  '/trailers': [
    'HTTP/1.1 200 OK',
    ...['Transfer-Encoding: chunked', 'Trailer: ETag', '', '4', 'body', '0'],
    ...['ETag: "1"', 'ETag: "2"', 'HTTP2-Settings: x', '', ''],
  ],
  '/hints': [
    ...['HTTP/1.1 103 Early Hints', 'Link: </a>', 'Link: </b>', 'Date: one', 'Date: two', ''],
    ...['HTTP/1.1 200 OK', 'Content-Length: 4', '', 'body'],
  ],
  '/205': ['HTTP/1.1 205 Reset Content', 'Content-Length: 4', '', 'body'],
  '/205-chunked': [
    'HTTP/1.1 205 Reset Content',
    ...['Transfer-Encoding: chunked', 'Trailer: X-Sum', '', '4', 'body', '0', 'X-Sum: 1', '', ''],
  ],
  '/long': [
    'HTTP/1.1 200 OK',
    ...Array.from({ length: 90 }, (_, n) => `X-${n}: ${'~^'.repeat(358)}`),
    ...['Content-Length: 4', '', 'body'],
  ],
  '/600': ['HTTP/1.1 600 Odd', 'Content-Length: 4', '', 'body'],
  '/999': ['HTTP/1.1 999 Odd', 'Content-Length: 0', '', ''],
}

async function start(t: TestContext) {
  const origin = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', bytes => {
      const path = String(bytes).split(' ', 2)[1]!
      socket.write(answers[path]!.join('\r\n'))
    })
  })
  await new Promise<void>(resolve => origin.listen(0, '127.0.0.1', resolve))
  t.after(() => origin.close())
  const edge = await startTls(t, `http://127.0.0.1:${(origin.address() as AddressInfo).port}`)
  return { ...edge, session: openHttp2(t, edge.tlsPort) }
}

test('of a doubled field with a single value, the client gets the first line', async t => {
  const { session, records } = await start(t)
  const { status, headers, text } = await ask(session, { ':path': '/doubled' })
  assert.deepEqual([status, text], [200, 'body'])
  for (const [name, value] of [
    ['date', 'one'],
    ['content-type', 'text/a'],
    ['etag', '"1"'],
    ['age', '1'],
    ['x-content-type-options', 'nosniff'],
    ['content-encoding', 'a, b'],
    ['http2-settings', undefined],
  ] as const)
    assert.equal(headers[name], value, name)
  assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
  const { trailers } = await ask(session, { ':path': '/trailers' })
  assert.equal((trailers as IncomingHttpHeaders)['etag'], '"1"')
  assert.equal((trailers as IncomingHttpHeaders)['http2-settings'], undefined)
  await eventually(() => records.length === 2)
})

test('doubled fields of Early Hints do not harm the response', async t => {
  const { session } = await start(t)
  const stream = session.request({ ':path': '/hints' })
  const hints: IncomingHttpHeaders[] = []
  stream.on('headers', headers => hints.push(headers))
  let text = ''
  for await (const chunk of stream.setEncoding('latin1')) text += chunk
  assert.equal(text, 'body')
  assert.deepEqual([hints[0]?.link, hints[0]?.date], ['</a>, </b>', 'one'])
})

test('all headers that an origin may send reach the client', async t => {
  const { tlsPort } = await start(t)
  const session = openHttp2(t, tlsPort, 'zone.test', { settings: { maxHeaderListSize: 200_000 } })
  assert.equal((await ask(session, { ':path': '/long' })).text, 'body')
})

test('a body behind 205 is dropped', async t => {
  const { session, port, records } = await start(t)
  for (const path of ['/205', '/205-chunked']) {
    const { status, headers, text } = await ask(session, { ':path': path })
    assert.deepEqual([status, headers['content-length'], text], [205, '0', ''])
    const client = new RawClient(port).send(
      `GET ${path} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`,
    )
    assert.match(await client.end(), /^HTTP\/1\.1 205 [\s\S]*\r\nContent-Length: 0\r\n[\s\S]*\r\n\r\n$/)
  }
  await eventually(() => records.length === 4)
  assert.deepEqual(new Set(records.map(record => record['EdgeResponseBodyBytes'])), new Set([0]))
})

test('a status that HTTP does not have is answered with 502', async t => {
  const { session, port, records } = await start(t)
  for (const path of ['/600', '/999']) assert.equal((await ask(session, { ':path': path })).status, 502)
  const { status } = await fetch(`http://127.0.0.1:${port}/999`)
  assert.equal(status, 502)
  assert.equal((await ask(session, { ':path': '/fine' })).text, 'fine')
  await eventually(() => records.length === 4)
  const seen = records.map(record => [record['OriginResponseStatus'], record['EdgeResponseStatus']])
  assert.deepEqual(seen, [
    [600, 502],
    [999, 502],
    [999, 502],
    [200, 200],
  ])
})
