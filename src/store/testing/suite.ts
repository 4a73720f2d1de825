import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredChange } from '../../bus/port.ts'
import type { Scope } from '../../model/resource.ts'
import {
  aJob,
  anAccount,
  aRule,
  aRuleset,
  asStored,
  aZone,
  live,
  refusal,
  type StoreUnderTest,
  zoneIn,
} from './data.ts'
import { planSuite } from './edges/suite-plans.ts'
import { rolloutSuite } from './edges/suite-rollout.ts'
import { accessRuleSuite } from './suite-access-rules.ts'
import { acmeSuite } from './suite-acme.ts'
import { certificateSuite } from './suite-certificates.ts'
import { crsSuite } from './suite-crs.ts'
import { customPageSuite } from './suite-custom-pages.ts'
import { deliverySuite } from './suite-delivery.ts'
import { deliveryReportSuite } from './suite-delivery-reports.ts'
import { dnsSuite } from './suite-dns.ts'
import { jobSuite } from './suite-jobs.ts'
import { keptResourceSuite } from './suite-kept-resources.ts'
import { leaseSuite } from './suite-leases.ts'
import { listSuite } from './suite-lists.ts'
import { loadBalancingSuite } from './suite-load-balancing.ts'
import { notificationSuite } from './suite-notifications.ts'
import { originCertificateSuite } from './suite-origin-certificates.ts'
import { peopleSuite } from './suite-people.ts'
import { replaySuite } from './suite-replays.ts'
import { retentionSuite } from './suite-retention.ts'
import { shadowSuite } from './suite-shadows.ts'
import { startSuite } from './suite-starts.ts'
import { versionSuite } from './suite-versions.ts'
import { zoneFirewallSuite } from './suite-zone-firewall.ts'
import { zoneLogSuite } from './suite-zone-logs.ts'

/** Tests for every adapter. */
export function storeSuite(adapter: StoreUnderTest): void {
  resourceSuite(adapter)
  peopleSuite(adapter)
  rulesetSuite(adapter)
  versionSuite(adapter)
  listSuite(adapter)
  changeSuite(adapter)
  crsSuite(adapter)
  acmeSuite(adapter)
  jobSuite(adapter)
  deliverySuite(adapter)
  startSuite(adapter)
  leaseSuite(adapter)
  notificationSuite(adapter)
  rolloutSuite(adapter)
  deliveryReportSuite(adapter)
  replaySuite(adapter)
  zoneLogSuite(adapter)
  shadowSuite(adapter)
  dnsSuite(adapter)
  customPageSuite(adapter)
  keptResourceSuite(adapter)
  accessRuleSuite(adapter)
  zoneFirewallSuite(adapter)
  loadBalancingSuite(adapter)
  certificateSuite(adapter)
  originCertificateSuite(adapter)
  planSuite(adapter)
  retentionSuite(adapter)
}

