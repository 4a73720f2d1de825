import { Type } from '@fastify/type-provider-typebox'
import { idFromName } from '../../kit/ids.ts'
import type { Account } from '../../model/resource.ts'
import type { Store } from '../../store/port.ts'
import { credentialsOf } from '../access/auth.ts'
import { accountResource } from '../access/permissions/check.ts'
import { type Api, accountOf, requireAccount } from '../http/context.ts'
import { type Envelope, page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { id, nullable, text, type Wire } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { accountSchema, accountToWire } from './wire.ts'

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

export const roleSchema = Type.Object({ id, name: text, description: text, permissions: grants })

export const membershipSchema = Type.Object({
  id,
  status: Type.Literal('accepted'),
  account: accountSchema,
  api_access_enabled: Type.Boolean(),
  roles: Type.Array(text),
  permissions: grants,
})

const operation = operationsOf('Accounts')
const described = {
  user: operation('getUser', 'Get the user behind the credentials', 'known', { result: userSchema }),
  memberships: operation('listMemberships', 'List the accounts of the user', 'known', {
    result: Type.Array(membershipSchema),
  }),
  roles: operation('listRoles', 'List the roles of an account', 'known', { result: Type.Array(roleSchema) }),
}

const all = { read: true, write: true }
const everything: Wire<typeof grants> = {
  analytics: all,
  billing: all,
  cache_purge: all,
  dns: all,
  dns_records: all,
  lb: all,
  logs: all,
  organization: all,
  ssl: all,
  waf: all,
  zone_settings: all,
  zones: all,
}

/** The only role: rights are those of tokens. The id is Cloudflare's. */
const superAdministrator: Wire<typeof roleSchema> = {
  id: '33666b9c79b9a5273fc7344ff42f953d',
  name: 'Super Administrator - All Privileges',
  description: 'Can edit any Cloudflare setting, make purchases, update billing, and manage memberships.',
  permissions: everything,
}

/**
 * The user, the memberships and the roles, which clients read on their way and which cannot be changed here.
 * @source Cloudflare API, "User", "Memberships", "Account roles"
 */
export function memberRoutes(app: Api, { store }: { readonly store: Store }): void {
  app.get('/user', { config: described.user }, async request => {
    const { userId, token } = credentialsOf(request)
    const user = token?.accountId === undefined ? await store.users.get(userId) : undefined
    if (user === undefined) throw refusal('noAccess')
    return success(userToWire(user))
  })

  const schema = { querystring: Type.Object(pageQuery) }
  const list = { config: described.memberships, schema }
  app.get('/memberships', list, async request => {
    const { userId, rights, token } = credentialsOf(request)
    if (token?.accountId !== undefined) throw refusal('noAccess')
    const accounts = (await store.accounts.list()).filter(account =>
      rights.reaches(accountResource(account.id)),
    )
    return pageOf(accounts, request.query, account => membershipToWire(userId, account))
  })

  const roles = { config: described.roles, onRequest: requireAccount(store), schema }
  app.get('/accounts/:account_id/roles', roles, async request => {
    const account = accountResource(accountOf(request).id)
    if (!credentialsOf(request).rights.reaches(account)) throw refusal('noAccess')
    return pageOf([superAdministrator], request.query, role => role)
  })
}

function pageOf<T>(
  items: readonly T[],
  { page: number = 1, per_page: size = apiLimits.perPageDefault }: { page?: number; per_page?: number },
  toWire: (item: T) => unknown,
): Envelope {
  return page(items, number, size, toWire)
}

function userToWire(user: { readonly id: string; readonly email: string }): Wire<typeof userSchema> {
  return {
    id: user.id,
    email: user.email,
    first_name: null,
    last_name: null,
    country: null,
    telephone: null,
    zipcode: null,
    suspended: false,
    two_factor_authentication_enabled: false,
    two_factor_authentication_locked: false,
    has_pro_zones: false,
    has_business_zones: false,
    has_enterprise_zones: true,
    betas: [],
    organizations: [],
  }
}

function membershipToWire(userId: string, account: Account): Wire<typeof membershipSchema> {
  return {
    id: idFromName(`membership ${userId} ${account.id}`),
    status: 'accepted',
    account: accountToWire(account),
    api_access_enabled: true,
    roles: [superAdministrator.name],
    permissions: everything,
  }
}
