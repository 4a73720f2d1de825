import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../kit/ids.ts'
import type { ApiToken, AuditEntry, Member, Session } from '../../model/resource.ts'
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

  test('a user is found by id, e-mail, invitation and subject, and changes in parts', async () => {
    const id = newId()
    const invitation = { hash: `invitation of ${id}`, expiresOn: '2026-01-08T00:00:00.000000Z' }
    const user = { id, email: `${id}@example.com`, keyHash: 'aa', invitation, oidcSubject: `subject ${id}` }
    await store().users.insert(user, undefined)
    assert.deepEqual(await store().users.get(id), user)
    assert.deepEqual(await store().users.byEmail(user.email.toUpperCase()), user)
    assert.deepEqual(await store().users.byInvitation(invitation.hash), user)
    assert.deepEqual(await store().users.byOidcSubject(user.oidcSubject), user)
    await assert.rejects(store().users.insert({ ...user, id: newId() }, undefined), refusal('conflict'))
    const totp = { secret: 'JBSWY3DP', confirmed: true }
    await store().users.update(id, { totp, invitation: null, passwordHash: '$argon2id$' })
    const { invitation: _, ...rest } = user
    assert.deepEqual(await store().users.get(id), { ...rest, totp, passwordHash: '$argon2id$' })
    assert.equal(await store().users.get(newId()), undefined)
  })

  test('a user linked with an identity keeps other ways to sign in, or none', async () => {
    const userId = newId()
    const email = `${userId}@example.com`
    const totp = { secret: 'JBSWY3DP', confirmed: true }
    const user = { id: userId, email, keyHash: 'aa', passwordHash: '$argon2id$', totp }
    await store().users.insert(user, undefined)
    await store().users.update(userId, { recoveryCodes: ['a'] })
    const own = aToken({ userId })
    const kept = aToken({ userId, accountId: (await zoneIn(store())).accountId })
    for (const token of [own, kept]) await store().tokens.insert(token)
    await store().sessions.insert(aSession(userId))
    const oidcSubject = `subject ${userId}`
    await store().users.link(userId, oidcSubject, true)
    assert.deepEqual(await store().users.get(userId), { ...user, oidcSubject })
    assert.notEqual(await store().tokens.get(own.id), undefined)
    await store().users.link(userId, oidcSubject, false)
    assert.deepEqual(await store().users.get(userId), { id: userId, email, oidcSubject })
    assert.equal(await store().users.recoveryCodes(userId), 0)
    assert.deepEqual(await store().sessions.ofUser(userId), [])
    assert.equal(await store().tokens.get(own.id), undefined)
    assert.notEqual(await store().tokens.get(kept.id), undefined)
  })

  test('an invitation is accepted once, and a confirmed one-time secret is not replaced', async () => {
    const id = newId()
    const invitation = { hash: `hash ${id}`, expiresOn: '2030-01-01T00:00:00.000000Z' }
    await store().users.insert({ id, email: `${id}@example.com`, invitation }, undefined)
    await store().sessions.insert(aSession(id))
    assert.equal(await store().users.acceptInvitation(id, 'another', 'wrong'), false)
    assert.equal(await store().users.acceptInvitation(id, invitation.hash, 'p'), true)
    assert.equal(await store().users.acceptInvitation(id, invitation.hash, 'wrong'), false)
    assert.deepEqual(await store().sessions.ofUser(id), [])
    const secret = (text: string, confirmed: boolean) => ({ secret: text, confirmed })
    assert.equal(await store().users.beginTotp(id, secret('A', false)), true)
    assert.equal(await store().users.beginTotp(id, secret('B', false)), true)
    await store().users.update(id, { totp: secret('B', true) })
    assert.equal(await store().users.beginTotp(id, secret('C', false)), false)
    const user = await store().users.get(id)
    assert.deepEqual([user?.passwordHash, user?.totp], ['p', secret('B', true)])
  })

  test('a one-time code and a recovery code are used once', async () => {
    const id = newId()
    await store().users.insert({ id, email: `${id}@example.com` }, undefined)
    assert.deepEqual(
      [await store().users.takeTotpStep(id, 7), await store().users.takeTotpStep(id, 7)],
      [true, false],
    )
    assert.equal(await store().users.takeTotpStep(id, 6), false)
    await store().users.update(id, { recoveryCodes: ['a', 'b'] })
    assert.equal(await store().users.takeRecoveryCode(id, 'a'), true)
    assert.equal(await store().users.takeRecoveryCode(id, 'a'), false)
    assert.equal(await store().users.recoveryCodes(id), 1)
  })

  test('a user goes with the last membership, and with the user the sessions and tokens', async () => {
    const userId = newId()
    const memberOf = ({ accountId }: { readonly accountId: string }): Member => {
      return { id: newId(), accountId, userId, roles: ['r'], createdOn: '2026-01-01T00:00:00.000000Z' }
    }
    const first = memberOf(await zoneIn(store()))
    const second = memberOf(await zoneIn(store()))
    const user = { id: userId, email: `${userId}@example.com` }
    await store().users.insert(user, first)
    await store().members.insert(second)
    await assert.rejects(store().members.insert({ ...second, id: newId() }), refusal('conflict'))
    await store().members.setRoles(second.id, ['s', 't'])
    assert.deepEqual(await store().members.get(second.id), { ...second, roles: ['s', 't'], user })
    assert.deepEqual(await store().members.list(first.accountId), [{ ...first, user }])
    assert.deepEqual(
      (await store().members.ofUser(userId)).map(({ id }) => id),
      [first.id, second.id].sort(),
    )
    const own = aToken({ userId })
    const kept = aToken({ userId, accountId: first.accountId })
    for (const token of [own, kept]) await store().tokens.insert(token)
    await store().sessions.insert(aSession(userId))
    assert.equal(await store().members.delete(first.id), true)
    assert.equal((await store().sessions.ofUser(userId)).length, 1)
    assert.equal(await store().members.delete(second.id), true)
    assert.equal(await store().members.delete(second.id), false)
    assert.equal(await store().users.get(userId), undefined)
    assert.deepEqual(await store().sessions.ofUser(userId), [])
    assert.equal(await store().tokens.get(own.id), undefined)
    assert.notEqual(await store().tokens.get(kept.id), undefined)
  })

  test('a session is found by its hash until it ends', async () => {
    const userId = newId()
    await store().users.insert({ id: userId, email: `${userId}@example.com` }, undefined)
    const session = aSession(userId)
    const others = [aSession(userId), aSession(userId)] as const
    for (const made of [session, ...others]) await store().sessions.insert(made)
    await store().sessions.touch(session.id, '2026-01-03T00:00:00.000000Z')
    assert.deepEqual(await store().sessions.byHash(session.hash), {
      ...session,
      lastUsedOn: '2026-01-03T00:00:00.000000Z',
    })
    assert.equal(await store().sessions.delete(newId(), others[0].id), false)
    assert.equal(await store().sessions.delete(userId, others[0].id), true)
    await store().sessions.deleteAll(userId, session.id)
    assert.deepEqual(
      (await store().sessions.ofUser(userId)).map(({ id }) => id),
      [session.id],
    )
    await store().sessions.insert(aSession(userId, { createdOn: '2027-01-01T00:00:00.000000Z' }))
    assert.equal(await store().sessions.byHash(session.hash), undefined)
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

function aSession(userId: string, changes: Partial<Session> = {}): Session {
  const id = newId()
  return {
    id,
    hash: `hash of ${id}`,
    userId,
    method: 'password',
    address: '192.0.2.1',
    agent: 'browser \0',
    createdOn: '2026-01-02T00:00:00.000000Z',
    lastUsedOn: '2026-01-02T00:00:00.000000Z',
    expiresOn: '2026-01-09T00:00:00.000000Z',
    ...changes,
  }
}
