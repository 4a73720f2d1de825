import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { Account } from '../../model/resource.ts'
import { auditEntry } from '../access/audit/entry.ts'
import { credentialsOf } from '../access/auth.ts'
import { accountResource } from '../access/permissions/check.ts'
import { administrator, policiesOf } from '../access/permissions/roles.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf, requireAccount } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { apiLimits } from '../http/limits.ts'
import { nameTest, pageQuery } from '../http/list-query.ts'
import { strict } from '../http/schemas.ts'
import { newMember } from '../members/new-member.ts'
import { operationsOf } from '../openapi/operation.ts'
import { accountLimits } from './limits.ts'
import { accountSchema, accountToWire } from './wire.ts'

const listQuery = Type.Object({ ...pageQuery, name: Type.Optional(Type.String()) })

const operation = operationsOf('Accounts')
const described = {
  list: operation('listAccounts', 'List the accounts that the credentials can access', 'known', {
    result: Type.Array(accountSchema),
  }),
  get: operation('getAccount', 'Get an account', 'known', { result: accountSchema }),
  create: operation('createAccount', 'Create an account, with its maker as the administrator', 'known', {
    alsoNeeds: 'every permission on the first account',
    result: accountSchema,
    example: { name: 'Shop' },
  }),
  update: operation('updateAccount', 'Rename an account', ['account', 'write'], { result: accountSchema }),
}

const name = Type.String({ minLength: 1, maxLength: accountLimits.nameCharactersMax })
/** Cloudflare's kinds of accounts are one here, and there are no organizations above them. */
const createBody = Type.Object(
  {
    name,
    type: Type.Optional(Type.Enum(['standard', 'enterprise'])),
    unit: Type.Optional(Type.Object({ id: Type.Optional(Type.String({ maxLength: 100 })) })),
  },
  strict,
)

/** Clients send an account back as they got it. */
const updateBody = Type.Object({ name })

/** @source Cloudflare API, "Accounts"; the tenant API for their creation */
export function accountRoutes(app: Api, { store, clock }: Pick<ApiDeps, 'store' | 'clock'>): void {
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

  app.post('/accounts', { config: described.create, schema: { body: createBody } }, async request => {
    const { rights, userId, token } = credentialsOf(request)
    const accounts = await store.accounts.list()
    const whole = policiesOf({ id: '', accountId: accounts[0]?.id ?? '', roles: [administrator.id] })
    const user = token?.accountId === undefined ? await store.users.get(userId) : undefined
    if (user === undefined || rights.missing(whole, new Map()) !== undefined) throw refusal('noAccess')
    if (accounts.length >= accountLimits.accountsMax)
      throw refusal('tooManyAccounts', { limit: String(accountLimits.accountsMax) })
    const nowMs = clock.nowMs()
    const account: Account = { id: newId(), name: request.body.name, createdOn: timestampOf(nowMs) }
    const entry = auditEntry(request, {
      action: 'create',
      resource: { kind: 'account', id: account.id },
      before: null,
      after: accountToWire(account),
      // The first account stands for the installation.
      accountId: accounts[0]!.id,
    })
    await store.accounts.insert(account, entry, newMember(account.id, user.id, [administrator.id], nowMs))
    return success(accountToWire(account))
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

  const update = { config: described.update, onRequest: requireAccount(store), schema: { body: updateBody } }
  app.put('/accounts/:account_id', update, async request => {
    const before = accountOf(request)
    const account: Account = { ...before, name: request.body.name }
    const entry = auditEntry(request, {
      action: 'update',
      resource: { kind: 'account', id: account.id },
      before: accountToWire(before),
      after: accountToWire(account),
    })
    await store.accounts.rename(account.id, account.name, entry)
    return success(accountToWire(account))
  })
}
