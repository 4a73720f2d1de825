import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { constants, type SecureServerOptions, type ServerHttp2Stream } from 'node:http2'
import { type TestContext, test } from 'node:test'
import type { EdgeDeps } from '../../exchange/deps.ts'
import { eventually, planFor, RawClient, startEdge } from '../../testing/fixture.ts'
import { startHttp2Origin, trustTestCertificate } from '../../testing/tls-origin.ts'

interface Answer {
  readonly status: number
  readonly text: string
  readonly response: IncomingMessage
}

/** Sends one request over HTTP/1.1 and reads its whole response. */
function send(
  port: number,
  path = '/',
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host: 'origin.test', ...headers },
    })
    request.on('error', reject)
    request.on('response', response => {
      let text = ''
      response.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, text, response }))
    })
    request.end(body)
  })
}

type Serve = (stream: ServerHttp2Stream, headers: { readonly [name: string]: unknown }) => void

/** An edge in front of an origin that speaks HTTP/2. */
async function start(
  t: TestContext,
  serve: Serve,
  { limits, origin: options }: Pick<EdgeDeps, 'limits'> & { readonly origin?: SecureServerOptions } = {},
) {
  trustTestCertificate(t)
  const origin = await startHttp2Origin(t, options)
  origin.server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {})
    serve(stream, headers)
  })
  const edge = await startEdge(t, planFor(origin.url), limits === undefined ? {} : { limits })
  return { ...edge, origin }
}

test('requests share one connection in HTTP/2, with their bodies, header lines and trailers', async t => {
  const seen: { readonly [name: string]: unknown }[] = []
  const { port, origin, records } = await start(t, (stream, headers) => {
    seen.push(headers)
    stream.respond(
      { ':status': 201, 'set-cookie': ['a=1', 'b=2'], trailer: 'x-sum' },
      { waitForTrailers: true },
    )
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7', 'grpc-status': '0' }))
    stream.pipe(stream)
  })
  const bodies = ['short', 'a'.repeat(100_000), 'b'.repeat(3_000_000)]
  const answers = await Promise.all(
    bodies.map(body => send(port, '/p?q', body, { connection: 'x-hop', 'x-hop': '1' })),
  )
  for (const [at, { status, text, response }] of answers.entries()) {
    assert.equal(status, 201)
    assert.equal(text, bodies[at])
    assert.deepEqual(response.headers['set-cookie'], ['a=1', 'b=2'])
    assert.equal(response.trailers['x-sum'], '7')
  }
  assert.equal(origin.sessions.length, 1)
  for (const headers of seen) {
    assert.equal(headers[':authority'], 'origin.test')
    assert.equal(headers[':path'], '/p?q')
    assert.equal(headers['x-hop'], undefined)
    assert.equal(headers['x-forwarded-for'], '127.0.0.1')
  }
  await eventually(() => records.length === bodies.length)
  assert.ok(records.every(record => record['OriginResponseStatus'] === 201))
  assert.ok(records.every(record => String(record['OriginSSLProtocol']).startsWith('TLSv1')))
})

test('a request whose headers are too much for a server goes to the next, and does not count against it', async t => {
  trustTestCertificate(t)
  const large = { maxHeaderListPairs: 1000, settings: { maxHeaderListSize: 1_000_000 } }
  const servers = await Promise.all(
    [{}, large].map(async (options, at) => {
      const { url, server } = await startHttp2Origin(t, options)
      server.on('stream', (stream: ServerHttp2Stream) => {
        stream.respond({ ':status': 200 })
        stream.end(String(at))
      })
      return { url, weight: 1 }
    }),
  )
  const plan = planFor(servers[0]!.url, { origins: { of: () => ({ servers }) } })
  const { port } = await startEdge(t, plan, { limits: { originFailuresMax: 1 } })
  const few = { 'http2-settings': 'x' }
  const many = Object.fromEntries(Array.from({ length: 190 }, (_, n) => [`x-${n}`, 'é~'.repeat(165)]))
  const seen: string[] = []
  for (const headers of [few, few, many, many, few, few]) {
    const { status, text } = await send(port, '/', undefined, headers)
    seen.push(status === 200 ? text : String(status))
  }
  assert.deepEqual(seen, ['0', '1', '1', '1', '0', '1'])
})

