import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedRuleset, NewCrsRelease } from '../port/crs.ts'
import { anAudit, aRule, type StoreUnderTest } from './data.ts'

export function crsSuite({ store, another }: StoreUnderTest): void {
  test('releases count up from 1, and the newest import is active', async () => {
    assert.equal(await store().crs.active(), undefined)
    const first = await store().crs.insert(aRelease('one'))
    assert.equal(first.version, 1)
    assert.match(first.importedOn, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    const second = await store().crs.insert(aRelease('two'))
    assert.equal(second.version, 2)
    assert.deepEqual(await store().crs.list(), [first, second])
    assert.deepEqual(await store().crs.active(), second)
    assert.equal(await store().crs.activate(1), true)
    assert.deepEqual(await store().crs.active(), first)
    assert.equal(await store().crs.activate(3), false)
    assert.deepEqual(await store().crs.active(), first)
    assert.deepEqual(await store().crs.byVersion(2), second)
    assert.equal(await store().crs.byVersion(3), undefined)
  })

  test('a release can be stored without being made active', async () => {
    const running = await store().crs.active()
    const kept = await store().crs.keep(aRelease('kept'))
    assert.deepEqual(await store().crs.active(), running)
    assert.deepEqual((await store().crs.list()).at(-1), kept)
    let told = 0
    const again = await store().crs.keep(aRelease('kept'), () => {
      told++
      return anAudit('no process')
    })
    assert.deepEqual([again, told], [kept, 0])
    assert.deepEqual(await store().crs.files(kept.version), aRelease('kept').files)
    assert.equal(await store().crs.activate(kept.version), true)
    assert.deepEqual(await store().crs.active(), kept)
  })

  test('files are bytes, in order, and rulesets carry the version', async () => {
    const release = await store().crs.insert(aRelease('files'))
    assert.deepEqual(await store().crs.files(release.version), aRelease('files').files)
    const [ruleset] = await store().crs.managedRulesets(release.version)
    assert.equal(ruleset?.version, release.version)
    assert.equal(ruleset?.lastUpdated, release.importedOn)
    assert.deepEqual(await store().crs.files(999), [])
    assert.deepEqual(await store().crs.managedRulesets(999), [])
  })

  test('the same content is the same release, even from two processes at once', async () => {
    const second = await another()
    const [one, two] = await Promise.all([
      store().crs.insert(aRelease('same')),
      second.crs.insert(aRelease('same')),
    ])
    assert.deepEqual(one, two)
    const other = await store().crs.insert(aRelease('other'))
    assert.deepEqual(await second.crs.insert(aRelease('same')), one)
    assert.deepEqual(await store().crs.active(), one)
    assert.notEqual(other.version, one.version)
    await second.close()
  })

  test('the user’s setup can be set, replaced and removed', async () => {
    await store().crs.setSetup(undefined)
    assert.equal(await store().crs.setup(), undefined)
    for (const text of ['', 'SecAction "id:1"\r\n\xff\0é']) {
      await store().crs.setSetup(text)
      assert.equal(await store().crs.setup(), text)
    }
    await store().crs.setSetup(undefined)
    assert.equal(await store().crs.setup(), undefined)
  })
}

function aRelease(digest: string): NewCrsRelease {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
  return {
    crsVersion: '4.0.0',
    digest,
    origin: 'test',
    files: [
      { name: 'rules/b.conf', text: everyByte },
      { name: 'rules/a.data', text: '' },
    ],
    managedRulesets: (version, importedOn) => [aManagedRuleset(version, importedOn)],
  }
}

function aManagedRuleset(version: number, lastUpdated: string): ManagedRuleset {
  return {
    id: '4'.repeat(32),
    name: 'OWASP',
    description: '',
    kind: 'managed',
    phase: 'http_request_firewall_managed',
    version,
    lastUpdated,
    rules: [aRule({ categories: ['paranoia-level-1'] })],
  }
}
