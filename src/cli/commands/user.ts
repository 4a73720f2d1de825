import { type AuditedChange, memberToWire, newInvitation, newMember, roles } from '../../api/index.ts'
import type { SystemAudit } from '../../app/index.ts'
import { newId } from '../../kit/ids.ts'
import type { User } from '../../model/resource.ts'
import type { Store } from '../../store/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'
import { withStore } from '../with-store.ts'

/** The output of `sluice user --help`. */
export const userHelp = `sluice user: users, their roles and their sign-ins

  sluice user list
      One line per member: e-mail, role, account, sign-in.

  sluice user add EMAIL --role ROLE [--account ID]
      Adds a user to an account, or changes the role that the user has there. A new user gets an invitation: the path of
      the page that takes a password. It is valid once and for seven days.

      --role ROLE       administrator, editor (everything but members and tokens of the account) or analyst (read-only)
      --account ID      the first account, if it is absent

  sluice user invite EMAIL
      Prints a new invitation. The password that it sets replaces the present one, and ends two-factor authentication.

  sluice user remove EMAIL
      Removes the user from every account, with their sessions and tokens.

Example:
  sluice user add ann@example.com --role editor`

const usage =
  'use `sluice user list`, `sluice user add EMAIL --role ROLE`, `sluice user invite EMAIL` or `sluice user remove EMAIL`'

/** `sluice user list`, `add EMAIL`, `invite EMAIL` and `remove EMAIL`. */
export async function userCommand(commandLine: readonly string[]): Promise<void> {
  const { words, flags, settings } = parseCommandLine(commandLine, ['role', 'account'])
  const [verb, email, ...rest] = words
  await withStore(settings, `sluice user ${verb ?? ''}`, async (store, audit) => {
    if (verb === 'list' && email === undefined) await list(store)
    else if (verb === 'add' && email !== undefined && rest.length === 0) await add(store, audit, email, flags)
    else if (verb === 'invite' && email !== undefined && rest.length === 0)
      await invite(store, audit, await userOf(store, email))
    else if (verb === 'remove' && email !== undefined && rest.length === 0) await remove(store, audit, email)
    else throw new UsageError(usage, { command: 'user' })
  })
}

async function list(store: Store): Promise<void> {
  for (const account of await store.accounts.list())
    for (const member of await store.members.list(account.id)) {
      const words = member.roles.map(id => roles.find(role => role.id === id)?.word ?? id).join(', ')
      console.log(`${member.user.email}  ${words}  ${account.id}  ${signInOf(member.user)}`)
    }
}

function signInOf({ passwordHash, totp, oidcSubject, keyHash }: User): string {
  const ways = [
    passwordHash === undefined ? [] : [totp?.confirmed ? 'password and one-time code' : 'password'],
    oidcSubject === undefined ? [] : ['OIDC'],
    keyHash === undefined ? [] : ['key'],
  ].flat()
  return ways.join(', ') || 'invited'
}

async function add(
  store: Store,
  audit: SystemAudit,
  email: string,
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email)) throw new UsageError(`'${email}' is not an e-mail address`)
  const role = roles.find(({ word }) => word === flags.get('role'))
  if (role === undefined) throw new UsageError('--role is administrator, editor or analyst')
  const account = await accountOf(store, flags.get('account'))
  const known = await store.users.byEmail(email)
  const user = known ?? { id: newId(), email: email.toLowerCase() }
  const member = newMember(account.id, user.id, [role.id], Date.now())
  const before = await store.members.get(member.id)
  const change: AuditedChange & { accountId: string } = {
    action: before === undefined ? 'create' : 'update',
    resource: { kind: 'member', id: member.id },
    before: before === undefined ? null : memberToWire(before),
    after: memberToWire({ ...member, user }),
    accountId: account.id,
  }
  if (before !== undefined) await store.members.setRoles(member.id, member.roles, audit.entry(change))
  else if (known !== undefined) await store.members.insert(member, audit.entry(change))
  else await store.users.insert(user, member, audit.entry(change))
  if (known === undefined) await invite(store, audit, user)
  else console.log(`${user.email} is ${role.word} of account ${account.id}`)
}

async function accountOf(store: Store, id: string | undefined): Promise<{ readonly id: string }> {
  const accounts = await store.accounts.list()
  const account = id === undefined ? accounts[0] : accounts.find(known => known.id === id)
  if (account === undefined) throw new Error(`there is no account ${id ?? 'yet: start Sluice once'}`)
  return account
}

async function invite(store: Store, audit: SystemAudit, user: User): Promise<void> {
  const { invitation, path } = newInvitation(Date.now())
  const after = { email: user.email, expires_on: invitation.expiresOn }
  const resource = { kind: 'invitation', id: user.id }
  await store.users.update(
    user.id,
    { invitation },
    audit.entry({ action: 'create', resource, before: null, after }),
  )
  console.log(path)
  console.error(`${user.email} sets a password at this path of the dashboard until ${invitation.expiresOn}`)
}

async function remove(store: Store, audit: SystemAudit, email: string): Promise<void> {
  const user = await userOf(store, email)
  for (const { id, accountId, ...member } of await store.members.ofUser(user.id)) {
    const before = memberToWire({ id, accountId, ...member, user })
    const resource = { kind: 'member', id }
    await store.members.delete(
      id,
      audit.entry({ action: 'delete', resource, before, after: null, accountId }),
    )
  }
  console.log(`${user.email} is removed`)
}

async function userOf(store: Store, email: string): Promise<User> {
  const user = await store.users.byEmail(email)
  if (user === undefined) throw new Error(`there is no user ${email}; see \`npx sluice user list\``)
  return user
}
