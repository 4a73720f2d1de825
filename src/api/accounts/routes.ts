import { Type } from '@fastify/type-provider-typebox'
import type { Store } from '../../store/port.ts'
import { credentialsOf } from '../access/auth.ts'
import { accountResource } from '../access/permissions/check.ts'
import { type Api, accountOf, requireAccount } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { apiLimits } from '../http/limits.ts'
import { nameTest, pageQuery } from '../http/list-query.ts'
import { operationsOf } from '../openapi/operation.ts'
import { accountSchema, accountToWire } from './wire.ts'

const listQuery = Type.Object({ ...pageQuery, name: Type.Optional(Type.String()) })

const operation = operationsOf('Accounts')
const described = {
  list: operation('listAccounts', 'List the accounts that the credentials can access', 'known', {
    result: Type.Array(accountSchema),
  }),
  get: operation('getAccount', 'Get an account', 'known', { result: accountSchema }),
}

export function accountRoutes(app: Api, { store }: { store: Store }): void {
  app.get('/accounts', { config: described.list, schema: { querystring: listQuery } }, async request => {
    const { query } = request
    const { rights, token } = credentialsOf(request)
    if (token?.accountId !== undefined) throw refusal('accountsOfAccountToken')
    const matches = query.name === undefined ? () => true : nameTest(query.name)
    const accounts = (await store.accounts.list()).filter(
      account => matches(account.name) && rights.reaches(accountResource(account.id)),
    )
    if (query.direction === 'desc') accounts.reverse()
    return page(accounts, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, accountToWire)
  })

  app.get(
    '/accounts/:account_id',
    { config: described.get, onRequest: requireAccount(store) },
    async request => {
      const account = accountOf(request)
      if (!credentialsOf(request).rights.reaches(accountResource(account.id))) throw refusal('noAccess')
      return success(accountToWire(account))
    },
  )
}