function resourceSuite({ store, another }: StoreUnderTest): void {
  test('an account, a zone and their updates come back as written', async () => {
    const account = { ...anAccount(), name: 'NUL \0, lone \ud800, emoji 🧱' }
    await store().accounts.insert(account)
    assert.deepEqual(await store().accounts.get(account.id), account)
    assert.ok((await store().accounts.list()).some(known => known.id === account.id))
    assert.equal(await store().accounts.get('0'.repeat(32)), undefined)

    const zone = aZone(account.id)
    await store().zones.insert(zone)
    assert.deepEqual(await store().zones.byName(zone.name), asStored(zone))
    const paused = { ...zone, paused: true, originUrl: 'http://127.0.0.1:1' }
    await store().zones.update(asStored(paused))
    assert.deepEqual(await store().zones.get(zone.id), { ...paused, revision: 2 })
    assert.deepEqual(
      (await store().zones.list()).find(known => known.id === zone.id),
      { ...paused, revision: 2 },
    )
  })

  test('a used name and an absent owner are conflicts', async () => {
    const zone = await zoneIn(store())
    const twin = aZone(zone.accountId, { name: zone.name })
    await assert.rejects(store().zones.insert(twin), refusal('conflict'))
    await assert.rejects(store().zones.insert(aZone('0'.repeat(32))), refusal('conflict'))
    await assert.rejects(store().jobs.insert(aJob({ kind: 'zone', id: '0'.repeat(32) })), refusal('conflict'))
    const homeless = aRuleset({ kind: 'zone', id: '0'.repeat(32) })
    await assert.rejects(store().rulesets.insert(homeless), refusal('conflict'))
    assert.equal(await store().zones.get(twin.id), undefined)
    await assert.rejects(store().zones.update(asStored(aZone(zone.accountId))), refusal('stale'))
  })

  test('a secret keeps the first value, whichever process writes it', async () => {
    const second = await another()
    const kept = await Promise.all([
      store().secrets.putOnce('key', 'one'),
      second.secrets.putOnce('key', 'two'),
      store().secrets.putOnce('key', 'three'),
    ])
    assert.equal(new Set(kept).size, 1)
    assert.equal(await second.secrets.get('key'), kept[0])
    assert.equal(await second.secrets.get('other'), undefined)
    await second.close()
  })

  test('deleting a zone deletes its rulesets, jobs, cursors and batches', async () => {
    const zone = await zoneIn(store())
    const scope: Scope = { kind: 'zone', id: zone.id }
    await store().rulesets.insert(aRuleset(scope))
    const { id: jobId } = await store().jobs.insert(aJob(scope))
    await store().delivery.start(live(jobId), new Map([['p', 3]]))
    const before = await store().changes.head()
    assert.equal(await store().zones.delete(zone.id), true)
    assert.equal(await store().zones.delete(zone.id), false)
    assert.deepEqual(await store().rulesets.list(scope), [])
    assert.deepEqual(await store().jobs.list(scope), [])
    assert.deepEqual(await store().delivery.cursors(live(jobId)), new Map())
    const changes = await store().changes.after(before)
    assert.deepEqual(changes.map(kindAndId), [`zone ${zone.id}`, `logpush ${zone.id}`])
  })

  test('ping answers, and a closed store is unavailable or refuses', async () => {
    const second = await another()
    await second.ping()
    await second.close()
    await assert.rejects(second.ping())
  })
}

function rulesetSuite({ store, another }: StoreUnderTest): void {
  test('a ruleset comes back with the key order of its documents', async () => {
    const scope: Scope = { kind: 'zone', id: (await zoneIn(store())).id }
    const actionParameters = { zeta: 1, alpha: { z: null, a: ['\0', '\ud800'] }, id: 'x' }
    const ruleset = aRuleset(scope, {
      name: 'café \0',
      source: 'firewall_managed',
      rules: [aRule({ action: 'execute', actionParameters, scoreThreshold: 25, categories: ['a'] })],
    })
    await store().rulesets.insert(ruleset)
    const kept = await store().rulesets.get(scope, ruleset.id)
    assert.deepEqual(kept, ruleset)
    assert.equal(JSON.stringify(kept?.rules), JSON.stringify(ruleset.rules))
    assert.deepEqual(await store().rulesets.entryPoint(scope, ruleset.phase), ruleset)
    assert.equal(await store().rulesets.entryPoint(scope, 'http_log_custom_fields'), undefined)
    assert.equal(await store().rulesets.get({ kind: 'account', id: scope.id }, ruleset.id), undefined)
  })

  test('a scope has one entry point per phase, and custom rulesets beside it', async () => {
    const zone = await zoneIn(store())
    for (const scope of [
      { kind: 'zone', id: zone.id },
      { kind: 'account', id: zone.accountId },
    ] satisfies Scope[]) {
      const first = aRuleset(scope)
      await store().rulesets.insert(first)
      await assert.rejects(store().rulesets.insert(aRuleset(scope)), refusal('conflict'))
      const other = aRuleset(scope, { phase: 'http_log_custom_fields' })
      const custom = [aRuleset(scope, { kind: 'custom' }), aRuleset(scope, { kind: 'custom' })]
      for (const ruleset of [other, ...custom]) await store().rulesets.insert(ruleset)
      const listed = await store().rulesets.list(scope)
      assert.deepEqual(
        listed.map(summary => summary.id),
        [first, other, ...custom].map(ruleset => ruleset.id),
      )
      assert.ok(!('rules' in listed[0]!))
    }
  })

  test('an update must follow the stored version', async () => {
    const scope: Scope = { kind: 'zone', id: (await zoneIn(store())).id }
    const first = aRuleset(scope)
    await store().rulesets.insert(first)
    for (const version of [1, 3]) {
      await assert.rejects(store().rulesets.update({ ...first, version }), refusal('stale'))
    }
    const second = { ...first, version: 2, rules: [], description: 'emptied' }
    await store().rulesets.update(second)
    assert.deepEqual(await store().rulesets.get(scope, first.id), second)
    await assert.rejects(store().rulesets.update(second), refusal('stale'))
    assert.equal(await store().rulesets.delete(scope, first.id), true)
    assert.equal(await store().rulesets.delete(scope, first.id), false)
    await assert.rejects(store().rulesets.update({ ...second, version: 3 }), refusal('stale'))
  })

  test('when two processes update the same version, one wins', async () => {
    const second = await another()
    const scope: Scope = { kind: 'zone', id: (await zoneIn(store())).id }
    const ruleset = aRuleset(scope)
    await store().rulesets.insert(ruleset)
    const results = await Promise.allSettled([
      store().rulesets.update({ ...ruleset, version: 2, name: 'one' }),
      second.rulesets.update({ ...ruleset, version: 2, name: 'two' }),
    ])
    assert.deepEqual(results.map(result => result.status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await second.rulesets.get(scope, ruleset.id))?.version, 2)
    await second.close()
  })
}

