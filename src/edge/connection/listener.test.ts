import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { EdgeLimits } from '../exchange/deps.ts'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'
import { caseLimits, requestCases } from '../testing/request-cases.ts'

const host = 'Host: site.test\r\n'
for (const { name, text, want } of requestCases) {
  test(`${name} is ${want}`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end('ok'))
    const { port, audit, edge } = await startEdge(t, planFor(origin.url), {
      limits: caseLimits,
    })
    const client = new RawClient(port).send(text)
    assert.match(await client.until('\r\n\r\n'), new RegExp(`^HTTP/1.1 ${want} `))
    client.socket.destroy()
    await eventually(() => audit.length === 1)
    assert.equal(audit[0]!['status'], want)
    assert.equal(edge.stats().malformed, want >= 400 ? 1 : 0)
  })
}

test('rules inspect malformed requests for the record only', async t => {
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

test('a head without its beginning is recorded as empty', async t => {
  const { port, audit, records } = await startEdge(t, planFor('http://127.0.0.1:1'), {
    limits: { headerBytesMax: 8192 },
  })
  const client = new RawClient(port).send(`GET / HTTP/1.1\r\n${host}A: `)
  await once(client.socket, 'connect')
  // By now the edge has read the first packet, so the next one arrives separately.
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
    name: 'body longer than the gathered length',
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
  test(`input after a request does not suppress its response: ${name}`, async t => {
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

const head = (line: string, ...headers: string[]) =>
  [line, 'Host: site.test', ...headers, '', ''].join('\r\n')
const longBody = '800\r\n'.padEnd(0x800 + 5, 'x')
const refusedFirst: readonly { name: string; text: string; want: number }[] = [
  {
    name: 'a transfer coding other than chunked',
    text: `${head('POST / HTTP/1.1', 'Transfer-Encoding: gzip, chunked')}${`${longBody}\r\n`.repeat(100)}0\r\n\r\n`,
    want: 501,
  },
  {
    name: 'a transfer coding in HTTP/1.0',
    text: `${head('POST / HTTP/1.0', 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    want: 400,
  },
  {
    name: 'length and chunks',
    text: `${head('POST / HTTP/1.1', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    want: 400,
  },
  {
    name: 'two lengths',
    text: `${head('POST / HTTP/1.1', 'Content-Length: 0', 'Content-Length: 0')}`,
    want: 400,
  },
  { name: 'two hosts', text: head('GET / HTTP/1.1', 'Host: site.test'), want: 400 },
  { name: 'an invalid host name', text: 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', want: 400 },
  { name: 'no host', text: 'GET / HTTP/1.1\r\n\r\n', want: 400 },
  { name: 'a fragment, and a body', text: `${head('POST /#a HTTP/1.1', 'Content-Length: 3')}a=b`, want: 400 },
  { name: 'HTTP/0.9', text: head('GET / HTTP/0.9'), want: 400 },
  { name: 'an unknown method', text: head('FROB / HTTP/1.1'), want: 400 },
  {
    name: 'too many header lines',
    text: head('GET / HTTP/1.1', ...Array<string>(10).fill('A: b')),
    want: 431,
  },
  { name: 'a head that is too long', text: head('GET / HTTP/1.1', `A: ${'b'.repeat(9000)}`), want: 431 },
  { name: 'CONNECT', text: head('CONNECT site.test:80 HTTP/1.1'), want: 405 },
  {
    name: 'chunk extensions that are too long',
    text: `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}1;${'a'.repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
    want: 400,
  },
]
for (const { name, text, want } of refusedFirst) {
  for (const apart of [false, true]) {
    test(`nothing is read after a refused request: ${name}${apart ? ', in a separate packet' : ''}`, async t => {
      const reached: unknown[] = []
      const origin = await startOrigin(t, (request, response) => {
        reached.push(request.url)
        response.end('ok')
      })
      const managed = [rule(execution(fakeProgram({ slices: 3 })))]
      const { port, audit } = await startEdge(t, planFor(origin.url, { managed }), {
        limits: { headersMax: 10, headerBytesMax: 8192, lingerMs: 300 },
      })
      const client = new RawClient(port)
      if (apart) {
        client.send(text)
        await client.until('HTTP/1.1 ')
        client.send(smuggled)
      } else client.send(text + smuggled)
      const answer = await client.end()
      assert.match(answer, new RegExp(`^HTTP/1.1 ${want} `))
      assert.equal(answer.split('HTTP/1.1 ').length, 2, answer)
      await eventually(() => audit.length > 0)
      assert.deepEqual([reached, audit.length], [[], 1])
    })
  }
}

test('the rest of a late head is not read', async t => {
  const reached: unknown[] = []
  const origin = await startOrigin(t, (request, response) => {
    reached.push(request.url)
    response.end('ok')
  })
  const { port, audit } = await startEdge(t, planFor(origin.url), { limits: { headersTimeoutMs: 100 } })
  const client = new RawClient(port).send('GET /late HTTP/1.1\r\nHost: site.test\r\n')
  await client.until('HTTP/1.1 408 ')
  client.send('\r\n')
  assert.equal((await client.end()).split('HTTP/1.1 ').length, 2)
  await eventually(() => audit.length > 0)
  assert.deepEqual([reached, audit.length], [[], 1])
})

test('pipelined requests reach the origin one at a time, and are answered in order', async t => {
  const reached: unknown[] = []
  let open = 0
  let most = 0
  const origin = await startOrigin(t, (request, response) => {
    most = Math.max(most, ++open)
    request.resume().on('end', () => {
      reached.push(request.url)
      setImmediate(() => {
        open--
        response.end(`answer to ${request.url};`)
      })
    })
  })
  let connections = 0
  origin.server.on('connection', () => connections++)
  const { port, audit } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port)
  const paths = Array.from({ length: 3000 }, (_, at) => `/${at}`)
  // Some have a body, one of them chunked; the packets end at arbitrary positions.
  const text = paths
    .map((path, at) => {
      if (at % 3 === 0) return head(`GET ${path} HTTP/1.1`)
      if (at % 3 === 1) return `${head(`POST ${path} HTTP/1.1`, 'Content-Length: 3')}a=b`
      return `${head(`POST ${path} HTTP/1.1`, 'Transfer-Encoding: chunked')}3\r\na=b\r\n0\r\n\r\n`
    })
    .join('')
  client.send(text)
  await eventually(() => client.received.includes('answer to /2999;'), undefined, 60_000)
  assert.deepEqual(reached, paths)
  assert.deepEqual(client.received.match(/(?<=answer to )[^;]*/g), paths)
  assert.equal(most, 1)
  // A connection that is just becoming free may be skipped.
  assert.ok(connections <= 2, `${connections} connections`)
  client.socket.destroy()
  await eventually(() => audit.length === 3000)
})

for (const bytes of [200_000, 600_000])
  test(`a client leaves with ${bytes} bytes after its request`, async t => {
    const origin = await startOrigin(t, () => {})
    const { edge, port, records } = await startEdge(t, planFor(origin.url))
    const client = new RawClient(port).send(head('GET / HTTP/1.1') + smuggled)
    await new Promise(resolve => client.socket.write('x'.repeat(bytes), resolve))
    await eventually(() => edge.stats().active === 1)
    client.socket.destroy()
    await eventually(() => records.length === 1)
    assert.equal(records[0]!['EdgeResponseStatus'], 499)
    await eventually(() => edge.stats().active === 0)
  })

const tooMuch: readonly { name: string; bytes: number; limits: Partial<EdgeLimits> }[] = [
  { name: 'beyond the limit', bytes: 600_000, limits: {} },
  { name: 'beyond the memory for bodies', bytes: 100_000, limits: { bodyBytesMax: 50_000 } },
]
for (const { name, bytes, limits } of tooMuch)
  test(`further input after a request ${name} ends the connection with its response`, async t => {
    const held: (() => void)[] = []
    const origin = await startOrigin(t, (_request, response) => held.push(() => response.end('first')))
    const { edge, port } = await startEdge(t, planFor(origin.url), { limits })
    const client = new RawClient(port).send(head('GET / HTTP/1.1') + smuggled)
    await new Promise(resolve => client.socket.write(smuggled.repeat(bytes / smuggled.length), resolve))
    await eventually(() => held.length === 1)
    held[0]!()
    const text = await client.end()
    assert.match(text, /^HTTP\/1.1 200 OK[\s\S]*\r\nConnection: close\r\n[\s\S]*first/)
    assert.equal(text.split('HTTP/1.1 ').length, 2)
    assert.equal(held.length, 1)
    // The memory is free again.
    const post = `${head('POST / HTTP/1.1', 'Content-Length: 40000')}${'a'.repeat(40_000)}`
    const next = new RawClient(port).send(post)
    await eventually(() => held.length === 2)
    held[1]!()
    assert.match(await next.until('first'), /^HTTP\/1.1 200 /)
    assert.equal(edge.stats().overloads.body_memory, 0)
  })

const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
const ignored: readonly { name: string; first: string; second: string }[] = [
  { name: 'no further input', first: head('GET /1 HTTP/1.1', ...upgrade), second: '' },
  { name: 'a request after it', first: head('GET /1 HTTP/1.1', ...upgrade), second: smuggled },
  {
    name: 'a body, and a request after it',
    first: `${head('POST /1 HTTP/1.1', ...upgrade, 'Content-Length: 3')}a=b`,
    second: smuggled,
  },
  {
    name: 'after a request',
    first: head('GET /1 HTTP/1.1'),
    second: head('GET /2 HTTP/1.1', ...upgrade),
  },
]
for (const { name, first, second } of ignored)
  test(`an unknown upgrade is ignored, and no input is lost silently: ${name}`, async t => {
    const origin = await startOrigin(t, (request, response) => {
      request.resume()
      setTimeout(() => response.end(`answer to ${request.url};`), 20)
    })
    const { port } = await startEdge(t, planFor(origin.url))
    const client = new RawClient(port).send(first + second)
    await client.until('answer to /1;')
    if (second === '') {
      client.send(head('GET /2 HTTP/1.1', ...upgrade))
      await client.until('answer to /2;')
      client.send(head('GET /3 HTTP/1.1'))
      await client.until('answer to /3;')
      client.socket.destroy()
    } else {
      assert.match(await client.end(), /\r\nConnection: close\r\n/)
      assert.equal(client.received.split('HTTP/1.1 ').length, 2)
    }
  })

test('a packet too short for the end of a head loses no part of the next request silently', async t => {
  const origin = await startOrigin(t, (request, response) => response.end(`answer to ${request.url};`))
  const { port } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(head('GET /1 HTTP/1.1', ...upgrade).slice(0, -2))
  client.socket.setNoDelay(true)
  // By now the edge has read the head except its end.
  await new Promise(resolve => setTimeout(resolve, 50))
  client.send('\r\nG')
  await client.until('answer to /1;')
  assert.match(await client.end(), /\r\nConnection: close\r\n/)
})

test('a WebSocket after another request ends the connection with the previous response', async t => {
  const origin = await startOrigin(t, (_request, response) => setTimeout(() => response.end('first'), 50))
  const { port, audit } = await startEdge(t, planFor(origin.url))
  const websocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const client = new RawClient(port).send(head('GET / HTTP/1.1') + head('GET /ws HTTP/1.1', ...websocket))
  const text = await client.end()
  assert.match(text, /^HTTP\/1.1 200 OK[\s\S]*first/)
  await eventually(() => audit.length > 0)
  assert.deepEqual([text.split('HTTP/1.1 ').length, audit.length], [2, 1])
})

test('a request whose connection ends with the previous response is not served', async t => {
  const reached: unknown[] = []
  const origin = await startOrigin(t, (request, response) => {
    reached.push(request.url)
    response.end('ok')
  })
  const { port, audit } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send(head('GET /1 HTTP/1.0') + head('GET /2 HTTP/1.1'))
  assert.equal((await client.end()).split('HTTP/1.1 ').length, 2)
  await eventually(() => audit.length > 0)
  assert.deepEqual([reached, audit.length], [['/1'], 1])
})

test('a partial further request and the end of the connection do not suppress the response', async t => {
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

test('incomplete chunks are refused, also after their inspection', async t => {
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

test('a slow body that makes progress is accepted', async t => {
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

test('a client leaves in the middle of its body', async t => {
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
