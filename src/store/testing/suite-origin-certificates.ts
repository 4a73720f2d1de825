import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { OriginCertificate } from '../../model/origin-certificate.ts'
import { certificateStoreLimits } from '../limits.ts'
import { refusal, type StoreUnderTest, zoneIn } from './data.ts'

function aCertificate(zoneId: string, kind: OriginCertificate['kind']): OriginCertificate {
  return {
    id: newId(),
    zoneId,
    kind,
    certificate: '-----BEGIN CERTIFICATE-----',
    issuer: 'An issuer, "quoted"',
    signature: 'ECDSAWithSHA256',
    expiresOn: '2027-01-02T03:04:05.000000Z',
    uploadedOn: '2026-01-02T03:04:05.000006Z',
  }
}

export function originCertificateSuite({ store }: StoreUnderTest): void {
  test('certificates for origins are kept by kind with their keys, and deleted with their zone', async () => {
    const zone = await zoneIn(store())
    const { originCertificates, plans } = store()
    const [client, authority] = [aCertificate(zone.id, 'client'), aCertificate(zone.id, 'authority')]
    await originCertificates.insert(client, 'key 1')
    await originCertificates.insert(authority, undefined)
    assert.deepEqual(await originCertificates.list(zone.id, 'client'), [client])
    assert.deepEqual(await originCertificates.list(zone.id, 'authority'), [authority])
    const used = async () => (await plans.documents([zone.id])).get(zone.id)?.originCertificates
    assert.deepEqual(new Map((await used())!.map(one => [one.id, one.key])).get(client.id), 'key 1')
    assert.equal(await originCertificates.delete({ ...client, kind: 'authority' }), false)
    assert.equal(await originCertificates.delete(client), true)
    assert.deepEqual(await used(), [{ ...authority, key: undefined }])
    await store().zones.delete(zone.id)
    assert.deepEqual(await originCertificates.list(zone.id, 'authority'), [])
  })

  test('a zone has a limited number of certificates for origins', async () => {
    const { id } = await zoneIn(store())
    const { originCertificates } = store()
    for (let count = 0; count < certificateStoreLimits.originCertificatesMax; count++)
      await originCertificates.insert(aCertificate(id, 'client'), 'key')
    await assert.rejects(originCertificates.insert(aCertificate(id, 'client'), 'key'), refusal('full'))
    await originCertificates.insert(aCertificate(id, 'authority'), undefined)
  })
}