function changeSuite({ store, another }: StoreUnderTest): void {
  test('each write is one change, in order, and a refused write is none', async () => {
    const zone = await zoneIn(store())
    const account: Scope = { kind: 'account', id: zone.accountId }
    const scope: Scope = { kind: 'zone', id: zone.id }
    const start = await store().changes.head()
    const ruleset = aRuleset(scope)
    await store().rulesets.insert(ruleset)
    await assert.rejects(store().rulesets.insert(aRuleset(scope)))
    await store().rulesets.insert(aRuleset(account))
    const job = await store().jobs.insert(aJob(scope))
    await store().jobs.report(job.id, {
      lastComplete: null,
      lastError: null,
      errorMessage: null,
      paused: true,
    })
    await store().zones.update({ ...zone, paused: true })
    await store().rulesets.delete(scope, ruleset.id)
    await store().crs.setSetup('SecRuleEngine On')
    const changes = await store().changes.after(start)
    assert.deepEqual(changes.map(kindAndId), [
      `zone ${zone.id}`,
      `account ${zone.accountId}`,
      `logpush ${zone.id}`,
      `zone ${zone.id}`,
      `zone ${zone.id}`,
      'crs ',
    ])
    assert.equal(changes.at(-1)?.sequence, await store().changes.head())
    assert.deepEqual(await store().changes.after(changes.at(-1)!.sequence), [])
  })

  test('a follower of two writers sees every change', async () => {
    const second = await another()
    const zones = [await zoneIn(store()), await zoneIn(store())]
    let seen = await store().changes.head()
    const start = seen
    let followed = 0
    const writes = [store(), second].map(async (writer, at) => {
      for (let n = 1; n <= 40; n++) await writer.zones.update({ ...zones[at]!, revision: n })
    })
    const writing = Promise.all(writes)
    while (followed < 80) {
      for (const change of await store().changes.after(seen)) {
        assert.equal(change.sequence, seen + 1)
        seen = change.sequence
        followed++
      }
      await new Promise(resolve => setImmediate(resolve))
    }
    await writing
    assert.equal(await second.changes.head(), start + 80)
    await second.close()
  })
}

function kindAndId(change: StoredChange): string {
  return `${change.kind} ${change.id}`
}
