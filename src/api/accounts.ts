import { Type } from '@fastify/type-provider-typebox'
import { apiLimits } from '../kit/limits.ts'
import type { Store } from '../store/port.ts'
import { accountToWire } from './account-wire.ts'
import { type Api, accountOf, requireAccount } from './context.ts'
import { page, success } from './envelope.ts'
import { nameTest, pageQuery } from './list-query.ts'

const listQuery = Type.Object({ ...pageQuery, name: Type.Optional(Type.String()) })

export function accountRoutes(app: Api, { store }: { store: Store }): void {
  app.get('/accounts', { schema: { querystring: listQuery } }, async ({ query }) => {
    const matches = query.name === undefined ? () => true : nameTest(query.name)
    const accounts = (await store.accounts.list()).filter(account => matches(account.name))
    if (query.direction === 'desc') accounts.reverse()
    return page(accounts, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, accountToWire)
  })

  app.get('/accounts/:account_id', { onRequest: requireAccount(store) }, async request =>
    success(accountToWire(accountOf(request))),
  )
}
