import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { CidrSet, parseCidr } from '../../../kit/cidr.ts'
import type { ZoneSettings } from '../../../model/zone-settings.ts'
import { eventually, startOrigin } from '../../testing/fixture.ts'
import { ask, openHttp2, startTls } from '../../testing/tls-edge.ts'
import { namedCertificate } from '../../tls/certificate-table.ts'
import { selfSignedCertificate } from '../../tls/self-signed.ts'

test('requests over HTTP/2 reach the origin and are recorded like others', async t => {
  const origin = await startOrigin(t, (request, response) => {
    request.resume()
    response.setHeader('x-cookie', request.headers.cookie ?? '')
    response.end(
      `${request.method} ${request.url} ${request.headers.host} ${request.headers['x-forwarded-proto']}`,
    )
  })
  const { tlsPort, records } = await startTls(t, origin.url)
  const session = openHttp2(t, tlsPort)
  const answer = await ask(session, { ':path': '/a?b=c', cookie: ['x=1', 'y=2'] })
  assert.equal(answer.status, 200)
  assert.equal(answer.text, 'GET /a?b=c zone.test:443 https')
  assert.equal(answer.headers['x-cookie'], 'x=1; y=2')
  await eventually(() => records.length === 1)
  const [record] = records
  assert.equal(record!.ClientRequestProtocol, 'HTTP/2')
  assert.equal(record!.ClientRequestScheme, 'https')
  assert.equal(record!.EdgeResponseStatus, 200)
  assert.equal(record!.ClientSSLProtocol, 'TLSv1.3')
  assert.match(String(record!.ClientSSLCipher), /^TLS_AES_/)
})

test('a body of HTTP/2 without a length reaches the origin, and trailers reach the client', async t => {
  const origin = await startOrigin(t, async (request, response) => {
    let bytes = 0
    for await (const chunk of request) bytes += (chunk as Buffer).length
    response.writeHead(200, { trailer: 'x-sum' })
    response.write('body')
    response.addTrailers({ 'x-sum': String(bytes) })
    response.end()
  })
  const { tlsPort } = await startTls(t, origin.url)
  const answer = await ask(openHttp2(t, tlsPort), { ':method': 'POST', ':path': '/' }, 'x'.repeat(300_000))
  assert.equal(answer.text, 'body')
  assert.equal((answer.trailers as Record<string, string>)['x-sum'], '300000')
})

test('HEAD, 204 and 304 have no body over HTTP/2', async t => {
  const origin = await startOrigin(t, (request, response) => {
    response.writeHead(Number(request.url!.slice(1)), { 'content-length': '500' }).end()
  })
  const { tlsPort, records } = await startTls(t, origin.url)
  const session = openHttp2(t, tlsPort)
  for (const status of [204, 304])
    assert.equal((await ask(session, { ':path': `/${status}` })).status, status)
  assert.equal((await ask(session, { ':method': 'HEAD', ':path': '/200' })).status, 200)
  await eventually(() => records.length === 3)
})

test('HTTP/1.1 over TLS is served; a host of another certificate is misdirected', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const { tlsPort, records } = await startTls(t, origin.url)
  assert.deepEqual(await get(tlsPort, 'zone.test', 'zone.test'), { status: 200, text: 'fine' })
  assert.equal((await get(tlsPort, 'zone.test', 'www.zone.test')).status, 200)
  assert.equal((await get(tlsPort, 'zone.test', 'else.test')).status, 421)
  await eventually(() => records.length === 3)
  assert.equal(records[0]!.ClientRequestProtocol, 'HTTP/1.1')
})

test('certificates change without dropping a connection', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('ok'))
  const { tlsPort, certificates } = await startTls(t, origin.url)
  const get = { ':path': '/', ':authority': 'zone.test' }
  const session = openHttp2(t, tlsPort)
  assert.equal((await ask(session, get)).status, 200)
  const renewed = await selfSignedCertificate(['zone.test'], new Date())
  certificates.replace([namedCertificate(renewed)], renewed)
  const next = openHttp2(t, tlsPort)
  assert.equal((await ask(next, get)).status, 200)
  const shown = (next.socket as TLSSocket).getPeerCertificate().fingerprint256
  assert.equal(shown, new X509Certificate(renewed.certificate).fingerprint256)
  assert.equal((await ask(session, get)).status, 200)
})

