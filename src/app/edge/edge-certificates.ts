import { hkdfSync } from 'node:crypto'
import { type CertificatePair, CertificateTable } from '../../edge/index.ts'
import { certificateLimits } from '../limits.ts'
import { certificateState, readCertificates } from './certificate-files.ts'

export interface EdgeCertificates {
  readonly table: CertificateTable
  close(): void
}

/**
 * The certificates of one edge: those of the settings, read again when their files change, and a self-signed one for all
 * other names.
 * @param secret shared by all edges that resume each other's sessions
 * @param onError files that cannot be used; the edge keeps the certificates that it has
 */
export async function openCertificates(
  paths: readonly string[],
  selfSigned: CertificatePair,
  secret: string,
  onError: (error: unknown) => void,
): Promise<EdgeCertificates> {
  const table = new CertificateTable(Buffer.from(hkdfSync('sha256', secret, '', 'tls session tickets', 48)))
  let known = ''
  const load = async () => {
    const state = await certificateState(paths)
    if (state === known) return
    table.replace(await readCertificates(paths), selfSigned)
    known = state
  }
  table.replace([], selfSigned)
  await load()
  let loading = false
  const timer = setInterval(() => {
    if (loading) return
    loading = true
    void load()
      .catch(onError)
      .finally(() => {
        loading = false
      })
  }, certificateLimits.checkMs)
  timer.unref()
  return { table, close: () => clearInterval(timer) }
}
