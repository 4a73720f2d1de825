import { pemFacts } from '../kit/certificates.ts'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import type { AcmeName } from '../model/acme.ts'
import type { ZoneCertificate } from '../model/certificate.ts'
import type { Store } from '../store/index.ts'
import type { IssuedCertificate } from './authority.ts'

type Certificates = Pick<Store['certificates'], 'list' | 'insert' | 'update'>

/** Stores a certificate for the edges, in place of the previous one. */
export async function keepCertificate(
  store: Certificates,
  { name, zoneId }: AcmeName,
  { certificate, key }: IssuedCertificate,
  nowMs: number,
): Promise<void> {
  const { hosts, issuer, signature, serial, fingerprint, expiresMs } = pemFacts(certificate)
  const now = timestampOf(nowMs)
  const facts = { certificate, hosts, issuer, signature, serial, fingerprint }
  const times = { expiresOn: timestampOf(expiresMs), modifiedOn: now }
  const before = (await store.list(zoneId)).find(one => one.source === 'acme' && one.hosts.includes(name))
  if (before !== undefined) return store.update(zoneId, [{ ...before, ...facts, ...times, key }])
  const made: ZoneCertificate = {
    id: newId(),
    zoneId,
    source: 'acme',
    priority: 0,
    bundleMethod: 'force',
    uploadedOn: now,
    ...facts,
    ...times,
  }
  return store.insert(made, key)
}

/** Whether clients get a certificate of another source for this name. */
export async function isCovered(
  store: Certificates,
  { name, zoneId }: AcmeName,
  nowMs: number,
): Promise<boolean> {
  const wildcard = `*${name.slice(name.indexOf('.'))}`
  return (await store.list(zoneId)).some(
    ({ source, hosts, expiresOn }) =>
      source !== 'acme' &&
      Date.parse(expiresOn) > nowMs &&
      (hosts.includes(name) || hosts.includes(wildcard)),
  )
}
