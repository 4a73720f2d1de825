import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Store } from '../../store/port.ts'
import { credentialsOf } from '../access/auth.ts'
import { accountResource } from '../access/permissions/check.ts'
import { roles } from '../access/permissions/roles.ts'
import { type Api, accountOf, requireAccount } from '../http/context.ts'
import { type Envelope, page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery } from '../http/list-query.ts'
import { operationsOf } from '../openapi/operation.ts'
import { membershipSchema, membershipToWire, roleSchema, roleToWire, userSchema, userToWire } from './wire.ts'

const operation = operationsOf('Users')
const described = {
  user: operation('getUser', 'Get the user behind the credentials', 'known', { result: userSchema }),
  memberships: operation('listMemberships', 'List the accounts of the user', 'known', {
    result: Type.Array(membershipSchema),
  }),
  roles: operation('listRoles', 'List the roles of an account', 'known', { result: Type.Array(roleSchema) }),
  role: operation('getRole', 'Get a role of an account', 'known', { result: roleSchema }),
}

interface RolePath {
  Params: { readonly role_id: string }
}

/**
 * The user behind the credentials, their memberships, and the roles that there are.
 * @source Cloudflare API, "User", "Memberships", "Account roles"
 */
export function ownUserRoutes(app: Api, { store }: { readonly store: Store }): void {
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
    const user = token?.accountId === undefined ? await store.users.get(userId) : undefined
    if (user === undefined) throw refusal('noAccess')
    const accounts = new Map((await store.accounts.list()).map(account => [account.id, account]))
    const memberships = (await store.members.ofUser(userId)).filter(({ accountId }) =>
      rights.reaches(accountResource(accountId)),
    )
    return pageOf(memberships, request.query, member =>
      membershipToWire(member, user, accounts.get(member.accountId)!),
    )
  })

  const ofAccount = { onRequest: requireAccount(store), preHandler: requireReach }
  app.get('/accounts/:account_id/roles', { config: described.roles, schema, ...ofAccount }, async request =>
    pageOf(roles, request.query, roleToWire),
  )
  app.get<RolePath>(
    '/accounts/:account_id/roles/:role_id',
    { config: described.role, ...ofAccount },
    async ({ params }) => {
      const role = roles.find(({ id }) => id === params.role_id)
      if (role === undefined) throw refusal('roleNotFound', { id: params.role_id.slice(0, 32) })
      return success(roleToWire(role))
    },
  )
}

async function requireReach(request: FastifyRequest): Promise<void> {
  const account = accountResource(accountOf(request).id)
  if (!credentialsOf(request).rights.reaches(account)) throw refusal('noAccess')
}

function pageOf<T>(
  items: readonly T[],
  { page: number = 1, per_page: size = apiLimits.perPageDefault }: { page?: number; per_page?: number },
  toWire: (item: T) => unknown,
): Envelope {
  return page(items, number, size, toWire)
}