test('responses without a body end at once', async t => {
  const { port } = await start(t, (stream, headers) => {
    const status = Number(String(headers[':path']).slice(1))
    stream.respond(
      { ':status': status, ...(status === 304 && { 'content-length': 10 }) },
      { endStream: true },
    )
  })
  for (const status of [200, 204, 304]) {
    const answer = await send(port, `/${status}`)
    assert.deepEqual([answer.status, answer.text], [status, ''])
  }
})

test('a zone can keep to HTTP/1.1, and upgrades always use it', async t => {
  trustTestCertificate(t)
  const origin = await startHttp2Origin(t)
  origin.server.on('request', (request, response) => response.end(request.httpVersion))
  origin.server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello'),
  )
  const { port } = await startEdge(t, planFor(origin.url))
  const old = await startEdge(t, planFor(origin.url, { settings: { originHttp2: false } }))
  assert.equal((await send(port)).text, '2.0')
  assert.equal((await send(old.port)).text, '1.1')
  const client = new RawClient(port).send(
    'GET / HTTP/1.1\r\nHost: origin.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await client.until('hello')
})

test('more requests than a connection may have open another one', async t => {
  const open: ServerHttp2Stream[] = []
  const { port, origin } = await start(t, stream => open.push(stream), {
    origin: { settings: { maxConcurrentStreams: 2 } },
  })
  const answers = [send(port), send(port)]
  await eventually(() => open.length === 2)
  answers.push(send(port), send(port), send(port))
  await eventually(() => open.length === 5)
  assert.equal(origin.sessions.length, 3)
  for (const stream of open) stream.end('ok')
  for (const answer of await Promise.all(answers)) assert.equal(answer.status, 200)
})

test('a connection that the origin ends serves its requests, and new ones use another', async t => {
  const open: ServerHttp2Stream[] = []
  const { port, origin } = await start(t, stream => open.push(stream))
  const first = send(port)
  await eventually(() => open.length === 1)
  origin.sessions[0]!.goaway(constants.NGHTTP2_NO_ERROR, open[0]!.id!)
  const second = send(port)
  await eventually(() => open.length === 2)
  assert.equal(origin.sessions.length, 2)
  for (const stream of open) stream.end('ok')
  assert.deepEqual([(await first).text, (await second).text], ['ok', 'ok'])
})

test('a request that the origin has not processed is repeated', async t => {
  const ways: readonly [string, number, (stream: ServerHttp2Stream) => void][] = [
    ['refused stream', 3, stream => stream.close(constants.NGHTTP2_REFUSED_STREAM)],
    ['graceful end', 1, stream => stream.session!.goaway(constants.NGHTTP2_NO_ERROR, 1)],
    ['end after an error', 1, stream => stream.session!.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 1)],
  ]
  for (const [name, times, refuse] of ways) {
    let asked = 0
    const { port } = await start(t, stream => {
      asked++
      if (asked > 1 && asked <= 1 + times) {
        refuse(stream)
        return
      }
      stream.respond()
      stream.pipe(stream)
    })
    await send(port)
    assert.equal((await send(port, '/', 'body')).text, 'body', name)
    assert.equal(asked, 2 + times, name)
  }
})

test('a POST that the origin may have processed is not repeated', async t => {
  let asked = 0
  const { port } = await start(t, stream => {
    asked++
    stream.session!.destroy()
  })
  assert.equal((await send(port, '/', 'body')).status, 502)
  assert.equal(asked, 1)
  assert.equal((await send(port)).status, 502)
  assert.equal(asked, 3)
})

test('a response that breaks off is visibly incomplete', async t => {
  const ways: readonly [string, (stream: ServerHttp2Stream) => void][] = [
    ['reset', stream => stream.destroy(new Error('reset'))],
    ['connection', stream => stream.session!.destroy()],
    ['silence', () => {}],
  ]
  for (const [name, breakOff] of ways) {
    const { port, records } = await start(
      t,
      stream => {
        stream.respond({ ':status': 200 })
        stream.write('half')
        stream.once('drain', () => {})
        setTimeout(() => breakOff(stream), 50)
      },
      { limits: { originIdleTimeoutMs: 200 } },
    )
    await assert.rejects(send(port), /aborted/, name)
    await eventually(() => records.length === 1)
  }
})

