import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestDomain } from '../../kit/host-name.ts'
import { madeCertificate } from '../../kit/testing/certificates.ts'
import { CertificateTable, namedCertificate } from './certificate-table.ts'

const dayMs = 86_400_000
const nearestZone = (name: string) => nearestDomain(name, new Set(['shop.test', 'other.test']))
const nowMs = Date.parse('2026-06-01T00:00:00Z')

/** @param leftDays until its end, of `days` in all */
async function certificate(names: readonly string[], leftDays: number, days = 90) {
  const expires = new Date(nowMs + leftDays * dayMs)
  const begins = new Date(expires.getTime() - days * dayMs)
  return namedCertificate(await madeCertificate(names, { begins, expires }))
}

test('the certificates that clients get are reported, the first to expire first', async () => {
  const table = new CertificateTable(Buffer.alloc(48), { nowMs: () => nowMs, nearestZone })
  const certificates = [
    await certificate(['shop.test', '*.shop.test'], 60),
    await certificate(['shop.test', 'api.other.test'], 13),
    await certificate(['www.shop.test'], -1),
    await certificate(['other.test'], -2),
    await certificate(['short.test'], 1.6, 6),
    await certificate(['shortest.test'], 1.4, 6),
  ]
  table.replace(certificates, await madeCertificate(['localhost']))
  const shown = (zoneName?: string) =>
    table.served(zoneName).map(({ hosts, status }) => `${hosts.join(' ')} ${status}`)
  assert.deepEqual(shown(), [
    'other.test expired',
    'shortest.test expiring',
    'short.test active',
    'api.other.test expiring',
    'shop.test *.shop.test www.shop.test active',
  ])
  assert.deepEqual(shown('other.test'), ['other.test expired', 'api.other.test expiring'])
  const [first] = table.served()
  assert.deepEqual(first, {
    hosts: ['other.test'],
    source: 'file',
    issuer: 'Makers of tests',
    expiresMs: certificates[3]!.expiresMs,
    status: 'expired',
  })
})
