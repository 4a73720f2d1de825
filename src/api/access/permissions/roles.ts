import type { Member, TokenPolicy } from '../../../model/resource.ts'
import { areaNames, type GroupScope, groupOf, type PermissionGroup, superAdministrator } from './groups.ts'
import { type Rights, rightsOf } from './rights.ts'

/** The rights of a member on an account. Ids are those of the roles at Cloudflare with the same rights. */
export interface Role {
  readonly id: string
  readonly name: string
  /** Name at the command line and in settings. */
  readonly word: 'administrator' | 'editor' | 'analyst'
  readonly description: string
  readonly groups: readonly PermissionGroup[]
}

/** Changes of members or tokens of an account give every right there: they are for administrators. */
const shared = areaNames.filter(area => area !== 'accountTokens' && area !== 'userTokens')

export const administrator: Role = {
  id: '33666b9c79b9a5273fc7344ff42f953d',
  name: superAdministrator.name,
  word: 'administrator',
  description: 'Can read and change everything in the account, its members and tokens included.',
  groups: [superAdministrator],
}

/** @source Cloudflare API, account roles: Super Administrator, Administrator, Administrator Read Only */
export const roles: readonly Role[] = [
  administrator,
  {
    id: '05784afa30c1afe1440e79d9351c7430',
    name: 'Editor',
    word: 'editor',
    description: 'Can read and change everything in the account but its members and tokens.',
    groups: shared.map(area => groupOf(area, area === 'account' ? 'read' : 'write')),
  },
  {
    id: 'f2b20eaa1a5d4af42b53ac16238c99c7',
    name: 'Analyst',
    word: 'analyst',
    description: 'Can read everything in the account but its tokens, and change nothing.',
    groups: shared.map(area => groupOf(area, 'read')),
  },
]

const byId: ReadonlyMap<string, Role> = new Map(roles.map(role => [role.id, role]))

export function roleById(id: string): Role | undefined {
  return byId.get(id)
}

/** The policies that the roles of a member stand for. */
export function policiesOf({
  id,
  accountId,
  roles: ids,
}: Pick<Member, 'id' | 'accountId' | 'roles'>): TokenPolicy[] {
  const account = `com.cloudflare.api.account.${accountId}`
  const groups = ids.flatMap(role => roleById(role)?.groups ?? [])
  return [
    { ...allowed(id, groups, 'account'), resources: { [account]: '*' } },
    {
      ...allowed(id, groups, 'zone'),
      resources: { [account]: { 'com.cloudflare.api.account.zone.*': '*' } },
    },
  ]
}

/** The rights of a user: those of each membership, and the user's own tokens. */
export function rightsOfUser(userId: string, memberships: readonly Member[]): Rights {
  return rightsOf(policiesOfUser(userId, memberships))
}

/** Of the roles, and for the user's own tokens. */
export function policiesOfUser(userId: string, memberships: readonly Member[]): readonly TokenPolicy[] {
  const own: TokenPolicy = {
    ...allowed(userId, [groupOf('userTokens', 'write')], 'user'),
    resources: { [`com.cloudflare.api.user.${userId}`]: '*' },
  }
  return [...memberships.flatMap(policiesOf), own]
}

function allowed(
  id: string,
  groups: readonly PermissionGroup[],
  scope: GroupScope,
): Pick<TokenPolicy, 'id' | 'effect' | 'permissionGroups'> {
  const permissionGroups = groups
    .filter(group => group.scopes.includes(scope))
    .map(group => ({ id: group.id }))
  return { id, effect: 'allow', permissionGroups }
}
