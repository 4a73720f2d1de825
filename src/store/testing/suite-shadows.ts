import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shadow } from '../../model/resource.ts'
import { refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function shadowSuite({ store }: StoreUnderTest): void {
  test('a shadow is set, replaced and deleted, and is deleted with its zone', async () => {
    const { id: zoneId } = await zoneIn(store())
    const shadow: Shadow = {
      zoneId,
      enabled: true,
      version: 'latest',
      paranoiaLevel: 3,
      scoreThreshold: 25,
      sampleRate: 0.125,
      modifiedOn: '2026-01-02T03:04:05.000006Z',
    }
    const start = await store().changes.head()
    assert.equal(await store().shadows.get(zoneId), undefined)
    assert.equal(await store().shadows.delete(zoneId), false)
    await store().shadows.put(shadow)
    assert.deepEqual(await store().shadows.get(zoneId), shadow)
    await store().shadows.put({ ...shadow, enabled: false, version: '2' })
    assert.deepEqual(await store().shadows.get(zoneId), { ...shadow, enabled: false, version: '2' })
    assert.equal(await store().shadows.delete(zoneId), true)
    assert.equal(await store().shadows.get(zoneId), undefined)
    const changes = await store().changes.after(start)
    assert.deepEqual(
      changes.map(({ kind, id }) => `${kind} ${id}`),
      Array.from({ length: 3 }, () => `zone ${zoneId}`),
    )
    await store().shadows.put(shadow)
    await store().zones.delete(zoneId)
    assert.equal(await store().shadows.get(zoneId), undefined)
    await assert.rejects(store().shadows.put(shadow), refusal('conflict'))
  })
}
