import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { execution, fakeProgram } from './testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from './testing/fixture.ts'

const host = 'Host: site.test\r\n'
const rows: readonly { name: string; text: string; want: number }[] = [
  { name: 'plain', text: `GET / HTTP/1.1\r\n${host}\r\n`, want: 200 },
  { name: 'HTTP/1.0 without Host', text: 'GET http://site.test/ HTTP/1.0\r\n\r\n', want: 200 },
  {
    name: 'absolute target',
    text: `GET http://site.test/a HTTP/1.1\r\nHost: other.example\r\n\r\n`,
    want: 200,
  },
  { name: 'OPTIONS *', text: `OPTIONS * HTTP/1.1\r\n${host}\r\n`, want: 204 },
  { name: 'no Host', text: 'GET http://site.test/ HTTP/1.1\r\n\r\n', want: 400 },
  { name: 'two Hosts', text: `GET / HTTP/1.1\r\n${host}${host}\r\n`, want: 400 },
  { name: 'empty Host', text: 'GET / HTTP/1.1\r\nHost:\r\n\r\n', want: 400 },
  { name: 'Host with an escape', text: 'GET / HTTP/1.1\r\nHost: site.test%00\r\n\r\n', want: 400 },
  {
    name: 'length and chunks',
    text: `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    want: 400,
  },
  {
    name: 'chunks in HTTP/1.0',
    text: `POST / HTTP/1.0\r\n${host}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    want: 400,
  },
  {
    name: 'chunks',
    text: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`,
    want: 200,
  },
  {
    name: 'compressed chunks',
    text: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    want: 501,
  },
  {
    name: 'two lengths',
    text: `POST / HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    want: 400,
  },
  {
    name: 'length that is no number',
    text: `POST / HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`,
    want: 400,
  },
  {
    name: 'chunks that are none',
    text: `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    want: 400,
  },
  { name: 'folded header', text: `GET / HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`, want: 400 },
  { name: 'fragment', text: `GET /#a HTTP/1.1\r\n${host}\r\n`, want: 400 },
  { name: 'CONNECT without port', text: `CONNECT site.test HTTP/1.1\r\n${host}\r\n`, want: 400 },
  { name: 'CONNECT', text: `CONNECT site.test:80 HTTP/1.1\r\n${host}\r\n`, want: 405 },
  { name: 'no HTTP at all', text: 'hello\r\n\r\n', want: 400 },
  { name: 'HTTP/0.9', text: `GET / HTTP/0.9\r\n${host}\r\n`, want: 400 },
  { name: 'HTTP/2.0', text: `GET / HTTP/2.0\r\n${host}\r\n`, want: 200 },
  { name: 'other version', text: `GET / JUNK/1.0\r\n${host}\r\n`, want: 400 },
  {
    name: 'header lines at the limit',
    text: `GET / HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(9)}\r\n`,
    want: 200,
  },
  {
    name: 'header lines above the limit',
    text: `GET / HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(10)}\r\n`,
    want: 431,
  },
  { name: 'headers too long', text: `GET / HTTP/1.1\r\n${host}A: ${'b'.repeat(9000)}\r\n\r\n`, want: 431 },
]
for (const { name, text, want } of rows) {
  test(`${name} is ${want}`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end('ok'))
    const { port, audit, edge } = await startEdge(t, planFor(origin.url), {
      limits: { headersMax: 10, headerBytesMax: 8192 },
    })
    const client = new RawClient(port).send(text)
    assert.match(await client.until('\r\n\r\n'), new RegExp(`^HTTP/1.1 ${want} `))
    client.socket.destroy()
    await eventually(() => audit.length === 1)
    assert.equal(audit[0]!['status'], want)
    assert.equal(edge.stats().malformed, want >= 400 ? 1 : 0)
  })
}

test('rules look at malformed requests, for the record only', async t => {
  const program = fakeProgram()
  const { port, audit, records } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { managed: [rule(execution(program))] }),
  )
  const text = await new RawClient(port)
    .send(`ODD|METHOD /attack HTTP/1.1\r\n${host}X-Mark: one\r\n\r\nbody`)
    .end()
  assert.match(text, /^HTTP\/1.1 400 /)
  await eventually(() => audit.length === 1)
  const [line] = audit as [
    { request: { method: string; headers: string[][] }; action: string; matched: { id: number }[] },
  ]
  assert.equal(line.request.method, 'ODD|METHOD')
  assert.ok(line.request.headers.some(([name, value]) => name === 'X-Mark' && value === 'one'))
  assert.deepEqual([line.action, line.matched.map(match => match.id)], ['', [942100]])
  assert.equal(program.bodies[0]!.bytes.toString(), 'body')
  assert.equal(records[0]!['EdgeResponseStatus'], 400)
})

test('a head whose beginning is not at hand is recorded without one', async t => {
  const { port, audit, records } = await startEdge(t, planFor('http://127.0.0.1:1'), {
    limits: { headerBytesMax: 8192 },
  })
  const client = new RawClient(port).send(`GET / HTTP/1.1\r\n${host}A: `)
  await once(client.socket, 'connect')
  // The edge has read it by then, so that what follows comes apart.
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  assert.match(await client.send(`${'b'.repeat(9000)} c HTTP\r\n\r\n`).end(), /^HTTP\/1.1 431 /)
  await eventually(() => audit.length === 1)
  assert.equal((audit[0] as { request: { method: string } }).request.method, '')
  assert.equal(records.length, 0)
})

