import type { CertificateReport } from '../../model/certificate.ts'
import type { Logger } from '../observe/logger.ts'

const checkMs = 3_600_000
const repeatMs = 24 * checkMs

/**
 * Logs the certificates that expire soon or have expired, each once a day.
 * @param nowMs for tests, as is `everyMs`
 * @returns ends the watch
 */
export function watchCertificates(
  served: () => Promise<readonly CertificateReport[]>,
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number = Date.now,
  everyMs = checkMs,
): () => void {
  /** By names, the moment of the last warning. */
  const warned = new Map<string, number>()
  const check = async () => {
    const now = nowMs()
    for (const [names, atMs] of warned) if (now - atMs >= repeatMs) warned.delete(names)
    for (const { hosts, source, expiresMs, status } of await served()) {
      const names = hosts.join(' ')
      if (status === 'active' || warned.has(names)) continue
      warned.set(names, now)
      const expires = new Date(expiresMs).toISOString()
      logger.warn(
        { hosts, source, expires },
        status === 'expired'
          ? `the certificate for ${hosts[0]} has expired: clients refuse it`
          : `the certificate for ${hosts[0]} expires soon`,
      )
    }
  }
  // Busy workers are asked again at the next check.
  const begin = () => void check().catch(() => {})
  begin()
  const timer = setInterval(begin, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