test('the settings of a zone decide about versions and HTTP/2', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const rows: [Partial<ZoneSettings>, ConnectionOptions, string | undefined, string | false][] = [
    [{}, {}, 'TLSv1.3', 'h2'],
    [{}, { maxVersion: 'TLSv1.2' }, 'TLSv1.2', 'h2'],
    [{ minTlsVersion: '1.3' }, { maxVersion: 'TLSv1.2' }, undefined, false],
    [{ tls13: false }, {}, 'TLSv1.2', 'h2'],
    [{ http2: false }, {}, 'TLSv1.3', 'http/1.1'],
  ]
  for (const [settings, options, version, protocol] of rows) {
    const { tlsPort } = await startTls(t, origin.url, settings)
    const client = await shake(t, tlsPort, options)
    assert.equal(client?.getProtocol() ?? undefined, version, JSON.stringify(settings))
    if (client !== undefined) assert.equal(client.alpnProtocol, protocol)
  }
})

test('the ciphers of a zone hold for TLS 1.2', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const strong = 'ECDHE-ECDSA-AES256-GCM-SHA384'
  const rows: [ciphers: string[], ConnectionOptions, string | undefined][] = [
    [[strong], { maxVersion: 'TLSv1.2' }, strong],
    // The certificate has an ECDSA key.
    [['ECDHE-RSA-AES128-GCM-SHA256'], { maxVersion: 'TLSv1.2' }, undefined],
    [['ECDHE-RSA-AES128-GCM-SHA256'], { ciphers: 'TLS_AES_128_GCM_SHA256' }, 'TLS_AES_128_GCM_SHA256'],
  ]
  for (const [ciphers, options, cipher] of rows) {
    const { tlsPort } = await startTls(t, origin.url, { ciphers })
    assert.equal((await shake(t, tlsPort, options))?.getCipher().name, cipher, String(ciphers))
  }
})

test('security_header sets HSTS for HTTPS only, in place of the origin’s', async t => {
  const origin = await startOrigin(t, (_request, response) =>
    response.setHeader('Strict-Transport-Security', 'max-age=1').end('fine'),
  )
  const hsts = 'max-age=60; includeSubDomains'
  const { url, tlsPort } = await startTls(t, origin.url, { securityHeader: { hsts, nosniff: true } })
  const { headers } = await ask(openHttp2(t, tlsPort), { ':authority': 'zone.test' })
  assert.deepEqual(
    [headers['strict-transport-security'], headers['x-content-type-options']],
    [hsts, 'nosniff'],
  )
  const plain = await fetch(url)
  assert.deepEqual(
    [plain.headers.get('strict-transport-security'), plain.headers.get('x-content-type-options')],
    ['max-age=1', null],
  )
})

