import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { execution, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, RawClient, rule, startEdge, startOrigin } from '../testing/fixture.ts'

interface Heard {
  readonly information: { readonly status: number; readonly headers: IncomingMessage['headers'] }[]
  readonly answer: IncomingMessage
  readonly body: string
}

function ask(
  port: number,
  path: string,
  options: { readonly headers?: Record<string, string> } = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const information: Heard['information'] = []
    const request = httpRequest(
      { host: '127.0.0.1', port, path, headers: { host: 'site.test', ...options.headers } },
      answer => {
        let body = ''
        answer.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        answer.on('end', () => resolve({ information, answer, body }))
        answer.on('error', reject)
      },
    )
    request.on('information', ({ statusCode, headers }) => information.push({ status: statusCode, headers }))
    request.on('error', reject)
    request.end()
  })
}

const link = '</site.css>; rel=preload; as=style'

test('Early Hints reach the client before the response', async t => {
  let answerNow = () => {}
  const origin = await startOrigin(t, (request, response) => {
    response.writeEarlyHints({ link, 'x-mark': 'one' })
    response.writeProcessing()
    answerNow = () => response.end('ok')
    if (request.url === '/at-once') answerNow()
  })
  const { port, records } = await startEdge(t, planFor(origin.url))
  const client = new RawClient(port).send('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
  assert.match(
    await client.until('\r\n\r\n'),
    /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/site\.css>; rel=preload; as=style\r\nx-mark: one\r\n\r\n$/,
  )
  answerNow()
  assert.match(await client.until('ok'), /\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  assert.equal(client.received.split('HTTP/1.1 ').length, 3)
  client.socket.destroy()
  await eventually(() => records.length === 1)
  assert.equal(records[0]!['EdgeResponseStatus'], 200)
  const { information, body } = await ask(port, '/at-once')
  assert.deepEqual([information, body], [[{ status: 103, headers: { link, 'x-mark': 'one' } }], 'ok'])
})

test('Early Hints are not sent to HTTP/1.0, nor before rules that inspect the response', async t => {
  const origin = await startOrigin(t, (_request, response) => {
    response.writeEarlyHints({ link })
    response.end('ok')
  })
  const { port } = await startEdge(t, planFor(origin.url))
  const old = new RawClient(port).send('GET / HTTP/1.0\r\nHost: site.test\r\n\r\n')
  assert.doesNotMatch(await old.end(), /HTTP\/1.1 103/)
  const response = [rule(execution(fakeProgram()))]
  const inspected = await startEdge(t, planFor(origin.url, { response }))
  assert.deepEqual((await ask(inspected.port, '/')).information, [])
})

const withTrailers = (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { trailer: 'x-sum, set-cookie' })
  response.write('body')
  response.addTrailers([
    ['X-Sum', 'caf\xe9'],
    ['Set-Cookie', 'a=b'],
    ['Cache-Control', 'no-store'],
  ] as never)
  response.end()
}

for (const inspected of [false, true])
  test(`trailers reach the client${inspected ? ' when rules have inspected the response' : ''}`, async t => {
    const origin = await startOrigin(t, withTrailers)
    const response = inspected ? [rule(execution(fakeProgram()))] : []
    const { port } = await startEdge(t, planFor(origin.url, { response }))
    const { answer, body } = await ask(port, '/')
    assert.equal(body, 'body')
    assert.deepEqual(
      [answer.headers.trailer, answer.rawTrailers],
      ['x-sum, set-cookie', ['X-Sum', 'caf\xe9']],
    )
    const old = new RawClient(port).send('GET / HTTP/1.0\r\nHost: site.test\r\n\r\n')
    assert.match(await old.end(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nbody$/)
  })

test('the origin is told that the client accepts trailers', async t => {
  const seen: unknown[] = []
  const origin = await startOrigin(t, (request, response) => {
    seen.push(request.headers.te)
    response.end('ok')
  })
  const { port } = await startEdge(t, planFor(origin.url))
  await ask(port, '/', { headers: { te: 'gzip, trailers' } })
  await ask(port, '/', { headers: { te: 'gzip' } })
  assert.deepEqual(seen, ['trailers', undefined])
})

test('a response with announced trailers that cannot be sent still reaches the client', async t => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nTrailer: x-sum\r\nContent-Length: 2\r\n\r\nok'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = await startEdge(
    t,
    planFor(`http://127.0.0.1:${(server.address() as { port: number }).port}`),
  )
  const { answer, body } = await ask(port, '/')
  assert.deepEqual([answer.statusCode, answer.headers.trailer, body], [200, undefined, 'ok'])
})
