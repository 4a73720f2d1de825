import 'reflect-metadata'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { eventually } from '../../testing/fixture.ts'
import { opensslAuthority, revokedSerial } from '../../testing/openssl-authority.ts'
import { startTls } from '../../testing/tls-edge.ts'
import { CertificateTable, namedCertificate } from '../certificate-table.ts'
import { selfSignedCertificate } from '../self-signed.ts'
import { checkedStaple, ocspRequest } from './messages.ts'
import { OcspStaples } from './staples.ts'
import { ocspSubject } from './subject.ts'

const newSelfSigned = () => selfSignedCertificate(['localhost'], new Date())
const anyResponder = 'authorityInfoAccess=OCSP;URI:http://ocsp.test'
const loopback = { reach: 'loopback', setting: 'SLUICE_DESTINATIONS' } as const

for (const signer of ['ca', 'responder'] as const)
  test(`clients get the response of openssl ocsp, signed by the ${signer}`, async t => {
    const authority = await opensslAuthority(t)
    const responder = await authority.respond(signer)
    const pair = await authority.issue('1001', [
      `authorityInfoAccess=OCSP;URI:${responder}`,
      'tlsfeature=status_request',
    ])
    const onFailure = (_host: string, error: unknown) => assert.fail(String(error))
    const staples = new OcspStaples({ policy: loopback, onFailure, nowMs: Date.now })
    t.after(() => staples.close())
    const certificates = new CertificateTable(Buffer.alloc(48), { staples })
    certificates.replace([namedCertificate(pair)], await newSelfSigned())
    assert.notEqual(await staples.of(pair.certificate), undefined, 'it waits for the first response')
    const tls = { certificates, ja4: false }
    const { tlsPort } = await startTls(t, 'http://127.0.0.1:1', {}, { tls })
    for (const version of ['-tls1_2', '-tls1_3']) {
      const shown = await clientOutput(tlsPort, 'shop.test', version)
      assert.match(shown, /OCSP Response Status: successful/, version)
      assert.match(shown, /Cert Status: good/, version)
    }
    assert.match(await clientOutput(tlsPort, 'other.test', '-tls1_3'), /OCSP response: no response sent/)
  })

test('responses that a client would refuse are refused', async t => {
  const authority = await opensslAuthority(t)
  const good = ocspSubject((await authority.issue('1001', [anyResponder])).certificate)!
  const revoked = ocspSubject((await authority.issue(revokedSerial, [anyResponder])).certificate)!
  const unknown = ocspSubject((await authority.issue('1003', [anyResponder])).certificate)!
  const nowMs = Date.now()
  const dayMs = 86_400_000
  const answer = await authority.answer(ocspRequest(good), 'ca', '-ndays', '1')
  const { untilMs } = checkedStaple(answer, good, nowMs)
  assert.ok(Math.abs(untilMs - nowMs - dayMs) < 60_000)
  const forged = Buffer.from(answer)
  const producedAt = /\d{14}Z/.exec(answer.toString('latin1'))!.index
  forged[producedAt + 13]! ^= 1
  const stranger = await authority.answer(ocspRequest(good), 'stranger', '-ndays', '1')
  const rows: readonly (readonly [Buffer, typeof good, number, RegExp])[] = [
    [answer, revoked, nowMs, /about another certificate/],
    [await authority.answer(ocspRequest(revoked), 'ca'), revoked, nowMs, /is revoked/],
    [await authority.answer(ocspRequest(unknown), 'ca'), unknown, nowMs, /does not know the certificate/],
    [answer, good, nowMs + 2 * dayMs, /too old/],
    [answer, good, nowMs - dayMs, /from the future/],
    [forged, good, nowMs, /signature/],
    [stranger, good, nowMs, /signature/],
    [Buffer.from('<html>'), good, nowMs, /not an OCSP response/],
    [Buffer.from([0x30, 3, 0x0a, 1, 6]), good, nowMs, /refuses to answer: unauthorized/],
  ]
  for (const [der, subject, atMs, reason] of rows)
    assert.throws(() => checkedStaple(der, subject, atMs), reason)
})

test('responders in networks that the settings do not allow are not asked', async t => {
  const authority = await opensslAuthority(t)
  const { certificate } = await authority.issue('1001', ['authorityInfoAccess=OCSP;URI:http://127.0.0.1:9'])
  const failures: [string, string, boolean][] = []
  const staples = new OcspStaples({
    policy: { reach: 'public', setting: 'SLUICE_DESTINATIONS' },
    onFailure: (host, error, needed) => failures.push([host, (error as Error).message, needed]),
    nowMs: Date.now,
  })
  t.after(() => staples.close())
  staples.use([certificate])
  await eventually(() => failures.length === 1)
  const [host, reason, needed] = failures[0]!
  assert.equal(host, '127.0.0.1:9')
  assert.match(reason, /SLUICE_DESTINATIONS/)
  assert.equal(needed, false)
  assert.equal(await staples.of(certificate), undefined)
})

test('certificates without a responder or without their issuer get no response', async t => {
  const authority = await opensslAuthority(t)
  assert.equal(ocspSubject((await authority.issue('1001', [])).certificate), undefined)
  const { certificate } = await authority.issue('1001', [anyResponder, 'tlsfeature=status_request'])
  assert.equal(ocspSubject(certificate)!.mustStaple, true)
  const [leaf] = certificate.split(/(?<=-----END CERTIFICATE-----\n)/)
  assert.equal(ocspSubject(leaf!), undefined)
  assert.equal(ocspSubject(`${leaf}${(await newSelfSigned()).certificate}`), undefined)
})

function clientOutput(port: number, name: string, version: string): Promise<string> {
  const words = ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', name, '-status', version]
  return new Promise(resolve => {
    execFile('openssl', words, (_error, stdout) => resolve(stdout)).stdin!.end()
  })
}