const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`
const followed: readonly { name: string; head: string; body?: string; surplus: string; want?: string }[] = [
  { name: 'no body', head: 'GET /?attack HTTP/1.1', surplus: '|garbage|\r\n\r\n' },
  { name: 'no body, request in the surplus', head: 'GET /?attack HTTP/1.1', surplus: `x\r\n${smuggled}` },
  {
    name: 'body of announced length',
    head: 'POST /?attack HTTP/1.1\r\nContent-Length: 3',
    body: 'a=b',
    surplus: 'cdef',
  },
  {
    name: 'body, request in the surplus',
    head: 'POST /?attack HTTP/1.1\r\nContent-Length: 3',
    body: 'a=b',
    surplus: `c\r\n${smuggled}`,
  },
  {
    name: 'body of a connection that closes',
    head: 'POST /?attack HTTP/1.1\r\nConnection: close\r\nContent-Length: 3',
    body: 'a=b',
    surplus: smuggled,
  },
  {
    name: 'body longer than what is gathered',
    head: 'POST /?attack HTTP/1.1\r\nContent-Length: 20000',
    body: 'a'.repeat(20_000),
    surplus: 'bcd',
  },
  {
    name: 'chunks',
    head: 'POST /?attack HTTP/1.1\r\nTransfer-Encoding: chunked',
    body: '3\r\na=b\r\n0\r\n\r\n',
    surplus: 'cdef',
    want: 'a=b',
  },
]
for (const { name, head, body = '', surplus, want = body } of followed) {
  test(`what follows a request does not swallow its answer: ${name}`, async t => {
    const reached: string[] = []
    const origin = await startOrigin(t, (request, response) => {
      let text = request.url!
      request.setEncoding('latin1').on('data', (part: string) => {
        text += part
      })
      request.on('end', () => {
        reached.push(text)
        setTimeout(() => response.end('first'), 20)
      })
    })
    const program = fakeProgram({ slices: 2 })
    const managed = [rule(execution(program, { action: 'log' }))]
    const { port, audit } = await startEdge(t, planFor(origin.url, { managed }), {
      limits: { gatheredBodyBytesMax: 10_000 },
    })
    const client = new RawClient(port).send(`${head}\r\n${host}\r\n${body}${surplus}`)
    await eventually(() => reached.length === 1)
    const text = await client.send(smuggled).end()
    assert.match(text, /^HTTP\/1.1 200 OK[\s\S]*first/)
    assert.equal(text.split('HTTP/1.1 ').length, 2, text)
    await eventually(() => audit.length === 1)
    const [line] = audit as [{ status: number; matched: { id: number }[] }]
    assert.deepEqual([line.status, line.matched.map(match => match.id)], [200, [942100]])
    const { bytes, complete } = program.bodies[0]!
    assert.deepEqual([bytes.toString(), complete], [want, true])
    assert.deepEqual(reached, [`/?attack${want}`])
  })
}

test('the beginning of a further request and the end of the connection do not swallow the answer', async t => {
  const origin = await startOrigin(t, (request, response) => request.pipe(response))
  const { port, audit } = await startEdge(
    t,
    planFor(origin.url, { managed: [rule(execution(fakeProgram({ slices: 5 })))] }),
  )
  const client = new RawClient(port)
  client.socket.end(`POST / HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\na=bGET /x HT`)
  assert.match(await client.end(), /^HTTP\/1.1 200 OK[\s\S]*a=b/)
  await eventually(() => audit.length === 1)
  assert.equal(audit[0]!['status'], 200)
})

test('chunks that break off are refused, whatever was inspected of them', async t => {
  let asked = 0
  const origin = await startOrigin(t, () => asked++)
  const managed = [rule(execution(fakeProgram()))]
  const { port } = await startEdge(t, planFor(origin.url, { managed }))
  const head = `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`
  assert.match(await new RawClient(port).send(`${head}3\r\na=b\r\nzz\r\n`).end(), /^HTTP\/1.1 400 /)
  assert.equal(asked, 0)
})

test('slow headers are 408', async t => {
  const { port } = await startEdge(t, planFor('http://127.0.0.1:1'), { limits: { headersTimeoutMs: 100 } })
  assert.match(await new RawClient(port).send('GET / HTTP/1.1\r\nHo').end(), /^HTTP\/1.1 408 /)
})

for (const inspected of [true, false]) {
  test(`a body that stops is 408, ${inspected ? 'inspected' : 'streamed'}`, async t => {
    const origin = await startOrigin(t, request => request.resume())
    const managed = inspected ? [rule(execution(fakeProgram()))] : []
    const { port, records } = await startEdge(t, planFor(origin.url, { managed }), {
      limits: { bodyIdleTimeoutMs: 100 },
    })
    const client = new RawClient(port).send(`POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`)
    assert.match(await client.end(), /^HTTP\/1.1 408 /)
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], 408)
  })
}

test('a body that keeps coming may be slow', async t => {
  const origin = await startOrigin(t, (request, response) => request.pipe(response))
  const { port } = await startEdge(t, planFor(origin.url), { limits: { bodyIdleTimeoutMs: 1000 } })
  const client = new RawClient(port).send(`POST / HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\n`)
  for (const letter of 'slow!') {
    await sleep(300)
    client.send(letter)
  }
  assert.match(await client.until('!'), /^HTTP\/1.1 200 /)
})

test('idle connections are closed', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('ok'))
  const { port } = await startEdge(t, planFor(origin.url), { limits: { keepAliveTimeoutMs: 50 } })
  const client = new RawClient(port).send(`GET / HTTP/1.1\r\n${host}\r\n`)
  assert.match(await client.end(), /200 OK/)
})

test('a client that leaves in the middle of its body', async t => {
  const { edge, port, records } = await startEdge(
    t,
    planFor('http://127.0.0.1:1', { managed: [rule(execution(fakeProgram()))] }),
  )
  const client = new RawClient(port).send(`POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`)
  await eventually(() => edge.stats().active === 1)
  client.socket.destroy()
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 499)
})
