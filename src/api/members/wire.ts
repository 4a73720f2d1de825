import { Type } from '@fastify/type-provider-typebox'
import type { Account, Member, User } from '../../model/resource.ts'
import type { MemberWithUser } from '../../store/port/people.ts'
import { type Role, roleById } from '../access/permissions/roles.ts'
import { accountSchema, accountToWire } from '../accounts/wire.ts'
import { describedText, id, nullable, optional, text, time, type Wire } from '../http/schemas.ts'

const grant = Type.Object({ read: Type.Boolean(), write: Type.Boolean() })
const grants = Type.Object({
  analytics: grant,
  billing: grant,
  cache_purge: grant,
  dns: grant,
  dns_records: grant,
  lb: grant,
  logs: grant,
  organization: grant,
  ssl: grant,
  waf: grant,
  zone_settings: grant,
  zones: grant,
})

export const roleSchema = Type.Object({ id, name: text, description: text, permissions: grants })

const status = Type.Enum(['accepted', 'pending'], {
  description: 'pending until the user has a password, a key or a sign-in at the identity provider',
})

export const membershipSchema = Type.Object({
  id,
  status,
  account: accountSchema,
  api_access_enabled: Type.Boolean(),
  roles: Type.Array(text),
  permissions: grants,
})

const person = Type.Object({
  id,
  email: text,
  first_name: nullable(text),
  last_name: nullable(text),
  two_factor_authentication_enabled: Type.Boolean(),
})

export const memberSchema = Type.Object({
  id,
  email: text,
  status,
  roles: Type.Array(roleSchema),
  user: person,
})

export const invitationSchema = Type.Object({
  secret: describedText('sets the password of the user, once; shown this once'),
  path: describedText('the page of the dashboard that takes the password, with the secret'),
  expires_on: time,
})

export const createdMemberSchema = Type.Object({
  ...memberSchema.properties,
  invitation: optional(invitationSchema),
})

export const userSchema = Type.Object({
  id,
  email: text,
  first_name: nullable(text),
  last_name: nullable(text),
  country: nullable(text),
  telephone: nullable(text),
  zipcode: nullable(text),
  suspended: Type.Boolean(),
  two_factor_authentication_enabled: Type.Boolean(),
  two_factor_authentication_locked: Type.Boolean(),
  has_pro_zones: Type.Boolean(),
  has_business_zones: Type.Boolean(),
  has_enterprise_zones: Type.Boolean(),
  betas: Type.Array(text),
  organizations: Type.Array(Type.Object({})),
})

export function roleToWire(role: Role): Wire<typeof roleSchema> {
  return { id: role.id, name: role.name, description: role.description, permissions: grantsOf([role]) }
}

export function memberToWire(member: MemberWithUser): Wire<typeof memberSchema> {
  return {
    id: member.id,
    email: member.user.email,
    status: statusOf(member.user),
    roles: rolesOf(member).map(roleToWire),
    user: {
      id: member.userId,
      email: member.user.email,
      first_name: null,
      last_name: null,
      two_factor_authentication_enabled: hasSecondFactor(member.user),
    },
  }
}

export function membershipToWire(
  member: Member,
  user: User,
  account: Account,
): Wire<typeof membershipSchema> {
  return {
    id: member.id,
    status: statusOf(user),
    account: accountToWire(account),
    api_access_enabled: true,
    roles: rolesOf(member).map(role => role.name),
    permissions: grantsOf(rolesOf(member)),
  }
}

export function userToWire(user: User): Wire<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    first_name: null,
    last_name: null,
    country: null,
    telephone: null,
    zipcode: null,
    suspended: false,
    two_factor_authentication_enabled: hasSecondFactor(user),
    two_factor_authentication_locked: false,
    has_pro_zones: false,
    has_business_zones: false,
    has_enterprise_zones: true,
    betas: [],
    organizations: [],
  }
}

function rolesOf(member: Member): readonly Role[] {
  return member.roles.map(roleById).filter(role => role !== undefined)
}

function statusOf({ keyHash, passwordHash, oidcSubject }: User): 'accepted' | 'pending' {
  return (keyHash ?? passwordHash ?? oidcSubject) === undefined ? 'pending' : 'accepted'
}

function hasSecondFactor({ totp }: User): boolean {
  return totp?.confirmed === true
}

/** In Cloudflare's coarse terms. Billing and the organization are the administrator's. */
function grantsOf(own: readonly Role[]): Wire<typeof grants> {
  const has = (word: Role['word']) => own.some(role => role.word === word)
  const all = { read: has('administrator'), write: has('administrator') }
  const most = { read: own.length > 0, write: all.write || has('editor') }
  return {
    analytics: most,
    billing: all,
    cache_purge: most,
    dns: most,
    dns_records: most,
    lb: most,
    logs: most,
    organization: { read: own.length > 0, write: all.write },
    ssl: most,
    waf: most,
    zone_settings: most,
    zones: most,
  }
}
