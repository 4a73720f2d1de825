import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ruleset, Scope } from '../../model/resource.ts'
import { aRule, aRuleset, refusal, type StoreUnderTest, zoneIn } from './data.ts'

/** Stored versions of changed rulesets. */
export function versionSuite({ store }: StoreUnderTest): void {
  test('every version is stored unchanged', async () => {
    const { scope, versions } = await threeVersions()
    const id = versions[0]!.id
    const listed = await store().rulesets.versions(scope, id)
    assert.deepEqual(
      listed,
      versions.map(({ rules, ...summary }) => summary),
    )
    for (const version of versions) {
      assert.deepEqual(await store().rulesets.version(scope, id, version.version), version)
    }
    assert.equal(await store().rulesets.version(scope, id, 4), undefined)
  })

  test('versions belong to their scope', async () => {
    const { scope, versions } = await threeVersions()
    const id = versions[0]!.id
    for (const other of [
      { kind: 'zone', id: (await zoneIn(store())).id },
      { kind: 'account', id: scope.id },
    ] satisfies Scope[]) {
      assert.deepEqual(await store().rulesets.versions(other, id), [])
      assert.equal(await store().rulesets.version(other, id, 1), undefined)
      assert.equal(await store().rulesets.deleteVersion(other, id, 1), false)
    }
    assert.equal((await store().rulesets.versions(scope, id)).length, 3)
  })

  test('an old version can be deleted, the newest cannot, and numbers are not used again', async () => {
    const { scope, versions } = await threeVersions()
    const [, second, third] = versions as [Ruleset, Ruleset, Ruleset]
    const head = await store().changes.head()
    assert.equal(await store().rulesets.deleteVersion(scope, third.id, 3), false)
    assert.equal(await store().rulesets.deleteVersion(scope, third.id, 2), true)
    assert.equal(await store().rulesets.deleteVersion(scope, third.id, 2), false)
    assert.equal(await store().rulesets.version(scope, third.id, 2), undefined)
    const kept = await store().rulesets.versions(scope, third.id)
    assert.deepEqual(
      kept.map(version => version.version),
      [1, 3],
    )
    assert.equal(await store().changes.head(), head, 'the running version has not changed')
    await assert.rejects(store().rulesets.update(second), refusal('stale'))
    await store().rulesets.update({ ...third, version: 4 })
  })

  test('all rulesets of a scope come complete, oldest first', async () => {
    const zone = await zoneIn(store())
    const scope: Scope = { kind: 'zone', id: zone.id }
    const rulesets = [
      aRuleset(scope),
      aRuleset(scope, { kind: 'custom' }),
      aRuleset(scope, { phase: 'http_log_custom_fields', rules: [] }),
    ]
    for (const ruleset of rulesets) await store().rulesets.insert(ruleset)
    await store().rulesets.insert(aRuleset({ kind: 'account', id: zone.accountId }))
    assert.deepEqual(await store().rulesets.all(scope), rulesets)
  })

  test('rulesets that may name a list are those of the account and of its zones with a $ in a rule', async () => {
    const zone = await zoneIn(store())
    const own: Scope = { kind: 'zone', id: zone.id }
    const naming = [{ ...aRule(), expression: 'ip.src in $office' }]
    const wanted = [
      aRuleset(own, { rules: naming }),
      aRuleset({ kind: 'account', id: zone.accountId }, { kind: 'custom', rules: naming }),
    ]
    const others = [
      aRuleset(own, { kind: 'custom' }),
      aRuleset({ kind: 'zone', id: (await zoneIn(store())).id }, { rules: naming }),
    ]
    for (const ruleset of [...wanted, ...others]) await store().rulesets.insert(ruleset)
    assert.deepEqual(await store().rulesets.namingLists(zone.accountId), wanted)
  })

  async function threeVersions(): Promise<{ scope: Scope; versions: readonly Ruleset[] }> {
    const scope: Scope = { kind: 'zone', id: (await zoneIn(store())).id }
    const first = aRuleset(scope, { source: 'firewall_managed' })
    const second = { ...first, version: 2, description: 'two', rules: [aRule(), ...first.rules] }
    const third = { ...second, version: 3, rules: [] }
    await store().rulesets.insert(first)
    await store().rulesets.update(second)
    await store().rulesets.update(third)
    return { scope, versions: [first, second, third] }
  }
}
