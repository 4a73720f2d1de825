import { type Cipher, CipherError } from '../../../kit/cipher.ts'
import type {
  KeyedOriginCertificate,
  OriginCertificate,
  OriginCertificateKind,
} from '../../../model/origin-certificate.ts'
import { certificateStoreLimits } from '../../limits.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { OriginCertificateRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

export function originCertificateQueries(
  transactions: Transactions,
  cipher: Cipher,
): Store['originCertificates'] {
  return {
    list: (zoneId, kind) =>
      transactions.read(async db => (await rows(db, [zoneId])).filter(row => row.kind === kind).map(shown)),
    insert: (certificate, key, audit) =>
      transactions.write(zoneRow(certificate.zoneId), async tx => {
        await requireFew(tx, certificate)
        const { id, zoneId, kind, certificate: pem, expiresOn, uploadedOn, ...facts } = certificate
        await tx
          .insertInto('origin_certificates')
          .values({
            id,
            zone_id: zoneId,
            kind,
            certificate: pem,
            private_key: key === undefined ? null : cipher.seal(key),
            facts: JSON.stringify(facts),
            expires_on: expiresOn,
            uploaded_on: uploadedOn,
          })
          .execute()
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
      }),
    delete: ({ zoneId, kind, id }, audit) =>
      transactions.write(zoneRow(zoneId), async tx => {
        const { numDeletedRows } = await tx
          .deleteFrom('origin_certificates')
          .where('zone_id', '=', zoneId)
          .where('kind', '=', kind)
          .where('id', '=', id)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await announce(tx, 'zone', zoneId)
        await writeAudit(tx, audit)
        return true
      }),
  }
}

/** The certificates of zones as edges use them, oldest first. */
export async function usedOriginCertificates(
  db: Tx,
  cipher: Cipher,
  zoneIds: readonly string[],
): Promise<readonly KeyedOriginCertificate[]> {
  return (await rows(db, zoneIds)).map(row => ({ ...shown(row), key: opened(row, cipher) }))
}

function rows(db: Tx, zoneIds: readonly string[]): Promise<readonly OriginCertificateRow[]> {
  return db
    .selectFrom('origin_certificates')
    .selectAll()
    .where('zone_id', 'in', zoneIds)
    .orderBy('uploaded_on')
    .orderBy('id')
    .execute()
}

function opened({ private_key: key }: OriginCertificateRow, cipher: Cipher): string | undefined {
  if (key === null) return undefined
  try {
    return cipher.open(key)
  } catch (error) {
    if (error instanceof CipherError) return undefined
    throw error
  }
}

async function requireFew(tx: Tx, { zoneId, kind }: OriginCertificate): Promise<void> {
  const count = (await rows(tx, [zoneId])).filter(row => row.kind === kind).length
  if (count >= certificateStoreLimits.originCertificatesMax)
    throw new StoreError('full', `zone ${zoneId} has ${count} certificates of the kind ${kind}`)
}

function shown(row: OriginCertificateRow): OriginCertificate {
  return {
    id: row.id,
    zoneId: row.zone_id,
    kind: row.kind as OriginCertificateKind,
    certificate: row.certificate,
    ...(JSON.parse(row.facts) as Pick<OriginCertificate, 'issuer' | 'signature'>),
    expiresOn: row.expires_on,
    uploadedOn: row.uploaded_on,
  }
}
