import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { InstantSession, Json, Redaction } from '../../model/resource.ts'
import { anAudit, everythingRedacted, refusal, type StoreUnderTest, zoneIn } from './data.ts'

/** Redaction, Instant Logs, and the audit trail as a log. */
export function zoneLogSuite({ store, another }: StoreUnderTest): void {
  test('the redaction of a zone is the default until it is set, is announced, and is deleted with its zone', async () => {
    const zone = await zoneIn(store())
    assert.equal(await store().redaction.get(zone.id), undefined)
    const start = await store().changes.head()
    const settings: Redaction[] = [
      { ...everythingRedacted, queryParameters: ['session', 'NUL \0'] },
      { ...everythingRedacted, authorization: false },
    ]
    const entry = anAudit(zone.accountId)
    for (const redaction of settings) {
      await store().redaction.put(zone.id, redaction, redaction === settings[1] ? entry : undefined)
      assert.deepEqual(await store().redaction.get(zone.id), redaction)
    }
    const changes = (await store().changes.after(start)).filter(({ id }) => id === zone.id)
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['zone', 'zone'],
    )
    assert.deepEqual(await store().audit.list(zone.accountId, { offset: 0, limit: 10 }), [entry])
    await store().zones.delete(zone.id)
    assert.equal(await store().redaction.get(zone.id), undefined)
    await assert.rejects(store().redaction.put(zone.id, everythingRedacted), refusal('conflict'))
  })

  test('settings of a zone are written one by one, announced, and are deleted with their zone', async () => {
    const zone = await zoneIn(store())
    const { zoneSettings } = store()
    assert.deepEqual(await zoneSettings.list(zone.id), [])
    const start = await store().changes.head()
    const modifiedOn = '2026-01-02T03:04:05.000006Z'
    const set = (id: string, value: Json) => ({ id, value, modifiedOn })
    const entry = anAudit(zone.accountId)
    await zoneSettings.put(zone.id, [set('b', { type: 'NUL \0' }), set('a', true)], entry)
    await Promise.all([
      zoneSettings.put(zone.id, [set('a', false)]),
      zoneSettings.put(zone.id, [set('c', 'off')]),
    ])
    const all = [set('a', false), set('b', { type: 'NUL \0' }), set('c', 'off')]
    assert.deepEqual(await zoneSettings.list(zone.id), all)
    await zoneSettings.delete(zone.id, ['a', 'd'])
    assert.deepEqual(await zoneSettings.list(zone.id), all.slice(1))
    const changes = (await store().changes.after(start)).filter(({ id }) => id === zone.id)
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['zone', 'zone', 'zone', 'zone'],
    )
    assert.deepEqual(await store().audit.list(zone.accountId, { offset: 0, limit: 10 }), [entry])
    await store().zones.delete(zone.id)
    assert.deepEqual(await zoneSettings.list(zone.id), [])
    await assert.rejects(zoneSettings.put(zone.id, [set('a', true)]), refusal('conflict'))
  })

  test('the share of sampled requests is the default until it is set, is announced, and is deleted with its zone', async () => {
    const zone = await zoneIn(store())
    assert.equal(await store().sampling.get(zone.id), undefined)
    const start = await store().changes.head()
    const entry = anAudit(zone.accountId)
    for (const rate of [0, 0.000001, 1]) {
      await store().sampling.put(zone.id, rate, rate === 1 ? entry : undefined)
      assert.equal(await store().sampling.get(zone.id), rate)
    }
    const changes = (await store().changes.after(start)).filter(({ id }) => id === zone.id)
    assert.deepEqual(
      changes.map(({ kind }) => kind),
      ['zone', 'zone', 'zone'],
    )
    assert.deepEqual(await store().audit.list(zone.accountId, { offset: 0, limit: 10 }), [entry])
    await store().zones.delete(zone.id)
    assert.equal(await store().sampling.get(zone.id), undefined)
    await assert.rejects(store().sampling.put(zone.id, 0), refusal('conflict'))
  })

  test('instant sessions come back as written, are seen by others and are deleted with their zone', async () => {
    const zone = await zoneIn(store())
    const [first, second] = [
      aSession(zone.id, { filter: '{"where":"NUL \0"}' }),
      aSession(zone.id, { createdOn: '2026-02-01T00:00:00.000000Z', sample: 10 }),
    ]
    const entry = anAudit(zone.accountId)
    await store().instant.insert(second, entry)
    await store().instant.insert(first)
    await store().instant.insert(aSession((await zoneIn(store())).id))
    assert.deepEqual(await store().audit.list(zone.accountId, { offset: 0, limit: 10 }), [entry])
    assert.deepEqual(await store().instant.list(zone.id), [first, second])
    const process = await another()
    const listenedOn = '2026-02-01T00:05:00.000000Z'
    await process.instant.touch(second.id, listenedOn)
    assert.deepEqual(await store().instant.get(second.id), { ...second, listenedOn })
    await process.close()
    await store().instant.delete(first.id)
    await store().instant.delete(first.id)
    assert.equal(await store().instant.get(first.id), undefined)
    await store().zones.delete(zone.id)
    assert.deepEqual(await store().instant.list(zone.id), [])
    await assert.rejects(store().instant.insert(first), refusal('conflict'))
  })

  test('the audit trail of all accounts is followed from a position or a moment on', async () => {
    const { accountId: one } = await zoneIn(store())
    const { accountId: two } = await zoneIn(store())
    const moment = (minute: number) => `2036-01-01T00:0${minute}:00.000000Z`
    const start = await store().audit.head()
    assert.deepEqual(await store().audit.after(start, 10), [])
    const entries = [
      anAudit(one, { at: moment(1) }),
      anAudit(two, { at: moment(2) }),
      anAudit(one, { at: moment(3) }),
    ]
    for (const entry of entries) await store().audit.insert(entry)
    const positions = entries.map((entry, n) => ({ position: start + 1 + n, entry }))
    assert.equal(await store().audit.head(), start + 3)
    assert.deepEqual(await store().audit.after(start, 10), positions)
    assert.deepEqual(await store().audit.after(start, 2), positions.slice(0, 2))
    assert.deepEqual(await store().audit.after(start + 2, 10), positions.slice(2))
    assert.equal(await store().audit.at(moment(0)), start + 1)
    assert.equal(await store().audit.at(moment(2)), start + 2)
    assert.equal(await store().audit.at('2036-01-01T00:02:00.000001Z'), start + 3)
    assert.equal(await store().audit.at(moment(4)), start + 4)
  })
}

function aSession(zoneId: string, changes: Partial<InstantSession> = {}): InstantSession {
  return {
    id: newId(),
    zoneId,
    fields: 'ClientIP,RayID',
    filter: '',
    sample: 1,
    createdOn: '2026-01-01T00:00:00.000000Z',
    listenedOn: '2026-01-01T00:00:00.000000Z',
    ...changes,
  }
}
