import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { KeptResource } from '../../model/kept-resource.ts'
import type { Scope } from '../../model/resource.ts'
import { refusal, type StoreUnderTest, zoneIn } from './data.ts'

const time = '2026-01-02T03:04:05.000006Z'

export function keptResourceSuite({ store }: StoreUnderTest): void {
  test('kept resources belong to an account or a zone, are replaced, and are deleted with their zone', async () => {
    const { id, accountId } = await zoneIn(store())
    const zone: Scope = { kind: 'zone', id }
    const account: Scope = { kind: 'account', id: accountId }
    const rule: KeptResource = {
      kind: 'page_rule',
      id: newId(),
      createdOn: time,
      modifiedOn: time,
      document: { actions: [{ id: 'ssl', value: 'é🧱' }] },
    }
    const policy = { ...rule, kind: 'bot_management', id: newId() }
    const start = await store().changes.head()
    await store().keptResources.put(zone, rule, undefined, { before: [] })
    await store().keptResources.put(account, policy)
    const changed = { ...rule, document: {} }
    await assert.rejects(
      store().keptResources.put(zone, changed, undefined, { before: [] }),
      refusal('stale'),
    )
    await store().keptResources.put(zone, changed, undefined, { before: [rule] })
    assert.deepEqual(await store().keptResources.list(zone), [changed])
    assert.deepEqual(await store().keptResources.list(account), [policy])
    await assert.rejects(store().keptResources.delete(account, policy.id, undefined, { before: [] }))
    await store().keptResources.delete(account, policy.id)
    assert.deepEqual(await store().keptResources.list(account), [])
    assert.equal(await store().changes.head(), start, 'no edge has to know')
    await store().zones.delete(id)
    assert.deepEqual(await store().keptResources.list(zone), [])
    for (const kind of ['zone', 'account'] as const)
      await assert.rejects(store().keptResources.put({ kind, id: newId() }, policy), refusal('conflict'))
  })
}