test('a connection without a server name gets around no setting of the zone', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const old = { maxVersion: 'TLSv1.2' } as const
  const rows: [Partial<ZoneSettings>, ConnectionOptions, number, number][] = [
    [{}, old, 200, 200],
    [{ minTlsVersion: '1.3' }, old, 421, 421],
    [{ minTlsVersion: '1.3' }, {}, 200, 200],
    [{ tls13: false }, {}, 421, 421],
    [{ http2: false }, {}, 200, 421],
    [{ ciphers: ['ECDHE-RSA-AES128-GCM-SHA256'] }, old, 421, 421],
    [{ ciphers: ['ECDHE-RSA-AES128-GCM-SHA256'] }, {}, 200, 200],
  ]
  for (const [settings, options, http1, http2] of rows) {
    const { tlsPort } = await startTls(t, origin.url, settings)
    const socket = await shake(t, tlsPort, { servername: '', ALPNProtocols: ['http/1.1'], ...options })
    socket!.write('GET / HTTP/1.1\r\nHost: zone.test\r\nConnection: close\r\n\r\n')
    const answer = await text(socket!)
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${http1} `), JSON.stringify(settings))
    const session = openHttp2(t, tlsPort, '', options)
    assert.equal((await ask(session, { ':authority': 'zone.test' })).status, http2, JSON.stringify(settings))
  }
})

test('input that is not TLS ends the connection', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const { tlsPort } = await startTls(t, origin.url)
  for (const input of [
    'GET / HTTP/1.1\r\n\r\n',
    '\x16\x03\x01\xff\xff',
    '\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00',
  ]) {
    const socket = connectTcp(tlsPort, '127.0.0.1')
    socket.on('error', () => {})
    socket.end(input, 'latin1')
    await new Promise(resolve => socket.once('close', resolve))
  }
})

test('the PROXY protocol tells the address of the client, from trusted proxies only', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const trustedProxies = new CidrSet([parseCidr('127.0.0.1/32')!])
  for (const [deps, served] of [
    [{ trustedProxies }, true],
    [{}, false],
  ] as const) {
    const { edge, records } = await startTls(t, origin.url, {}, deps)
    for (const tls of [false, true]) {
      const port = await edge.listen({ host: '127.0.0.1', port: 0 }, { tls, proxyProtocol: true })
      const v2 = Buffer.from('0d0a0d0a000d0a515549540a21110000cb007107c000020104d201bb', 'hex')
      v2.writeUInt16BE(12, 14)
      for (const header of [Buffer.from('PROXY TCP4 203.0.113.7 192.0.2.1 1234 443\r\n'), v2]) {
        const text = await askBehindProxy(port, header, tls)
        assert.equal(text.endsWith('fine'), served)
      }
    }
    if (!served) continue
    await eventually(() => records.length === 4)
    for (const record of records) assert.equal(record.ClientIP, '203.0.113.7')
    assert.equal(records[0]!.ClientSrcPort, 1234)
  }
})

test('a proxy behind a unix socket names its clients, in headers or with the PROXY protocol', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end('fine'))
  const { edge, records } = await startTls(t, origin.url)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-unix-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const proxyProtocol of [false, true])
    await edge.listen({ path: join(folder, `${proxyProtocol}`) }, { tls: false, proxyProtocol })
  const rows: [socket: string, header: string, clientIp: string][] = [
    ['false', '', '127.0.0.1'],
    ['false', 'X-Forwarded-For: 203.0.113.7, 198.51.100.9\r\n', '198.51.100.9'],
    ['true', 'X-Forwarded-For: 203.0.113.7\r\n', '203.0.113.8'],
  ]
  for (const [socket, header] of rows) {
    const client = connectTcp(join(folder, socket))
    if (socket === 'true') client.write('PROXY TCP4 203.0.113.8 192.0.2.1 1234 443\r\n')
    client.write(`GET / HTTP/1.1\r\nHost: zone.test\r\nConnection: close\r\n${header}\r\n`)
    assert.match((await client.setEncoding('latin1').toArray()).join(''), /fine$/)
  }
  await eventually(() => records.length === rows.length)
  assert.deepEqual(
    records.map(({ ClientIP }) => ClientIP),
    rows.map(([, , clientIp]) => clientIp),
  )
})

async function askBehindProxy(port: number, header: Buffer, tls: boolean): Promise<string> {
  const raw = connectTcp(port, '127.0.0.1')
  raw.on('error', () => {})
  raw.write(header)
  const socket = tls ? connectTls({ socket: raw, servername: 'zone.test', rejectUnauthorized: false }) : raw
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: zone.test\r\nConnection: close\r\n\r\n')
  let text = ''
  socket.setEncoding('latin1').on('data', chunk => {
    text += chunk
  })
  await new Promise(resolve => socket.once('close', resolve))
  return text
}

function shake(t: TestContext, port: number, options: ConnectionOptions) {
  return new Promise<import('node:tls').TLSSocket | undefined>(resolve => {
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      servername: 'zone.test',
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
      ...options,
    })
    t.after(() => socket.destroy())
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

function get(port: number, servername: string, host: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      { port, host: '127.0.0.1', servername, headers: { host }, rejectUnauthorized: false, agent: false },
      async response => {
        let text = ''
        for await (const chunk of response.setEncoding('latin1')) text += chunk
        resolve({ status: response.statusCode!, text })
      },
    )
    request.once('error', reject).end()
  })
}
