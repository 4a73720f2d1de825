import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '../../kit/testing/free-port.ts'
import { openTestApi, type TestApi } from '../testing/test-api.ts'

let api: TestApi
let site: Server
let asked: string[]

before(async () => {
  api = await openTestApi()
  asked = []
  site = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`)
    response.writeHead(503).end('not now')
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
})
after(async () => {
  site.closeAllConnections()
  site.close()
  await api.close()
})

const check = (body: object, headers?: Record<string, string>) =>
  api.send('POST', `/accounts/${api.accountId}/origin_check`, body, headers)
const urlOf = (server: { address(): unknown }, scheme = 'http') =>
  `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`

test('an origin that answers is reachable, with any status', async () => {
  const { body } = await check({ origin: { url: urlOf(site) }, host: 'shop.example' })
  assert.deepEqual(body.result, { reachable: true, status: 503, message: 'it answers with status 503' })
  assert.deepEqual(asked, ['GET / shop.example'])
})

test('the reason why an origin does not answer is in the message', async t => {
  const gone = `http://127.0.0.1:${await freePort()}`
  const mute = createTcpServer(socket => socket.end('220 mail.example ESMTP\r\n'))
  await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
  t.after(() => mute.close())
  const rows: [url: string, message: RegExp][] = [
    [gone, /refuses connections: nothing listens there; correct the address/],
    [urlOf(mute), /does not speak HTTP/],
    [urlOf(site, 'https'), /does not speak TLS/],
  ]
  for (const [url, message] of rows) {
    const { status, body } = await check({ origin: { url } })
    assert.equal(status, 200)
    assert.equal(body.result.reachable, false)
    assert.equal(body.result.status, null)
    assert.match(body.result.message, message)
  }
})

test('an origin at a unix socket is checked if the operator has named the socket', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'sockets-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'app.sock')
  const local = createHttpServer((request, response) => response.end(request.headers.host))
  await new Promise<void>(resolve => local.listen(path, resolve))
  t.after(() => local.close())
  const named = await openTestApi({ originSockets: [folder] })
  t.after(() => named.close())
  const at = `/accounts/${named.accountId}/origin_check`
  const { body } = await named.send('POST', at, { origin: { url: `http://unix:${path}` } })
  assert.deepEqual(body.result, { reachable: true, status: 200, message: 'it answers with status 200' })
  const refused = await check({ origin: { url: `http://unix:${path}` } })
  assert.equal(refused.status, 400)
  assert.match(refused.body.errors[0].message, /SLUICE_ORIGIN_SOCKETS does not name/)
})

test('addresses that no origin may have are not contacted', async () => {
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]']) {
    const { body } = await check({ origin: { url: `http://${host}` } })
    const [error] = body.errors
    assert.equal(error.source.pointer, '/origin/url')
    assert.match(error.message, /it has a link-local or reserved address, which is never connected to/)
  }
})

test('an invalid origin is refused, and so is a caller that may not create zones', async () => {
  const bad = await check({ origin: { url: 'ftp://127.0.0.1' } })
  assert.equal(bad.status, 400)
  assert.equal(bad.body.errors[0].source.pointer, '/origin/url')
  const unknown = await check({ origin: { url: urlOf(site) } }, { authorization: 'Bearer an-unknown-token' })
  assert.ok(unknown.status >= 400)
})
