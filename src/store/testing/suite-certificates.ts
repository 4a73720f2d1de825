import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCipher } from '../../kit/cipher.ts'
import { newId } from '../../kit/ids.ts'
import type { ZoneCertificate } from '../../model/certificate.ts'
import { asStored, refusal, type StoreUnderTest, zoneIn } from './data.ts'

function aCertificate(zoneId: string, changes: Partial<ZoneCertificate> = {}): ZoneCertificate {
  return {
    id: newId(),
    zoneId,
    source: 'custom',
    certificate: '-----BEGIN CERTIFICATE-----',
    hosts: ['shop.example', '*.shop.example'],
    issuer: 'An issuer, "quoted"',
    signature: 'ECDSAWithSHA256',
    serial: '01',
    fingerprint: 'ab'.repeat(32),
    priority: 0,
    bundleMethod: 'ubiquitous',
    expiresOn: '2027-01-02T03:04:05.000000Z',
    uploadedOn: '2026-01-02T03:04:05.000006Z',
    modifiedOn: '2026-01-02T03:04:05.000006Z',
    ...changes,
  }
}

export function certificateSuite({ store, another }: StoreUnderTest): void {
  test('certificates are kept with their keys, edited, and deleted with their zone', async () => {
    const zone = await zoneIn(store())
    const { certificates, changes } = store()
    const start = await changes.head()
    const first = aCertificate(zone.id)
    const second = aCertificate(zone.id, { source: 'acme', uploadedOn: '2026-01-03T00:00:00.000000Z' })
    await certificates.insert(first, 'key 1')
    await certificates.insert(second, 'key 2')
    assert.deepEqual(await certificates.list(zone.id), [asStored(first), asStored(second)])
    assert.deepEqual(await certificates.get(zone.id, first.id), asStored(first))
    assert.equal(await certificates.get((await zoneIn(store())).id, first.id), undefined)
    assert.deepEqual(
      (await certificates.served(zone.id)).map(({ id, zoneName, key }) => [id, zoneName, key]),
      [
        [first.id, zone.name, 'key 1'],
        [second.id, zone.name, 'key 2'],
      ],
    )

    const edited = { ...first, priority: 3, modifiedOn: '2026-01-04T00:00:00.000000Z' }
    await certificates.update(zone.id, [{ ...asStored(edited), key: 'key 3' }, asStored(second)])
    assert.deepEqual(await certificates.get(zone.id, first.id), { ...edited, revision: 2 })
    assert.deepEqual(
      (await certificates.served(zone.id)).map(({ key }) => key),
      ['key 3', 'key 2'],
    )
    assert.equal(await certificates.delete(zone.id, second.id), true)
    assert.equal(await certificates.delete(zone.id, second.id), false)
    await store().zones.delete(zone.id)
    assert.equal((await certificates.served()).filter(({ zoneId }) => zoneId === zone.id).length, 0)
    assert.deepEqual(
      (await changes.after(start)).filter(({ kind }) => kind === 'certificates').map(({ id }) => id),
      Array.from({ length: 5 }, () => zone.id),
    )
  })

  test('stale edits of certificates change nothing', async () => {
    const { id: zoneId } = await zoneIn(store())
    const { certificates } = store()
    const [one, two] = [aCertificate(zoneId), aCertificate(zoneId)]
    await certificates.insert(one, 'key 1')
    await certificates.insert(two, 'key 2')
    const before = await certificates.list(zoneId)
    const edits = [
      { ...asStored(one), priority: 9 },
      { ...two, priority: 9, revision: 2 },
    ]
    await assert.rejects(certificates.update(zoneId, edits), refusal('stale'))
    await assert.rejects(certificates.delete(zoneId, one.id, undefined, 2), refusal('stale'))
    assert.deepEqual(await certificates.list(zoneId), before)
    await assert.rejects(certificates.insert(aCertificate('0'.repeat(32)), 'key'), refusal('conflict'))
  })

  test('the keys of certificates are encrypted with the key of the installation', async () => {
    const { id: zoneId } = await zoneIn(store())
    await store().certificates.insert(aCertificate(zoneId), 'key 1')
    const shared = await another()
    assert.equal((await shared.certificates.served(zoneId))[0]?.key, 'key 1')
    await shared.close()
    await assert.rejects(another(newCipher(new Uint8Array(32).fill(8))), refusal('unavailable'))
  })
}
