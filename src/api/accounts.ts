import { Type } from '@fastify/type-provider-typebox'
import { apiLimits } from '../kit/limits.ts'
import type { Store } from '../store/port.ts'
import { accountToWire } from './account-wire.ts'
import { credentialsOf } from './auth.ts'
import { type Api, accountOf, requireAccount } from './context.ts'
import { page, success } from './envelope.ts'
import { refusal } from './errors.ts'
import { nameTest, pageQuery } from './list-query.ts'
import { accountPlace } from './permissions-check.ts'

const listQuery = Type.Object({ ...pageQuery, name: Type.Optional(Type.String()) })

export function accountRoutes(app: Api, { store }: { store: Store }): void {
  app.get('/accounts', { schema: { querystring: listQuery } }, async request => {
    const { query } = request
    const { rights, token } = credentialsOf(request)
    if (token?.accountId !== undefined) throw refusal('accountsOfAccountToken')
    const matches = query.name === undefined ? () => true : nameTest(query.name)
    const accounts = (await store.accounts.list()).filter(
      account => matches(account.name) && rights.reaches(accountPlace(account.id)),
    )
    if (query.direction === 'desc') accounts.reverse()
    return page(accounts, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, accountToWire)
  })

  app.get('/accounts/:account_id', { onRequest: requireAccount(store) }, async request => {
    const account = accountOf(request)
    if (!credentialsOf(request).rights.reaches(accountPlace(account.id))) throw refusal('noAccess')
    return success(accountToWire(account))
  })
}
