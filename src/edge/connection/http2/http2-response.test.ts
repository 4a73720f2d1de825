import assert from 'node:assert/strict'
import { connect, createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Http2Response } from './http2-response.ts'

test('fields that node refuses to send reset their stream only', async t => {
  const refused: unknown[] = []
  const server = createServer()
  server.on('stream', (stream: ServerHttp2Stream, { ':path': path }) => {
    stream.on('error', () => {})
    const response = new Http2Response(stream, error => refused.push(error))
    const wrong = [['te', 'gzip']] as const
    if (path === '/hints') response.writeInterim(103, wrong)
    response.writeHead(200, path === '/head' ? wrong : [])
    response.write('body')
    response.prepareEnd(path === '/trailers' ? wrong : [])
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  t.after(() => session.destroy())
  const codes: (number | undefined)[] = []
  for (const path of ['/hints', '/head', '/trailers', '/fine']) {
    const stream = session.request({ ':path': path }).resume()
    stream.on('error', () => {})
    await new Promise(resolve => stream.once('close', resolve))
    codes.push(stream.rstCode)
  }
  assert.deepEqual(codes, [2, 2, 2, 0])
  assert.equal(refused.length, 3)
})
