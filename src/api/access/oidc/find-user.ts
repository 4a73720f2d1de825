import type { FastifyRequest } from 'fastify'
import { newId } from '../../../kit/ids.ts'
import type { Member, User } from '../../../model/resource.ts'
import type { OidcRole } from '../../../model/settings/index.ts'
import type { ApiDeps } from '../../deps.ts'
import { isAdministrator, isLastAdministrator } from '../../members/administrators.ts'
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
  const ids = rolesFor(identity.groups, mapping)
  const [first] = await store.accounts.list()
  if (known === undefined) return make()
  act(known)
  if (known.oidcSubject === undefined) await link(known)
  if (mapping.length === 0) return known
  await setRoles(known)
  return (await store.members.ofUser(known.id)).length === 0 ? 'no-role' : known

  /** An e-mail that the provider has not verified could be another user's. */
  async function byEmail(): Promise<User | NoUser | undefined> {
    if (identity.email === undefined) return undefined
    const user = await store.users.byEmail(identity.email)
    if (user === undefined) return undefined
    return identity.emailVerified && user.oidcSubject === undefined ? user : 'email-not-verified'
  }

  async function make(): Promise<User | NoUser> {
    if (mapping.length === 0) return 'not-a-member'
    if (ids.length === 0) return 'no-role'
    if (identity.email === undefined || !identity.emailVerified) return 'email-not-verified'
    const user = { id: newId(), email: identity.email, oidcSubject: identity.subject }
    const member = newMember(first!.id, user.id, ids, clock.nowMs())
    act(user)
    await store.users.insert(user, member, audit(undefined, member, user))
    return user
  }

  /**
   * Administrators of any account can add an e-mail and accept its invitation. Their password or token has to end
   * before the user gets roles elsewhere. The first account's own members, such as the first administrator, keep it.
   */
  async function link(user: User): Promise<void> {
    const memberships = await store.members.ofUser(user.id)
    const isOwn = memberships.length > 0 && memberships.every(({ accountId }) => accountId === first!.id)
    const entry = auditEntry(request, {
      action: 'update',
      resource: { kind: 'user_sign_in', id: user.id },
      before: { identity_provider: false },
      after: { identity_provider: true, ends_other_credentials: !isOwn },
      accountId: first!.id,
    })
    await store.users.link(user.id, identity.subject, isOwn, entry)
  }

  async function setRoles(user: User): Promise<void> {
    const member = newMember(first!.id, user.id, ids, clock.nowMs())
    const memberships = await store.members.ofUser(user.id)
    const before = memberships.find(({ accountId }) => accountId === first!.id)
    if (before === undefined) {
      if (ids.length > 0) await store.members.insert(member, audit(undefined, member, user))
    } else if (!isAdministrator(member) && (await isLastAdministrator(store, before)))
      request.log.warn({ id: request.id, user: user.id }, 'the last administrator keeps the role')
    else if (ids.length === 0) await store.members.delete(before.id, audit(before, undefined, user))
    else if (String([...before.roles].sort()) !== String([...ids].sort()))
      await store.members.setRoles(before.id, ids, audit(before, { ...before, roles: ids }, user))
  }

  function act({ id, email }: User): void {
    request.setDecorator<Actor>('actor', { kind: 'user', id, email })
  }

  function audit(before: Member | undefined, after: Member | undefined, user: User) {
    const { id, accountId } = (after ?? before)!
    return auditEntry(request, {
      action: before === undefined ? 'create' : after === undefined ? 'delete' : 'update',
      resource: { kind: 'member', id },
      before: before === undefined ? null : memberToWire({ ...before, user }),
      after: after === undefined ? null : memberToWire({ ...after, user }),
      accountId,
    })
  }
}

function rolesFor(groups: readonly string[], mapping: readonly OidcRole[]): string[] {
  const words = mapping.filter(({ value }) => value === '*' || groups.includes(value)).map(({ role }) => role)
  return roles.filter(({ word }) => words.includes(word)).map(({ id }) => id)
}
