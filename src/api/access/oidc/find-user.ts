import type { FastifyRequest } from 'fastify'
import { newId } from '../../../kit/ids.ts'
import type { Member, User } from '../../../model/resource.ts'
import type { OidcRole } from '../../../model/settings/index.ts'
import type { ApiDeps } from '../../deps.ts'
import { newMember } from '../../members/new-member.ts'
import { memberToWire } from '../../members/wire.ts'
import { auditEntry } from '../audit/entry.ts'
import type { Actor } from '../auth.ts'
import { roles } from '../permissions/roles.ts'
import type { Identity } from './provider.ts'

/** Why a user whom the provider knows may not sign in, for the sign-in page. */
export type NoUser = 'not-a-member' | 'no-role' | 'email-not-verified'

/**
 * The user of an identity: known by its subject, or a member with its verified e-mail, or a new one when the mapping of
 * the settings gives it a role. That mapping decides about the roles in the first account at each sign-in.
 */
export async function userOfIdentity(
  { store, clock }: Pick<ApiDeps, 'store' | 'clock'>,
  request: FastifyRequest,
  identity: Identity,
  mapping: readonly OidcRole[],
): Promise<User | NoUser> {
  const known = (await store.users.byOidcSubject(identity.subject)) ?? (await byEmail())
  if (typeof known === 'string') return known
  if (mapping.length === 0) return known === undefined ? 'not-a-member' : linked(known)
  const ids = rolesFor(identity.groups, mapping)
  if (ids.length === 0) {
    if (known !== undefined) await store.sessions.deleteAll(known.id)
    return 'no-role'
  }
  if (known === undefined && identity.email === undefined) return 'email-not-verified'
  const user = known ?? { id: newId(), email: identity.email!, oidcSubject: identity.subject }
  const [account] = await store.accounts.list()
  const member = newMember(account!.id, user.id, ids, clock.nowMs())
  request.setDecorator<Actor>('actor', { kind: 'user', id: user.id, email: user.email })
  if (known === undefined) {
    await store.users.insert(user, member, audit(undefined, member, user))
    return user
  }
  const before = await store.members.get(member.id)
  if (before === undefined) await store.members.insert(member, audit(undefined, member, user))
  else if (String([...before.roles].sort()) !== String([...ids].sort()))
    await store.members.setRoles(member.id, ids, audit(before, member, user))
  return linked(user)

  /** An e-mail that the provider has not verified could be another user's. */
  async function byEmail(): Promise<User | NoUser | undefined> {
    if (identity.email === undefined) return undefined
    const user = await store.users.byEmail(identity.email)
    if (user === undefined) return undefined
    return identity.emailVerified && user.oidcSubject === undefined ? user : 'email-not-verified'
  }

  async function linked(user: User): Promise<User> {
    if (user.oidcSubject === undefined)
      await store.users.update(user.id, { oidcSubject: identity.subject, invitation: null })
    return user
  }

  function audit(before: Member | undefined, after: Member, user: User) {
    return auditEntry(request, {
      action: before === undefined ? 'create' : 'update',
      resource: { kind: 'member', id: after.id },
      before: before === undefined ? null : memberToWire({ ...before, user }),
      after: memberToWire({ ...after, user }),
      accountId: after.accountId,
    })
  }
}

function rolesFor(groups: readonly string[], mapping: readonly OidcRole[]): string[] {
  const words = mapping.filter(({ value }) => value === '*' || groups.includes(value)).map(({ role }) => role)
  return roles.filter(({ word }) => words.includes(word)).map(({ id }) => id)
}
