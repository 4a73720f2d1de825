import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certificateStoreLimits } from '../limits.ts'
import { anOriginCertificate, refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function originCertificateSuite({ store }: StoreUnderTest): void {
  test('certificates for origins are kept by kind with their keys, and deleted with their zone', async () => {
    const zone = await zoneIn(store())
    const { originCertificates, plans } = store()
    const [client, authority] = [
      anOriginCertificate(zone.id, 'client'),
      anOriginCertificate(zone.id, 'authority'),
    ]
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
      await originCertificates.insert(anOriginCertificate(id, 'client'), 'key')
    await assert.rejects(originCertificates.insert(anOriginCertificate(id, 'client'), 'key'), refusal('full'))
    await originCertificates.insert(anOriginCertificate(id, 'authority'), undefined)
  })
}
