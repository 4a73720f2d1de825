import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import type { CertificateReport, CertificateStatus } from '../../model/certificate.ts'
import { watchCertificates } from './certificate-watch.ts'

const report = (name: string, status: CertificateStatus): CertificateReport => ({
  hosts: [name],
  source: 'file',
  issuer: 'Test',
  expiresMs: 0,
  status,
})

test('certificates that expire are logged once a day', async t => {
  const certificates = [report('old.test', 'expired'), report('soon.test', 'expiring')]
  const lines: string[] = []
  let checks = 0
  let hours = 0
  const stop = watchCertificates(
    async () => {
      checks++
      return [...certificates, report('good.test', 'active')]
    },
    { warn: (_fields: object, line: string) => void lines.push(line) } as never,
    () => hours * 3_600_000,
    1,
  )
  t.after(stop)
  const later = async () => {
    const before = checks
    await eventually(() => assert.ok(checks >= before + 3))
  }
  const first = [
    'the certificate for old.test has expired: clients refuse it',
    'the certificate for soon.test expires soon',
  ]
  await later()
  assert.deepEqual(lines, first)
  hours = 24
  await later()
  stop()
  assert.deepEqual(lines, [...first, ...first])
})
