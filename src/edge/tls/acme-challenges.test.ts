import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { openHttp2, startTls } from '../testing/tls-edge.ts'
import { AcmeChallenges } from './acme-challenges.ts'
import { selfSignedCertificate } from './self-signed.ts'

const path = '/.well-known/acme-challenge/token-1'
const nowhere = 'http://127.0.0.1:9'

test('only live tokens of the host are answered, before every redirect', async t => {
  const challenges = new AcmeChallenges()
  const { port } = await startTls(t, nowhere, { alwaysUseHttps: true }, { challenges })
  assert.deepEqual(await get(port, path, 'zone.test'), [301, ''])
  challenges.replace([
    { kind: 'http-01', name: 'zone.test', token: 'token-1', keyAuthorization: 'token-1.k' },
  ])
  const rows: [target: string, host: string, method: string, answer: [status: number, text: string]][] = [
    [path, 'zone.test', 'GET', [200, 'token-1.k']],
    [path, 'ZONE.test:80', 'GET', [200, 'token-1.k']],
    [`${path}?a=b`, 'zone.test', 'GET', [200, 'token-1.k']],
    [path, 'zone.test', 'HEAD', [200, '']],
    [path, 'zone.test', 'POST', [301, '']],
    [`${path}x`, 'zone.test', 'GET', [301, '']],
    [path, 'www.zone.test', 'GET', [301, '']],
    ['/.well-known/acme-challenge/', 'zone.test', 'GET', [301, '']],
  ]
  for (const [target, host, method, answer] of rows)
    assert.deepEqual(await get(port, target, host, method), answer, `${method} ${host}${target}`)
  challenges.replace([])
  assert.deepEqual(await get(port, path, 'zone.test'), [301, ''])
})

test('only a client of acme-tls/1 gets the certificate of a live challenge, and nothing after it', async t => {
  const challenges = new AcmeChallenges()
  const { tlsPort } = await startTls(t, nowhere, {}, { challenges })
  const proof = await selfSignedCertificate(['zone.test'], new Date())
  const check = (servername: string, protocols: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: tlsPort,
        servername,
        ALPNProtocols: protocols,
        ca: proof.certificate,
      })
      socket.on('secureConnect', () => socket.resume().on('end', () => resolve(`${socket.alpnProtocol}`)))
      socket.on('error', reject)
    })
  await assert.rejects(check('zone.test', ['acme-tls/1']), /no application protocol/)
  challenges.replace([{ kind: 'tls-alpn-01', name: 'zone.test', ...proof }])
  assert.equal(await check('zone.test', ['acme-tls/1']), 'acme-tls/1')
  await assert.rejects(check('www.zone.test', ['acme-tls/1']), /no application protocol/)
  await assert.rejects(check('zone.test', ['acme-tls/1', 'http/1.1']), /self-signed/)
  // Others have the certificate of the name.
  await new Promise(resolve => openHttp2(t, tlsPort).once('connect', resolve))
})

function get(port: number, target: string, host: string, method = 'GET'): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers: { host } })
    sent.on('error', reject).on('response', async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve([response.statusCode!, text])
    })
    sent.end()
  })
}
