import type { OriginCertificate, OriginCertificateKind } from '../../model/origin-certificate.ts'
import type { AuditEntry } from '../../model/resource.ts'

/** Certificates for connections to origins. Keys are encrypted at rest. Each write has a change entry of kind `zone`. */
export interface OriginCertificateStore {
  /** Oldest first. */
  list(zoneId: string, kind: OriginCertificateKind): Promise<readonly OriginCertificate[]>
  /**
   * @param key PEM, for a client
   * @throws StoreError `conflict` when there is no such zone, `full` when it has too many certificates of the kind
   */
  insert(certificate: OriginCertificate, key: string | undefined, audit?: AuditEntry): Promise<void>
  /** @returns false when there is no such certificate */
  delete(certificate: OriginCertificate, audit?: AuditEntry): Promise<boolean>
}
