import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { OcspStaples } from '../../edge/index.ts'
import { opensslAuthority } from '../../edge/testing/openssl-authority.ts'
import { madeCertificate } from '../../kit/testing/certificates.ts'
import { listenForTls } from './tls-listener.ts'

const newStaples = () =>
  new OcspStaples({
    policy: { reach: 'loopback', setting: 'SLUICE_DESTINATIONS' },
    nowMs: Date.now,
    onFailure: (_host, error) => assert.fail(String(error)),
  })

test('an HTTP server answers over TLS, with the certificate of the name', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-api-tls-'))
  const [api, other, selfSigned] = await Promise.all([
    madeCertificate(['api.test']),
    madeCertificate(['other.test']),
    madeCertificate(['localhost']),
  ])
  await writeFile(join(directory, 'a.pem'), api.certificate + api.key)
  await writeFile(join(directory, 'b.pem'), other.certificate + other.key)
  const http = createServer((request, response) =>
    response.end(`${request.headers.host} ${(request.socket as TLSSocket).encrypted}`),
  )
  http.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  )
  const address = { host: '127.0.0.1', port: 0 }
  const onError = (error: unknown) => assert.fail(String(error))
  const listener = await listenForTls(http, address, {
    paths: [directory],
    selfSigned,
    staples: newStaples(),
    onError,
  })
  const bare = await listenForTls(http, address, { paths: [], selfSigned, staples: newStaples(), onError })
  t.after(async () => {
    listener.close()
    bare.close()
    await rm(directory, { recursive: true })
  })

  const certificateOf = (port: number, servername: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()!.fingerprint256)
        socket.destroy()
      })
      socket.once('error', reject)
    })
  const { port } = listener
  const of = ({ certificate }: { certificate: string }) => new X509Certificate(certificate).fingerprint256
  assert.equal(await certificateOf(port, 'api.test'), of(api))
  assert.equal(await certificateOf(port, 'OTHER.test'), of(other))
  assert.equal(await certificateOf(port, 'unknown.test'), of(api))
  assert.equal(await certificateOf(port, ''), of(api), 'a client that names no server')
  assert.equal(await certificateOf(bare.port, 'api.test'), of(selfSigned))

  const options = { host: '127.0.0.1', port, servername: 'api.test', ca: api.certificate, agent: false }
  const text = await new Promise<string>((resolve, reject) => {
    get({ ...options, headers: { host: 'api.test' } }, async response =>
      resolve(Buffer.concat(await response.toArray()).toString()),
    ).once('error', reject)
  })
  assert.equal(text, 'api.test true')
  const upgraded = await new Promise(resolve => {
    get({ ...options, headers: { connection: 'Upgrade', upgrade: 'websocket' } }).once(
      'upgrade',
      ({ statusCode }, socket) => {
        socket.destroy()
        resolve(statusCode)
      },
    )
  })
  assert.equal(upgraded, 101)
})

test('handshakes have the OCSP response of their certificate', async t => {
  const authority = await opensslAuthority(t)
  const responder = await authority.respond('ca')
  const shop = await authority.issue('1001', [
    `authorityInfoAccess=OCSP;URI:${responder}`,
    'tlsfeature=status_request',
  ])
  const selfSigned = await madeCertificate(['localhost'])
  const directory = await mkdtemp(join(tmpdir(), 'sluice-api-ocsp-'))
  await writeFile(join(directory, 'a.pem'), selfSigned.certificate + selfSigned.key)
  await writeFile(join(directory, 'b.pem'), shop.certificate + shop.key)
  const listener = await listenForTls(
    createServer(),
    { host: '127.0.0.1', port: 0 },
    {
      paths: [directory],
      selfSigned,
      staples: newStaples(),
      onError: error => assert.fail(String(error)),
    },
  )
  t.after(async () => {
    listener.close()
    await rm(directory, { recursive: true })
  })
  const stapleOf = (servername: string) =>
    new Promise<Buffer | null>((resolve, reject) => {
      const { port } = listener
      const options = { host: '127.0.0.1', port, servername, requestOCSP: true, rejectUnauthorized: false }
      const socket = connect(options).once('error', reject)
      socket.once('OCSPResponse', (response: Buffer | null) => {
        resolve(response)
        socket.destroy()
      })
    })
  // A good certificate: OCSPResponse with the status "successful" (RFC 6960 4.2.1).
  assert.match((await stapleOf('shop.test'))!.toString('hex'), /^3082....0a0100/)
  assert.equal((await stapleOf('unknown.test'))?.length ?? 0, 0)
})
