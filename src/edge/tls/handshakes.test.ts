import assert from 'node:assert/strict'
import { connect as connectTcp } from 'node:net'
import { test } from 'node:test'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { eventually } from '../testing/fixture.ts'
import { startTls } from '../testing/tls-edge.ts'

test('failed handshakes are counted by reason', async t => {
  const limits = { openingTimeoutMs: 300 }
  const { edge, tlsPort: port } = await startTls(t, 'http://127.0.0.1:1', {}, { limits })
  const address = { host: '127.0.0.1', port }
  const refused = (options: ConnectionOptions) =>
    new Promise(resolve => {
      const socket = connectTls({
        ...address,
        servername: 'zone.test',
        rejectUnauthorized: false,
        ...options,
      })
      socket.once('error', resolve).once('secureConnect', () => resolve(socket.end()))
    })
  const opened = () => connectTcp(address).on('error', () => {})
  opened().end()
  opened().write('GET / HTTP/1.1\r\n\r\n')
  const silent = opened()
  t.after(() => silent.destroy())
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await refused(old)
  await refused({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })
  await refused({ ALPNProtocols: ['smtp'] })
  await refused({})
  const { handshakeFailures } = edge.stats()
  await eventually(() => handshakeFailures.timeout === 1 && handshakeFailures.not_tls === 1)
  assert.deepEqual(handshakeFailures, {
    certificate_rejected: 0,
    closed: 1,
    no_application_protocol: 1,
    no_shared_cipher: 1,
    not_tls: 1,
    protocol_version: 1,
    timeout: 1,
    unrecognized_name: 0,
    other: 0,
  })
})

test('a client that leaves in the middle of its handshake frees its connection at once', async t => {
  const { edge, tlsPort: port } = await startTls(t, 'http://127.0.0.1:1')
  const { handshakeFailures } = edge.stats()
  await new Promise<void>(resolve => {
    // In TLS 1.3, a client is ready before the server has its last message.
    const options = { host: '127.0.0.1', port, servername: 'zone.test', rejectUnauthorized: false }
    const socket = connectTls(options, () => {
      socket.destroy()
      resolve()
    })
  })
  await eventually(() => handshakeFailures.closed === 1)
  assert.equal(handshakeFailures.timeout, 0)
})
