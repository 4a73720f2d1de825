import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDnsRecord, refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function dnsSuite({ store }: StoreUnderTest): void {
  test('DNS records are stored, replaced and deleted, and are deleted with their zone', async () => {
    const { id: zoneId } = await zoneIn(store())
    const [b, a] = [aDnsRecord(zoneId, { content: 'b' }), aDnsRecord(zoneId, { content: 'a' })]
    const start = await store().changes.head()
    await store().dnsRecords.change(zoneId, { deleted: [], stored: [b, a] })
    assert.deepEqual(await store().dnsRecords.list(zoneId), [a, b])
    const changed = { ...b, type: 'CNAME', proxied: false } as const
    await store().dnsRecords.change(zoneId, { deleted: [a.id], stored: [changed] })
    assert.deepEqual(await store().dnsRecords.list(zoneId), [changed])
    assert.deepEqual(
      (await store().changes.after(start)).map(({ kind, id }) => `${kind} ${id}`),
      [`zone ${zoneId}`, `zone ${zoneId}`],
    )
    const { id: otherZone } = await zoneIn(store())
    assert.deepEqual(await store().dnsRecords.list(otherZone), [])
    await store().zones.delete(zoneId)
    assert.deepEqual(await store().dnsRecords.list(zoneId), [])
    await assert.rejects(
      store().dnsRecords.change(zoneId, { deleted: [], stored: [changed] }),
      refusal('conflict'),
    )
  })

  test('a change of DNS records names the records that it is based on', async () => {
    const { id: zoneId } = await zoneIn(store())
    const record = aDnsRecord(zoneId)
    await store().dnsRecords.change(zoneId, { deleted: [], stored: [record] }, undefined, { before: [] })
    await assert.rejects(
      store().dnsRecords.change(zoneId, { deleted: [record.id], stored: [] }, undefined, { before: [] }),
      refusal('stale'),
    )
    assert.deepEqual(await store().dnsRecords.list(zoneId), [record])
  })
}
