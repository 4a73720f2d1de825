import type { CertificateSource, ZoneCertificate } from '../../model/certificate.ts'
import type { AuditEntry } from '../../model/resource.ts'
import type { Revised } from './basis.ts'

/** A certificate as edges use it. */
export interface ServedCertificate {
  readonly id: string
  readonly zoneId: string
  readonly zoneName: string
  readonly source: CertificateSource
  readonly certificate: string
  /** PEM, decrypted. */
  readonly key: string
  /** As in ZoneCertificate. */
  readonly hosts: readonly string[]
  readonly priority: number
  readonly expiresOn: string
}

/** Certificates of zones. Keys are encrypted at rest. Each write has a change entry of kind `certificates`. */
export interface CertificateStore {
  /** Certificates of a zone, oldest first. */
  list(zoneId: string): Promise<readonly Revised<ZoneCertificate>[]>
  /** Certificates of every zone. */
  listAll(): Promise<readonly ZoneCertificate[]>
  get(zoneId: string, id: string): Promise<Revised<ZoneCertificate> | undefined>
  /**
   * With their keys, for edges.
   * @param zoneId absent: of every zone
   * @throws StoreError `unavailable` when a key cannot be decrypted
   */
  served(zoneId?: string): Promise<readonly ServedCertificate[]>
  /**
   * @param key PEM
   * @throws StoreError `conflict` when there is no such zone, `full` when it has too many certificates
   */
  insert(certificate: ZoneCertificate, key: string, audit?: AuditEntry): Promise<void>
  /**
   * Changes certificates of one zone, all or none.
   * @throws StoreError `stale` when one was changed since it was read, or is gone
   */
  update(zoneId: string, certificates: readonly EditedCertificate[], audit?: AuditEntry): Promise<void>
  /**
   * @param revision required revision; absent: any
   * @returns false when there is no such certificate
   * @throws StoreError `stale` when there is none of that revision
   */
  delete(zoneId: string, id: string, audit?: AuditEntry, revision?: number): Promise<boolean>
}

export interface EditedCertificate extends Revised<ZoneCertificate> {
  /** Absent: the stored key stays. */
  readonly key?: string
}
