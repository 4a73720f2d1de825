import { hkdfSync } from 'node:crypto'
import type { ChangeFeed } from '../../bus/index.ts'
import { type CertificatePair, CertificateTable, type NamedCertificate } from '../../edge/index.ts'
import type { Store } from '../../store/index.ts'
import { certificateLimits } from '../limits.ts'
import { certificateState, readCertificates } from './certificate-files.ts'
import { ZoneCertificates } from './zone-certificates.ts'

export interface EdgeCertificates {
  readonly table: CertificateTable
  close(): void
}

export interface CertificateSources {
  /** Files and directories of the settings. */
  readonly paths: readonly string[]
  readonly selfSigned: CertificatePair
  readonly store: Pick<Store['certificates'], 'served'>
  readonly changes: Pick<ChangeFeed, 'subscribe'>
  /** Shared by all edges that resume each other's sessions. */
  readonly secret: string
  /** Certificates that cannot be read; the edge keeps the ones that it has. */
  readonly onError: (error: unknown) => void
}

/**
 * The certificates of one edge: those of zones, then those of the settings, read again when their files change, and a
 * self-signed one for all other names.
 * @throws Error that names the file, StoreError when the database is unreachable
 */
export async function openCertificates(sources: CertificateSources): Promise<EdgeCertificates> {
  const { paths, selfSigned, store, changes, secret, onError } = sources
  const table = new CertificateTable(Buffer.from(hkdfSync('sha256', secret, '', 'tls session tickets', 48)))
  const zones = new ZoneCertificates(store, onError)
  let files: readonly NamedCertificate[] = []
  let known = ''
  const replace = () => table.replace([...zones.inOrder(), ...files], selfSigned)
  const readFiles = async () => {
    const state = await certificateState(paths)
    if (state === known) return
    files = await readCertificates(paths)
    known = state
    replace()
  }
  // Subscribed before the certificates are read, so that no change is missed.
  const unsubscribe = changes.subscribe(change => {
    void zones.apply(change).then(changed => {
      if (changed) replace()
    })
  })
  try {
    await Promise.all([zones.load(), readFiles()])
  } catch (error) {
    unsubscribe()
    throw error
  }
  replace()
  let reading = false
  const timer = setInterval(() => {
    if (reading) return
    reading = true
    void readFiles()
      .catch(onError)
      .finally(() => {
        reading = false
      })
  }, certificateLimits.checkMs)
  timer.unref()
  return {
    table,
    close() {
      clearInterval(timer)
      unsubscribe()
      zones.close()
    },
  }
}
