import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCipher } from '../../kit/cipher.ts'
import type { JobHealth, LogpushJob, Scope } from '../../model/resource.ts'
import { aJob, aZone, refusal, type StoreUnderTest, scopeOf, zoneIn } from './data.ts'

export function jobSuite({ store, another }: StoreUnderTest): void {
  test('job ids are not used again', async () => {
    const scope = scopeOf(await zoneIn(store()))
    const one = await store().jobs.insert(aJob(scope))
    const two = await store().jobs.insert(aJob(scope))
    assert.equal(two.id, one.id + 1)
    assert.equal(await store().jobs.delete(scope, two.id), true)
    assert.equal((await store().jobs.insert(aJob(scope))).id, two.id + 1)
  })

  test('a job comes back as written, and an update leaves its health alone', async () => {
    const scope = scopeOf(await zoneIn(store()))
    const written = aJob(scope, {
      name: null,
      destinationConf: 's3://bucket/NUL \0, lone \ud800?secret-access-key=a/b+c=',
      outputOptions: { sample_rate: 0.5, field_names: ['B', 'A'], cve: null },
      filter: '{"where":{"key":"ClientIP","operator":"eq","value":"\\u0000"}}',
      maxUploadRecords: 1000,
    })
    const job = await store().jobs.insert(written)
    assert.deepEqual(await store().jobs.get(scope, job.id), { ...written, id: job.id })
    const health: JobHealth = {
      lastComplete: null,
      lastError: '2026-01-01T00:00:00.000000Z',
      errorMessage: 'no \0 bucket',
      paused: true,
    }
    await store().jobs.report(job.id, health)
    const change = { enabled: false, name: 'renamed', destinationConf: 'file:///other' }
    await store().jobs.update({ ...job, ...change })
    const want: LogpushJob = { ...job, ...health, ...change, revision: 2 }
    assert.deepEqual(await store().jobs.get(scope, job.id), want)
    assert.deepEqual(await store().jobs.list(scope), [want])
    assert.ok(!(await store().jobs.listEnabled()).some(enabled => enabled.id === job.id))
    const elsewhere: Scope = { kind: 'zone', id: '0'.repeat(32) }
    assert.equal(await store().jobs.get(elsewhere, job.id), undefined)
    assert.equal(await store().jobs.delete(elsewhere, job.id), false)
    assert.equal(await store().jobs.delete(scope, job.id), true)
    await assert.rejects(store().jobs.update(job), refusal('stale'))
  })

  test('each write is one revision, and a write based on an older one is refused', async () => {
    const scope = scopeOf(await zoneIn(store()))
    const job = await store().jobs.insert(aJob(scope))
    for (const revision of [1, 2, 3]) {
      await store().jobs.update({ ...job, revision })
      assert.equal((await store().jobs.get(scope, job.id))?.revision, revision + 1)
    }
    await assert.rejects(store().jobs.update({ ...job, name: 'lost' }), refusal('stale'))
    assert.equal((await store().jobs.get(scope, job.id))?.name, job.name)
  })

  test('whether attack traffic is filtered is absent, true or false, as it was written', async () => {
    const scope = scopeOf(await zoneIn(store()))
    const job = await store().jobs.insert(aJob(scope))
    assert.ok(!('filterAttackTraffic' in (await store().jobs.get(scope, job.id))!))
    for (const [at, filterAttackTraffic] of [true, false].entries()) {
      await store().jobs.update({ ...job, revision: at + 1, filterAttackTraffic })
      assert.equal((await store().jobs.get(scope, job.id))?.filterAttackTraffic, filterAttackTraffic)
    }
    await store().jobs.update({ ...job, revision: 3 })
    assert.ok(!('filterAttackTraffic' in (await store().jobs.get(scope, job.id))!))
  })

  test('an account has its own jobs, which remain when its zones are deleted', async () => {
    const zone = await zoneIn(store())
    const sibling = aZone(zone.accountId)
    await store().zones.insert(sibling)
    const account: Scope = { kind: 'account', id: zone.accountId }
    const start = await store().changes.head()
    const ofAccount = await store().jobs.insert(aJob(account))
    const ofZone = await store().jobs.insert(aJob(scopeOf(zone)))
    const ofSibling = await store().jobs.insert(aJob(scopeOf(sibling)))
    assert.deepEqual(await store().jobs.list(account), [ofAccount])
    assert.deepEqual(await store().jobs.list(scopeOf(zone)), [ofZone])
    assert.deepEqual(await store().jobs.listOfAccount(zone.accountId), [ofAccount, ofZone, ofSibling])
    assert.deepEqual(await store().jobs.listOfAccount('f'.repeat(32)), [])
    assert.deepEqual(await store().jobs.get(account, ofAccount.id), ofAccount)
    assert.equal(await store().jobs.get(account, ofZone.id), undefined)
    assert.equal(await store().jobs.get({ kind: 'zone', id: account.id }, ofAccount.id), undefined)
    const ids = new Set([ofAccount.id, ofZone.id, ofSibling.id])
    const enabled = (await store().jobs.listEnabled()).filter(({ id }) => ids.has(id))
    assert.deepEqual(enabled, [ofAccount, ofZone, ofSibling])
    assert.deepEqual(
      (await store().changes.after(start)).map(({ kind, id }) => `${kind} ${id}`),
      [`logpush ${account.id}`, `logpush ${zone.id}`, `logpush ${sibling.id}`],
    )
    await store().zones.delete(zone.id)
    assert.deepEqual(await store().jobs.list(account), [ofAccount])
    assert.equal(await store().jobs.delete(account, ofSibling.id), false)
    assert.equal(await store().jobs.delete(account, ofAccount.id), true)
    await assert.rejects(store().jobs.insert(aJob({ kind: 'account', id: zone.id })), refusal('conflict'))
  })

  test('a database whose credentials were sealed with another key is refused, and the setting named', async () => {
    await assert.rejects(
      another(newCipher(new Uint8Array(32).fill(8))),
      error => refusal('unavailable')(error) && /SLUICE_SECRET_KEY/.test((error as Error).message),
    )
  })
}