test('a slow origin gets 504, and its connection no further requests', async t => {
  let silent = true
  const { port, origin } = await start(
    t,
    stream => {
      if (!silent) stream.end('ok')
    },
    { limits: { originHeadersTimeoutMs: 1000 } },
  )
  assert.equal((await send(port)).status, 504)
  silent = false
  assert.equal((await send(port)).text, 'ok')
  assert.equal(origin.sessions.length, 2)
})

test('a request whose client leaves is cancelled at the origin', async t => {
  let code: number | undefined
  const open: ServerHttp2Stream[] = []
  const { port, origin } = await start(t, stream => {
    open.push(stream)
    stream.once('close', () => {
      code = stream.rstCode
    })
  })
  const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: origin.test\r\n\r\n')
  await eventually(() => open.length === 1)
  client.socket.destroy()
  await eventually(() => code !== undefined)
  assert.equal(code, constants.NGHTTP2_CANCEL)
  assert.equal(origin.sessions[0]!.destroyed, false)
})

test('an upload that breaks off never looks whole to the origin', async t => {
  const ways: readonly [string, number, (client: RawClient, stream: ServerHttp2Stream) => void][] = [
    ['the client leaves', constants.NGHTTP2_CANCEL, client => client.socket.destroy()],
    ['the origin answers early', constants.NGHTTP2_NO_ERROR, (_client, stream) => stream.end('enough')],
  ]
  for (const [name, code, breakOff] of ways) {
    const events: string[] = []
    let upload: ServerHttp2Stream | undefined
    const { port } = await start(t, stream => {
      upload = stream
      stream.respond()
      stream.on('data', chunk => events.push(String(chunk)))
      // node also emits `end` for a reset.
      stream.once('end', () => events.push(stream.closed ? 'no end' : 'end'))
      stream.once('close', () => events.push(`reset ${stream.rstCode}`))
    })
    const client = new RawClient(port).send(
      'POST / HTTP/1.1\r\nHost: origin.test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    )
    await eventually(() => events.length === 1)
    breakOff(client, upload!)
    await eventually(() => events.length === 3)
    client.socket.destroy()
    assert.deepEqual(events, ['hello', 'no end', `reset ${code}`], name)
  }
})

test('a connection on which the origin refuses requests for its memory gets no further ones', async t => {
  let isSent = false
  const { port, origin } = await start(t, (stream, headers) => {
    stream.respond()
    // More than node allows for a connection, so that it refuses streams with ENHANCE_YOUR_CALM.
    stream.end(headers[':path'] === '/large' ? Buffer.alloc(20_000_000) : 'ok')
    isSent = true
  })
  const stalled = new RawClient(port).send('GET /large HTTP/1.1\r\nHost: origin.test\r\n\r\n')
  await eventually(() => isSent)
  stalled.socket.pause()
  assert.equal((await send(port)).text, 'ok')
  assert.equal((await send(port, '/', 'body')).text, 'ok')
  assert.equal(origin.sessions.length, 2)
  stalled.socket.destroy()
  assert.equal((await send(port)).text, 'ok')
  assert.equal(origin.sessions.length, 2)
})

test('a connection with many cancelled requests gets no further ones', async t => {
  const open: ServerHttp2Stream[] = []
  let closed = 0
  const serve: Serve = stream => {
    open.push(stream)
    stream.once('close', () => closed++)
  }
  const { port, origin } = await start(t, serve, { limits: { originHttp2CancelsMax: 2 } })
  for (let count = 1; count <= 3; count++) {
    const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: origin.test\r\n\r\n')
    await eventually(() => open.length === count)
    assert.equal(origin.sessions.length, count <= 2 ? 1 : 2)
    client.socket.destroy()
    await eventually(() => closed === count)
  }
})

test('an origin that answers early gets no more of the body', async t => {
  let code: number | undefined
  const { port } = await start(t, stream => {
    stream.respond({ ':status': 413 })
    stream.end('too long')
    stream.once('close', () => {
      code = stream.rstCode
    })
  })
  const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { host: 'origin.test' } })
  request.on('error', () => {})
  t.after(() => request.destroy())
  request.write('a'.repeat(50_000))
  const [response] = (await new Promise(resolve => request.once('response', (...all) => resolve(all)))) as [
    IncomingMessage,
  ]
  assert.equal(response.statusCode, 413)
  await eventually(() => code === constants.NGHTTP2_NO_ERROR)
})
