import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import { noFirewall } from '../../model/zone-firewall.ts'
import { aLockdown, aUserAgentRule, refusal, type StoreUnderTest, zoneIn } from './data.ts'

export function zoneFirewallSuite({ store }: StoreUnderTest): void {
  test('user agent rules and lockdowns are written, replaced and deleted with their zone', async () => {
    const { id: zoneId } = await zoneIn(store())
    const start = await store().changes.head()
    const rule = aUserAgentRule(zoneId, { userAgent: 'NUL \0, emoji 🧱' })
    const lockdown = aLockdown(zoneId)
    const write = store().zoneFirewall.change
    await write(zoneId, { kind: 'ua_rule', id: rule.id, stored: rule }, undefined, { before: noFirewall })
    await write(zoneId, { kind: 'lockdown', id: lockdown.id, stored: lockdown })
    const both = { userAgentRules: [rule], lockdowns: [lockdown] }
    assert.deepEqual(await store().zoneFirewall.read(zoneId), both)
    assert.deepEqual((await store().plans.documents([zoneId])).get(zoneId)?.firewall, both)
    const changed = { ...lockdown, paused: true, description: 'later', priority: 7 }
    const change = { kind: 'lockdown', id: lockdown.id, stored: changed } as const
    await assert.rejects(write(zoneId, change, undefined, { before: noFirewall }), refusal('stale'))
    await write(zoneId, change, undefined, { before: both })
    await write(zoneId, { kind: 'ua_rule', id: rule.id, stored: undefined })
    assert.deepEqual(await store().zoneFirewall.read(zoneId), { userAgentRules: [], lockdowns: [changed] })
    assert.deepEqual(
      (await store().changes.after(start)).map(({ kind, id }) => `${kind} ${id}`),
      Array(4).fill(`zone ${zoneId}`),
    )
    await assert.rejects(write(newId(), change), refusal('conflict'))
    await store().zones.delete(zoneId)
    assert.deepEqual(await store().zoneFirewall.read(zoneId), noFirewall)
  })
}
