import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { eventually, planFor, RawClient, startEdge, startOrigin } from '../testing/fixture.ts'

/** Every framing of a response. */
const answers = [
  { name: 'a body of known length', origin: ['content-length: 5', '', '12345'], bodyBytes: 5 },
  {
    name: 'a chunked body',
    origin: ['transfer-encoding: chunked', '', '5\r\n12345\r\n0\r\n', ''],
    bodyBytes: 5,
  },
  { name: 'no body', origin: ['content-length: 0', '', ''], bodyBytes: 0 },
  { name: 'a response to HEAD', method: 'HEAD', origin: ['content-length: 5', '', ''], bodyBytes: 0 },
  { name: 'a response of the edge', host: 'unknown.example', bodyBytes: undefined },
] as const

for (const { name, ...kind } of answers)
  test(`the last bytes go out after the record: ${name}`, async t => {
    const lines = 'origin' in kind ? kind.origin : ['content-length: 0', '', '']
    const origin = await startOrigin(t, (_request, response) => {
      response.socket!.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n${lines.join('\r\n')}`)
    })
    const handedOver = Promise.withResolvers<void>()
    let waits = 0
    const { port, records } = await startEdge(t, planFor(origin.url), {}, () => {
      waits++
      return handedOver.promise
    })
    const client = connect(port, '127.0.0.1')
    let received = ''
    client.on('data', chunk => {
      received += chunk.toString('latin1')
    })
    const method = 'method' in kind ? kind.method : 'GET'
    const host = 'host' in kind ? kind.host : 'site.test'
    client.write(`${method} / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    await eventually(() => waits === 1)
    for (let turns = 0; turns < 20; turns++) await turn()
    assert.ok(!isWhole(received, method), received)
    if (host === 'site.test') assert.equal(records.length, 1, 'the record is there')
    handedOver.resolve()
    await once(client, 'close')
    assert.ok(isWhole(received, method), received)
    const [record] = records
    if (record === undefined) return
    assert.equal(record['EdgeResponseBytes'], received.length)
    assert.equal(record['EdgeResponseBodyBytes'], kind.bodyBytes)
    assert.equal(record['EdgeResponseStatus'], 200)
  })

function isWhole(received: string, method: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head === -1) return false
  if (method === 'HEAD') return true
  const body = received.slice(head + 4)
  const length = /content-length: (\d+)/i.exec(received)?.[1]
  return length === undefined ? body.endsWith('0\r\n\r\n') : body.length === Number(length)
}

test('a response that breaks off is recorded: 499 by the client, 502 by the origin', async t => {
  const origin = await startOrigin(t, (request, response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    response.write('begin')
    if (request.url === '/origin') setTimeout(() => response.destroy(), 50)
  })
  const { port, records } = await startEdge(t, planFor(origin.url), { logger: { warn() {}, error() {} } })
  const client = new RawClient(port).send('GET /client HTTP/1.1\r\nHost: site.test\r\n\r\n')
  await client.until('begin')
  client.socket.destroy()
  await eventually(() => records.length === 1)
  await new RawClient(port).send('GET /origin HTTP/1.1\r\nHost: site.test\r\n\r\n').end()
  await eventually(() => records.length === 2)
  assert.deepEqual(
    records.map(record => [
      record['EdgeResponseStatus'],
      record['EdgeResponseBodyBytes'],
      record['OriginResponseStatus'],
    ]),
    [
      [499, 5, 200],
      [502, 5, 200],
    ],
  )
})
