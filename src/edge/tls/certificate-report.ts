import type { CertificateFacts } from '../../kit/certificates.ts'
import type { CertificateReport, CertificateStatus } from '../../model/certificate.ts'
import { tlsLimits } from './limits.ts'

/** @param hosts the names that it serves */
export function reportOf(
  { issuer, beginsMs, expiresMs }: CertificateFacts,
  hosts: readonly string[],
  source: CertificateReport['source'],
  nowMs: number,
): CertificateReport {
  return { hosts, source, issuer, expiresMs, status: statusOf(beginsMs, expiresMs, nowMs) }
}

/** A certificate of a few days is renewed a day or two before its end, so the share counts as well. */
function statusOf(beginsMs: number, expiresMs: number, nowMs: number): CertificateStatus {
  const leftMs = expiresMs - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs < Math.min(tlsLimits.expiringMs, (expiresMs - beginsMs) * tlsLimits.expiringShare)
    ? 'expiring'
    : 'active'
}
