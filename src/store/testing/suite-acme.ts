import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcmeChallenge } from '../../model/acme.ts'
import { acmeStoreLimits } from '../limits.ts'
import { type StoreUnderTest, zoneIn } from './data.ts'

const hourMs = 3_600_000
/** Later than all other tests of one database, because their orders count too. */
let beginMs = 1_900_000_000_000

export function acmeSuite({ store }: StoreUnderTest): void {
  const nextHours = () => (beginMs += 100 * hourMs)
  const claimAll = async (owner: string, nowMs: number) => {
    const names: string[] = []
    for (;;) {
      const claimed = await store().acme.claim(owner, nowMs, nowMs + 1000)
      if (claimed === undefined) return names
      names.push(claimed.name)
    }
  }

  test('an account of a directory keeps its first key', async () => {
    const { accountKey } = store().acme
    assert.equal(await accountKey('https://ca.test/keys', async () => 'first'), 'first')
    assert.equal(await accountKey('https://ca.test/keys', async () => assert.fail('made again')), 'first')
    assert.equal(await accountKey('https://other.test/keys', async () => 'other'), 'other')
  })

  test('a name is claimed once, by the process that asks first, until its result or the end of the claim', async () => {
    const nowMs = nextHours()
    const zone = await zoneIn(store())
    assert.equal(await store().acme.want(zone.id, zone.name, nowMs), true)
    assert.equal(await store().acme.want(zone.id, zone.name, nowMs + 5), true)
    const name = { name: zone.name, zoneId: zone.id, failures: 0, problem: undefined, nextMs: nowMs }
    assert.deepEqual(await store().acme.names(zone.id), [name])
    assert.equal(await store().acme.claim('a', nowMs - 1, nowMs), undefined)
    assert.deepEqual(await store().acme.claim('a', nowMs, nowMs + 1000), name)
    assert.equal(await store().acme.claim('b', nowMs + 1000, nowMs + 2000), undefined)
    assert.deepEqual(await store().acme.claim('b', nowMs + 1001, nowMs + 2000), name)
    // The first process has lost the name.
    await store().acme.settle('a', zone.name, { problem: undefined, nextMs: nowMs + hourMs })
    assert.deepEqual(await store().acme.names(zone.id), [name])
    await store().acme.settle('b', zone.name, { problem: 'the order failed: no', nextMs: nowMs + 3000 })
    const failed = { ...name, failures: 1, problem: 'the order failed: no', nextMs: nowMs + 3000 }
    assert.deepEqual(await store().acme.names(zone.id), [failed])
    assert.deepEqual(await store().acme.claim('c', nowMs + 3000, nowMs + 9000), failed)
    await store().acme.release('c')
    assert.deepEqual(await store().acme.claim('d', nowMs + 3000, nowMs + 9000), failed)
    await store().acme.settle('d', zone.name, { problem: undefined, nextMs: nowMs + hourMs })
    assert.deepEqual(await store().acme.names(zone.id), [{ ...name, nextMs: nowMs + hourMs }])
    await store().zones.delete(zone.id)
    assert.deepEqual(await store().acme.names(zone.id), [])
    assert.equal(await store().acme.want(zone.id, zone.name, nowMs), true)
  })

  test('an installation orders a bounded number of certificates in an hour, the longest waiting first', async () => {
    const nowMs = nextHours()
    const most = acmeStoreLimits.acmeOrdersPerHourMax
    const names: string[] = []
    while (names.length <= most) {
      const zone = await zoneIn(store())
      for (let at = 0; at < acmeStoreLimits.acmeNamesPerZoneMax; at++) {
        const name = `${at}.${zone.name}`
        assert.equal(await store().acme.want(zone.id, name, nowMs - 1000 + names.length), true)
        names.push(name)
      }
      assert.equal(await store().acme.want(zone.id, `more.${zone.name}`, nowMs), false)
      assert.equal(await store().acme.want(zone.id, `0.${zone.name}`, nowMs), true)
    }
    assert.deepEqual(await claimAll('a', nowMs), names.slice(0, most))
    for (const name of names.slice(0, most))
      await store().acme.settle('a', name, { problem: undefined, nextMs: nowMs + 1000 * hourMs })
    assert.deepEqual(await claimAll('a', nowMs + hourMs), [])
    assert.deepEqual(await claimAll('a', nowMs + hourMs + 1), names.slice(most))
  })

  test('challenges are announced, read until their end, and gone when their order has ended', async () => {
    const challenge: AcmeChallenge = { kind: 'http-01', name: 'a.test', token: 't', keyAuthorization: 't.k' }
    const other: AcmeChallenge = { kind: 'tls-alpn-01', name: 'b.test', certificate: 'c', key: 'k' }
    const head = await store().changes.head()
    await store().acme.publish({ ...challenge, token: 'old' }, 5000)
    await store().acme.publish(challenge, 5000)
    await store().acme.publish(other, 6000)
    const kinds = (await store().changes.after(head)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['acme', 'acme', 'acme'])
    assert.deepEqual(await store().acme.challenges(5000), [challenge, other])
    assert.deepEqual(await store().acme.challenges(5001), [other])
    await store().acme.withdraw('b.test', 5000)
    assert.deepEqual(await store().acme.challenges(5000), [challenge])
    await store().acme.withdraw('c.test', 5001)
    assert.deepEqual(await store().acme.challenges(0), [])
    assert.equal((await store().changes.after(head)).length, 5)
  })
}
