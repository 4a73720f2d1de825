import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { ApiToken, AuditEntry } from '../../model/resource.ts'
import { aJob, anAudit, asStored, aZone, refusal, type StoreUnderTest, scopeOf, zoneIn } from './data.ts'

/** Tokens and the audit trail, for every adapter. */
export function peopleSuite({ store }: StoreUnderTest): void {
  test('a token is found by its hash until it is deleted', async () => {
    const token = aToken({ name: 'ci \0' })
    await store().tokens.insert(token)
    assert.deepEqual(await store().tokens.byHash(token.hash), asStored(token))
    assert.deepEqual(await store().tokens.get(token.id), asStored(token))
    assert.deepEqual(
      (await store().tokens.list()).find(({ id }) => id === token.id),
      asStored(token),
    )
    assert.equal(await store().tokens.delete(token.id), true)
    assert.equal(await store().tokens.delete(token.id), false)
    assert.equal(await store().tokens.byHash(token.hash), undefined)
  })

  test('every member of a token is stored, and an update keeps its last use', async () => {
    const { accountId } = await zoneIn(store())
    const token = aToken({
      accountId,
      status: 'disabled',
      condition: { requestIp: { in: ['10.0.0.0/8'], notIn: ['10.0.0.1'] } },
      notBefore: '2026-01-01T00:00:00Z',
      expiresOn: '2027-01-01T00:00:00Z',
      lastUsedOn: '2026-01-03T00:00:00.000000Z',
    })
    await store().tokens.insert(token)
    assert.deepEqual(await store().tokens.get(token.id), asStored(token))
    await store().tokens.touch(token.id, '2026-01-04T00:00:00.000000Z')
    const { condition, notBefore, expiresOn, ...rest } = token
    await store().tokens.update(asStored({ ...rest, name: 'new', hash: 'other' }))
    assert.deepEqual(await store().tokens.get(token.id), {
      ...rest,
      name: 'new',
      hash: 'other',
      lastUsedOn: '2026-01-04T00:00:00.000000Z',
      revision: 2,
    })
    await assert.rejects(store().tokens.update(asStored(aToken())), refusal('stale'))
  })

  test('a user is found by id', async () => {
    const user = { id: newId(), email: 'by-id@example.com', keyHash: 'aa' }
    await store().users.put(user)
    assert.deepEqual(await store().users.get(user.id), user)
    assert.equal(await store().users.get(newId()), undefined)
  })

  test('the audit trail is paged, ordered and filtered', async () => {
    const accountId = newId()
    const zoneId = newId()
    const entries = [
      anAudit(accountId, { at: '2026-01-01T00:00:00.000000Z' }),
      anAudit(accountId, { at: '2026-01-02T00:00:00.000000Z', zoneId, action: 'delete' }),
      anAudit(accountId, {
        at: '2026-01-03T00:00:00.000000Z',
        actor: { kind: 'user', id: newId(), email: 'a@example.com', ip: '10.0.0.1' },
        resource: { kind: 'token', id: newId() },
      }),
    ] as const
    for (const entry of entries) await store().audit.insert(entry)
    await store().audit.insert(anAudit(newId()))
    const [first, second, third] = entries
    const rows: [
      name: string,
      page: Parameters<ReturnType<StoreUnderTest['store']>['audit']['list']>[1],
      AuditEntry[],
    ][] = [
      ['newest first', { offset: 0, limit: 9 }, [third, second, first]],
      ['oldest first', { offset: 0, limit: 9, direction: 'asc' }, [first, second, third]],
      ['a page', { offset: 1, limit: 1 }, [second]],
      ['past the end', { offset: 3, limit: 1 }, []],
      ['since includes', { offset: 0, limit: 9, since: second.at }, [third, second]],
      ['before excludes', { offset: 0, limit: 9, before: second.at }, [first]],
      ['zone', { offset: 0, limit: 9, zoneId }, [second]],
      ['action', { offset: 0, limit: 9, action: 'delete' }, [second]],
      ['resource', { offset: 0, limit: 9, resourceKind: 'token' }, [third]],
      ['actor', { offset: 0, limit: 9, actorId: third.actor.id }, [third]],
      ['e-mail', { offset: 0, limit: 9, actorEmail: 'a@example.com' }, [third]],
      ['address', { offset: 0, limit: 9, actorIp: '10.0.0.1' }, [third]],
      ['id', { offset: 0, limit: 9, id: first.id }, [first]],
    ]
    for (const [name, page, want] of rows)
      assert.deepEqual(await store().audit.list(accountId, page), want, name)
  })

  test('a value that is too long for the audit trail is replaced by its length', async () => {
    const accountId = newId()
    const bytesMax = 256 * 1024
    const fits = 'x'.repeat(bytesMax - 2)
    await store().audit.insert(anAudit(accountId, { before: fits, after: `${fits}x` }))
    const [entry] = await store().audit.list(accountId, { offset: 0, limit: 1 })
    assert.equal(entry?.before, fits)
    assert.deepEqual(entry?.after, { omitted: true, bytes: bytesMax + 1 })
  })

  test('an audit entry is written with its change or not at all', async () => {
    const zone = await zoneIn(store())
    const trail = () => store().audit.list(zone.accountId, { offset: 0, limit: 99, direction: 'asc' })
    const entry = (action: string) => anAudit(zone.accountId, { action })
    const other = aZone(zone.accountId)
    await store().zones.insert(other, entry('zone create'))
    await assert.rejects(store().zones.insert(aZone(zone.accountId, { name: zone.name }), entry('lost')))
    await store().zones.update({ ...zone, paused: true }, entry('zone update'))
    await assert.rejects(store().zones.update(asStored(aZone(zone.accountId)), entry('lost')))
    const job = await store().jobs.insert(aJob(scopeOf(zone)), made => entry(`job ${made.id > 0}`))
    await store().jobs.update({ ...job, name: 'n' }, entry('job update'))
    assert.equal(await store().jobs.delete(scopeOf(zone), job.id, entry('job delete')), true)
    assert.equal(await store().jobs.delete(scopeOf(zone), job.id, entry('lost')), false)
    const token = aToken()
    await store().tokens.insert(token, entry('token create'))
    await store().tokens.update(asStored({ ...token, name: 'n' }), entry('token update'))
    assert.equal(await store().tokens.delete(token.id, entry('token delete')), true)
    assert.equal(await store().tokens.delete(token.id, entry('lost')), false)
    assert.equal(await store().zones.delete(other.id, entry('zone delete')), true)
    assert.equal(await store().zones.delete(other.id, entry('lost')), false)
    assert.deepEqual(
      (await trail()).map(({ action }) => action),
      [
        'zone create',
        'zone update',
        'job true',
        'job update',
        'job delete',
        'token create',
        'token update',
        'token delete',
        'zone delete',
      ],
    )
  })
}

function aToken(changes: Partial<ApiToken> = {}): ApiToken {
  const id = newId()
  return {
    id,
    name: 'ci',
    hash: `hash of ${id}`,
    userId: newId(),
    status: 'active',
    policies: [
      {
        id: newId(),
        effect: 'allow',
        permissionGroups: [{ id: newId() }],
        resources: { z: '*', a: { inner: '*' } },
      },
    ],
    createdOn: '2026-01-01T00:00:00.000000Z',
    modifiedOn: '2026-01-02T00:00:00.000000Z',
    ...changes,
  }
}
