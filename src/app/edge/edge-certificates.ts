import { hkdfSync } from 'node:crypto'
import type { ChangeFeed } from '../../bus/index.ts'
import {
  type CertificatePair,
  CertificateTable,
  type NamedCertificate,
  type OcspStaples,
} from '../../edge/index.ts'
import type { Store } from '../../store/index.ts'
import type { PlanTable } from '../plans/plan-table.ts'
import { watchCertificateFiles } from './certificate-files.ts'
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
  readonly plans: Pick<PlanTable, 'nearestZone'>
  readonly changes: Pick<ChangeFeed, 'subscribe'>
  /** Shared by all edges that resume each other's sessions. */
  readonly secret: string
  /** OCSP responses for them; absent: none. */
  readonly staples?: OcspStaples
  /** Certificates that cannot be read; the edge keeps the ones that it has. */
  readonly onError: (error: unknown) => void
}

/**
 * The certificates of one edge: those of zones, then those of the settings, read again when their files change, and a
 * self-signed one for all other names.
 * @throws Error that names the file, StoreError when the database is unreachable
 */
export async function openCertificates(sources: CertificateSources): Promise<EdgeCertificates> {
  const { paths, selfSigned, store, plans, changes, secret, staples, onError } = sources
  const ticketKeys = Buffer.from(hkdfSync('sha256', secret, '', 'tls session tickets', 48))
  const table = new CertificateTable(ticketKeys, {
    nearestZone: name => plans.nearestZone(name),
    ...(staples === undefined ? {} : { staples }),
  })
  const zones = new ZoneCertificates(store, onError)
  let files: readonly NamedCertificate[] = []
  const replace = () => table.replace([...zones.inOrder(), ...files], selfSigned)
  const takeFiles = (read: readonly NamedCertificate[]) => {
    files = read
    replace()
  }
  // Subscribed before the certificates are read, so that no change is missed.
  const unsubscribe = changes.subscribe(change => {
    void zones.apply(change).then(changed => {
      if (changed) replace()
    })
  })
  let unwatch: () => void
  try {
    ;[unwatch] = await Promise.all([watchCertificateFiles(paths, takeFiles, onError), zones.load()])
  } catch (error) {
    unsubscribe()
    throw error
  }
  replace()
  return {
    table,
    close() {
      unwatch()
      unsubscribe()
      zones.close()
      staples?.close()
    },
  }
}
