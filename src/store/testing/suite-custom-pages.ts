import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { Scope } from '../../model/resource.ts'
import { aCustomPage, refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function customPageSuite({ store }: StoreUnderTest): void {
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
