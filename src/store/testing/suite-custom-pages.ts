import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { Scope } from '../../model/resource.ts'
import { aCustomAsset, aCustomPage, refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function customPageSuite({ store }: StoreUnderTest): void {
  test('custom error assets belong to an account or a zone, and have one content for each name', async () => {
    const { id, accountId } = await zoneIn(store())
    const zone = { kind: 'zone', id } as const
    const account = { kind: 'account', id: accountId } as const
    const start = await store().changes.head()
    const [first, second] = [aCustomAsset(), aCustomAsset({ name: 'B' })]
    await store().customAssets.put(zone, second, undefined, { before: [] })
    await store().customAssets.put(zone, first)
    await store().customAssets.put(account, first)
    const changed = aCustomAsset({ content: 'new' })
    await assert.rejects(
      store().customAssets.put(zone, changed, undefined, { before: [first] }),
      refusal('stale'),
    )
    await store().customAssets.put(zone, changed, undefined, { before: [second, first] })
    assert.deepEqual(await store().customAssets.list(zone), [second, changed])
    assert.deepEqual((await store().plans.documents([id])).get(id)?.customAssets, [second, changed])
    await store().customAssets.delete(zone, 'B', undefined, { before: [second, changed] })
    assert.deepEqual(await store().customAssets.list(zone), [changed])
    assert.deepEqual(
      (await store().changes.after(start)).map(change => `${change.kind} ${change.id}`),
      [`zone ${id}`, `zone ${id}`, `account ${accountId}`, `zone ${id}`, `zone ${id}`],
    )
    await store().zones.delete(id)
    assert.deepEqual(await store().customAssets.list(zone), [])
    assert.deepEqual(await store().customAssets.list(account), [first])
    await assert.rejects(store().customAssets.put({ kind: 'zone', id: newId() }, first), refusal('conflict'))
  })

  test('custom pages belong to an account or a zone, are replaced, and are deleted with their zone', async () => {
    const { id, accountId } = await zoneIn(store())
    const [zone, account]: Scope[] = [
      { kind: 'zone', id },
      { kind: 'account', id: accountId },
    ]
    const start = await store().changes.head()
    const block = aCustomPage({ content: 'NUL \0, emoji 🧱' })
    const errors = aCustomPage({ id: '500_errors' })
    await store().customPages.put(zone!, block, undefined, { before: [] })
    await store().customPages.put(zone!, errors)
    await store().customPages.put(account!, block)
    assert.deepEqual(await store().customPages.list(zone!), [errors, block])
    assert.deepEqual(await store().customPages.list(account!), [block])
    const reset = aCustomPage({ state: 'default', url: null, content: '' })
    await assert.rejects(
      store().customPages.put(zone!, reset, undefined, { before: [block] }),
      refusal('stale'),
    )
    await store().customPages.put(zone!, reset, undefined, { before: [errors, block] })
    assert.deepEqual(await store().customPages.list(zone!), [errors, reset])
    assert.deepEqual(
      (await store().changes.after(start)).map(change => `${change.kind} ${change.id}`),
      [`zone ${id}`, `zone ${id}`, `account ${accountId}`, `zone ${id}`],
    )
    await store().zones.delete(id)
    assert.deepEqual(await store().customPages.list(zone!), [])
    for (const kind of ['zone', 'account'] as const)
      await assert.rejects(store().customPages.put({ kind, id: newId() }, block), refusal('conflict'))
  })
}
