import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function retentionSuite({ store }: StoreUnderTest): void {
  test('the retention flag of a zone is off, can be set again and again, and is deleted with its zone', async () => {
    const { id: zoneId } = await zoneIn(store())
    const { id: other } = await zoneIn(store())
    const start = await store().changes.head()
    assert.equal(await store().retention.get(zoneId), false)
    for (const flag of [false, true, true, false, true]) {
      await store().retention.set(zoneId, flag)
      assert.equal(await store().retention.get(zoneId), flag)
      assert.equal(await store().retention.get(other), false)
    }
    const changes = await store().changes.after(start)
    assert.deepEqual(
      changes.map(({ kind, id }) => `${kind} ${id}`),
      Array.from({ length: 5 }, () => `logpush ${zoneId}`),
    )
    await store().zones.delete(zoneId)
    assert.equal(await store().retention.get(zoneId), false)
    await assert.rejects(store().retention.set(zoneId, true), refusal('conflict'))
  })
}
