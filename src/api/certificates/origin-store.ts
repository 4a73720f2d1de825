import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { OriginCertificate } from '../../model/origin-certificate.ts'
import type { AuditEntry } from '../../model/resource.ts'
import { certificateStoreLimits } from '../../store/limits.ts'
import { StoreError } from '../../store/port/error.ts'
import type { ApiDeps } from '../deps.ts'
import { refusal } from '../http/errors.ts'
import type { checkedAuthority } from './upload.ts'

/** A new certificate from an upload. */
export function originCertificate(
  zoneId: string,
  kind: OriginCertificate['kind'],
  { certificate, issuer, signature, expiresMs }: ReturnType<typeof checkedAuthority>,
  nowMs: number,
): OriginCertificate {
  return {
    id: newId(),
    zoneId,
    kind,
    certificate,
    issuer,
    signature,
    expiresOn: timestampOf(expiresMs),
    uploadedOn: timestampOf(nowMs),
  }
}

/** @throws ApiError 403 when the zone has too many certificates of the kind */
export async function insertOriginCertificate(
  { store }: ApiDeps,
  certificate: OriginCertificate,
  key: string | undefined,
  audit: AuditEntry,
): Promise<void> {
  await store.originCertificates.insert(certificate, key, audit).catch(error => {
    if (!(error instanceof StoreError) || error.code !== 'full') throw error
    throw refusal('tooManyCertificates', { limit: String(certificateStoreLimits.originCertificatesMax) })
  })
}

/** @throws ApiError 404 */
export async function foundOriginCertificate(
  { store }: ApiDeps,
  zoneId: string,
  kind: OriginCertificate['kind'],
  id: string,
): Promise<OriginCertificate> {
  const all = await store.originCertificates.list(zoneId, kind)
  const found = all.find(one => one.id === id)
  if (found === undefined) throw refusal('certificateNotFound', { id })
  return found
}

/** @throws ApiError 404 when another request has deleted it */
export async function deleteOriginCertificate(
  { store }: ApiDeps,
  certificate: OriginCertificate,
  audit: AuditEntry,
): Promise<void> {
  if (!(await store.originCertificates.delete(certificate, audit)))
    throw refusal('certificateNotFound', { id: certificate.id })
}
