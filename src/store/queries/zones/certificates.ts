import { type Cipher, CipherError } from '../../../kit/cipher.ts'
import type { CertificateSource, ZoneCertificate } from '../../../model/certificate.ts'
import type { AuditEntry } from '../../../model/resource.ts'
import { certificateStoreLimits } from '../../limits.ts'
import type { Revised } from '../../port/basis.ts'
import type { EditedCertificate } from '../../port/certificates.ts'
import { StoreError } from '../../port/error.ts'
import type { Store } from '../../port.ts'
import type { CertificateRow } from '../../schema.ts'
import type { Transactions, Tx } from '../../transactions.ts'
import { writeAudit } from '../audit.ts'
import { announce } from '../changes.ts'
import { zoneRow } from '../write-locks.ts'

/** The members of a certificate that one column holds. */
type Facts = Pick<
  ZoneCertificate,
  'hosts' | 'issuer' | 'signature' | 'serial' | 'fingerprint' | 'priority' | 'bundleMethod'
>

/** Every column but the key, which only edges read. */
const columns = [
  'id',
  'zone_id',
  'source',
  'certificate',
  'facts',
  'expires_on',
  'uploaded_on',
  'modified_on',
  'revision',
] as const
type Readable = Pick<CertificateRow, (typeof columns)[number]>

export function certificateQueries(transactions: Transactions, cipher: Cipher): Store['certificates'] {
  return {
    list: zoneId =>
      transactions.read(async db => {
        const rows = await select(db).where('zone_id', '=', zoneId).execute()
        return rows.map(certificateOf)
      }),
    listAll: () => transactions.read(async db => (await select(db).execute()).map(certificateOf)),
    get: (zoneId, id) =>
      transactions.read(async db => {
        const row = await select(db).where('zone_id', '=', zoneId).where('id', '=', id).executeTakeFirst()
        return row && certificateOf(row)
      }),
    served: zoneId => transactions.read(db => served(db, cipher, zoneId)),
    insert: (certificate, key, audit) =>
      transactions.write(zoneRow(certificate.zoneId), async tx => {
        await requireFew(tx, certificate.zoneId)
        const row = { ...rowOf(certificate), private_key: cipher.seal(key), revision: 1 }
        await tx.insertInto('certificates').values(row).execute()
        await announce(tx, 'certificates', certificate.zoneId)
        await writeAudit(tx, audit)
      }),
    update: (zoneId, certificates, audit) =>
      transactions.write(zoneRow(zoneId), async tx => {
        for (const edited of certificates) await updateOne(tx, cipher, zoneId, edited)
        await announce(tx, 'certificates', zoneId)
        await writeAudit(tx, audit)
      }),
    delete: (zoneId, id, audit, revision) =>
      transactions.write(zoneRow(zoneId), tx => deleteOne(tx, zoneId, id, audit, revision)),
  }
}

function select(db: Tx) {
  return db.selectFrom('certificates').select(columns).orderBy('uploaded_on').orderBy('id')
}

async function served(
  db: Tx,
  cipher: Cipher,
  zoneId: string | undefined,
): ReturnType<Store['certificates']['served']> {
  let query = db
    .selectFrom('certificates')
    .innerJoin('zones', 'zones.id', 'certificates.zone_id')
    .selectAll('certificates')
    .select('zones.name as zone_name')
  if (zoneId !== undefined) query = query.where('certificates.zone_id', '=', zoneId)
  const rows = await query.orderBy('uploaded_on').orderBy('certificates.id').execute()
  return rows.map(row => {
    const { hosts, priority } = JSON.parse(row.facts) as Facts
    return {
      id: row.id,
      zoneId: row.zone_id,
      zoneName: row.zone_name,
      source: row.source as CertificateSource,
      certificate: row.certificate,
      key: opened(row, cipher),
      hosts,
      priority,
      expiresOn: row.expires_on,
    }
  })
}

function opened({ id, private_key: key }: CertificateRow, cipher: Cipher): string {
  try {
    return cipher.open(key)
  } catch (error) {
    if (!(error instanceof CipherError)) throw error
    throw new StoreError('unavailable', `the key of certificate ${id} cannot be decrypted`, { cause: error })
  }
}

async function requireFew(tx: Tx, zoneId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('certificates')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('zone_id', '=', zoneId)
    .executeTakeFirstOrThrow()
  if (count >= certificateStoreLimits.certificatesPerZoneMax)
    throw new StoreError('full', `zone ${zoneId} has ${count} certificates`)
}

async function updateOne(
  tx: Tx,
  cipher: Cipher,
  zoneId: string,
  { key, revision, ...certificate }: EditedCertificate,
): Promise<void> {
  const { id, zone_id: _, ...written } = rowOf(certificate)
  const { numUpdatedRows } = await tx
    .updateTable('certificates')
    .set({
      ...written,
      ...(key === undefined ? {} : { private_key: cipher.seal(key) }),
      revision: revision + 1,
    })
    .where('id', '=', id)
    .where('zone_id', '=', zoneId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw stale(id, revision)
}

async function deleteOne(
  tx: Tx,
  zoneId: string,
  id: string,
  audit: AuditEntry | undefined,
  revision: number | undefined,
): Promise<boolean> {
  let query = tx.deleteFrom('certificates').where('id', '=', id).where('zone_id', '=', zoneId)
  if (revision !== undefined) query = query.where('revision', '=', revision)
  const { numDeletedRows } = await query.executeTakeFirst()
  if (numDeletedRows === 0n && revision !== undefined) throw stale(id, revision)
  if (numDeletedRows === 0n) return false
  await announce(tx, 'certificates', zoneId)
  await writeAudit(tx, audit)
  return true
}

function stale(id: string, revision: number): StoreError {
  return new StoreError('stale', `certificate ${id} is not at revision ${revision} any more`)
}

function rowOf(certificate: ZoneCertificate): Omit<CertificateRow, 'private_key' | 'revision'> {
  const { id, zoneId, source, expiresOn, uploadedOn, modifiedOn, certificate: pem, ...facts } = certificate
  return {
    id,
    zone_id: zoneId,
    source,
    certificate: pem,
    facts: JSON.stringify(facts satisfies Facts),
    expires_on: expiresOn,
    uploaded_on: uploadedOn,
    modified_on: modifiedOn,
  }
}

function certificateOf(row: Readable): Revised<ZoneCertificate> {
  return {
    id: row.id,
    zoneId: row.zone_id,
    source: row.source as CertificateSource,
    certificate: row.certificate,
    ...(JSON.parse(row.facts) as Facts),
    expiresOn: row.expires_on,
    uploadedOn: row.uploaded_on,
    modifiedOn: row.modified_on,
    revision: row.revision,
  }
}
