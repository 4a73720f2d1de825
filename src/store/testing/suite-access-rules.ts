import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { AccessRule } from '../../model/access-rule.ts'
import type { Scope } from '../../model/resource.ts'
import type { AccessRuleFilter, AccessRuleQuery } from '../port/access-rules.ts'
import { anAccessRule, refusal, type StoreUnderTest, zoneIn } from './data.ts'

const all: AccessRuleQuery = {
  filter: {},
  match: 'all',
  order: 'value',
  direction: 'asc',
  offset: 0,
  limit: 10,
}

export function accessRuleSuite({ store }: StoreUnderTest): void {
  test('access rules belong to an account or a zone, are searched in pages, and are unique by their key', async () => {
    const { id, accountId } = await zoneIn(store())
    const zone: Scope = { kind: 'zone', id }
    const account: Scope = { kind: 'account', id: accountId }
    const start = await store().changes.head()
    const first = anAccessRule(zone, { value: '192.0.2.1', key: 'a', notes: 'NUL \0, emoji 🧱 Attack' })
    const second = anAccessRule(zone, { value: '192.0.2.2', key: 'b', mode: 'whitelist' })
    const wide = anAccessRule(account, { value: 'DE', key: 'a', target: 'country' })
    for (const rule of [second, first, wide]) await store().accessRules.insert(rule)
    await assert.rejects(store().accessRules.insert(anAccessRule(zone, { key: 'a' })), refusal('conflict'))
    const nowhere = anAccessRule({ kind: 'zone', id: newId() }, {})
    await assert.rejects(store().accessRules.insert(nowhere), refusal('conflict'))

    const rows: [AccessRuleFilter, Partial<AccessRuleQuery>, readonly AccessRule[]][] = [
      [{}, {}, [first, second]],
      [{}, { direction: 'desc' }, [second, first]],
      [{}, { offset: 1 }, [second]],
      [{ notes: 'ATT' }, {}, [first]],
      [{ notes: '%' }, {}, []],
      [{ mode: 'whitelist' }, {}, [second]],
      [{ target: 'asn' }, {}, []],
      [{ key: 'a', mode: 'whitelist' }, {}, []],
      [{ key: 'a', mode: 'whitelist' }, { match: 'any' }, [first, second]],
    ]
    for (const [filter, query, want] of rows)
      assert.deepEqual((await store().accessRules.list(zone, { ...all, ...query, filter })).rules, want)
    assert.deepEqual(await store().accessRules.list(account, all), { rules: [wide], total: 1 })
    assert.equal(await store().accessRules.get(account, first.id), undefined)

    const changed: AccessRule = { ...first, mode: 'challenge', notes: 'later' }
    await store().accessRules.update(changed, undefined, { before: first })
    await assert.rejects(store().accessRules.update(changed, undefined, { before: first }), refusal('stale'))
    assert.deepEqual(await store().accessRules.get(zone, first.id), changed)
    await assert.rejects(store().accessRules.delete(undefined, { before: first }), refusal('stale'))
    const kinds = (await store().changes.after(start)).map(change => `${change.kind} ${change.id}`)
    assert.deepEqual(kinds, [...[id, id, accountId, id].map(owner => `access_rules ${owner}`)])
  })

  test('edges read access rules in pages, and then what was written after a revision', async () => {
    const { id } = await zoneIn(store())
    const scope: Scope = { kind: 'zone', id }
    const rules = ['a', 'b', 'c'].map(key => anAccessRule(scope, { key }))
    for (const rule of rules) await store().accessRules.insert(rule)
    const ids: string[] = []
    for (let after = ''; ; after = ids.at(-1)!) {
      const page = await store().accessRules.page(after, 2)
      ids.push(...page.map(rule => rule.id))
      if (page.length < 2) break
    }
    assert.deepEqual(
      ids.filter(one => rules.some(rule => rule.id === one)),
      rules.map(rule => rule.id).toSorted(),
    )
    const keys: string[] = []
    for (let after = ''; ; after = keys.at(-1)!) {
      const page = await store().accessRules.pageOf(scope, after, 2)
      keys.push(...page.map(rule => rule.key))
      if (page.length < 2) break
    }
    assert.deepEqual(keys, ['a', 'b', 'c'])
    const read = await store().accessRules.writtenAfter(scope, 0, 10)
    assert.equal(read.count, 3)
    const [first] = (await store().accessRules.writtenAfter(scope, 0, 1)).rules
    assert.equal(first?.id, rules[0]!.id)
    const revision = Math.max(...read.rules.map(rule => rule.revision))
    await store().accessRules.delete(undefined, { before: rules[2]! })
    const { id: added, key, mode, notes, target } = anAccessRule(scope, { key: 'd' })
    await store().accessRules.insert({ ...anAccessRule(scope, { key }), id: added })
    const { rules: newer, count } = await store().accessRules.writtenAfter(scope, revision, 10)
    assert.deepEqual(newer, [
      { id: added, ownerId: id, key, mode, notes, target, revision: newer[0]!.revision },
    ])
    assert.ok(newer[0]!.revision > revision)
    assert.equal(count, 3)
    await store().zones.delete(id)
    assert.deepEqual(await store().accessRules.writtenAfter(scope, 0, 10), { rules: [], count: 0 })
  })
}
