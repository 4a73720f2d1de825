import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { timestampOf } from '../../../kit/clock.ts'
import { newId } from '../../../kit/ids.ts'
import { hashSecret, newToken } from '../../../kit/secrets.ts'
import type { ApiToken, AuditEntry, TokenPolicy } from '../../../model/resource.ts'
import type { Revised } from '../../../store/port/basis.ts'
import type { ApiDeps } from '../../deps.ts'
import { type Api, accountOf, requireAccount } from '../../http/context.ts'
import { type Envelope, page, success } from '../../http/envelope.ts'
import { refusal } from '../../http/errors.ts'
import { KeyedQueue } from '../../http/keyed-queue.ts'
import { apiLimits } from '../../http/limits.ts'
import { pageQuery } from '../../http/list-query.ts'
import { idSchema } from '../../http/schemas.ts'
import { type OperationDetails, operationsOf } from '../../openapi/operation.ts'
import { auditEntry } from '../audit/entry.ts'
import { credentialsOf, tokenStatus } from '../auth.ts'
import { allGroups, type Level } from '../permissions/groups.ts'
import { readTokenBody, refuseBeyondAccount, resourceText, type TokenBody, tokenBody } from './input.ts'
import {
  createdTokenSchema,
  groupToWire,
  ineffectiveGroups,
  permissionGroupSchema,
  scopeNames,
  tokenSchema,
  tokenStatusSchema,
  tokenToWire,
  tokenValueSchema,
} from './wire.ts'

interface TokenPath {
  Params: { readonly token_id: string }
}

const listQuery = Type.Object({ ...pageQuery, include_expired: Type.Optional(Type.Boolean()) })
const groupQuery = Type.Object({ name: Type.Optional(Type.String()), scope: Type.Optional(Type.String()) })

const operation = operationsOf('Tokens')

/** Users and accounts own tokens; both have the same routes. */
function operationsAt(at: 'User' | 'Account') {
  const owner = at === 'User' ? 'the user' : 'an account'
  const area = at === 'User' ? 'userTokens' : 'accountTokens'
  const one = (
    name: string,
    summary: string,
    level: Level,
    result: TSchema,
    details: OperationDetails = {},
  ) => operation(name.replace('Token', `${at}Token`), summary, [area, level], { result, ...details })
  return {
    list: one('listTokens', `List the tokens of ${owner}`, 'read', Type.Array(tokenSchema)),
    create: one(
      'createToken',
      `Create a token of ${owner}; only this response has its value`,
      'write',
      createdTokenSchema,
      at === 'User' ? { example: exampleToken } : {},
    ),
    groups: one(
      'listTokenPermissionGroups',
      'List the permission groups',
      'read',
      Type.Array(permissionGroupSchema),
    ),
    get: one('getToken', `Get a token of ${owner}`, 'read', tokenSchema),
    update: one('updateToken', `Replace the settings of a token of ${owner}`, 'write', tokenSchema),
    delete: one('deleteToken', `Delete a token of ${owner}`, 'write', idSchema),
    roll: one('rollToken', `Give a token of ${owner} a new value`, 'write', tokenValueSchema),
  }
}

const exampleToken = {
  name: 'terraform',
  policies: [
    {
      effect: 'allow',
      permission_groups: [{ id: 'fb6778dc191143babbfaa57993f1d275', name: 'Zone WAF Write' }],
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
    },
  ],
  expires_on: '2035-01-01T00:00:00Z',
  condition: { request_ip: { in: ['192.0.2.0/24'] } },
}

const verified = {
  user: operation('verifyUserToken', 'Verify the token of this request', 'known', {
    result: tokenStatusSchema,
  }),
  account: operation('verifyAccountToken', 'Verify the account’s token of this request', 'known', {
    result: tokenStatusSchema,
  }),
}

/** Verifies the token of the request, at its owner: user or account. */
export function tokenCheckRoutes(app: Api, { store, clock }: ApiDeps): void {
  app.get('/user/tokens/verify', { config: verified.user }, async request => check(request, undefined))

  const ofAccount = { config: verified.account, onRequest: requireAccount(store) }
  app.get('/accounts/:account_id/tokens/verify', ofAccount, async request =>
    check(request, accountOf(request).id),
  )

  function check(request: FastifyRequest, accountId: string | undefined): Envelope {
    const { token } = credentialsOf(request)
    if (token === undefined || token.accountId !== accountId) throw refusal('tokenNotValid')
    const status = tokenStatus(token, clock.nowMs())
    const result = {
      id: token.id,
      status,
      ...(token.notBefore === undefined ? {} : { not_before: token.notBefore }),
      ...(token.expiresOn === undefined ? {} : { expires_on: token.expiresOn }),
    }
    if (status !== 'active') return success(result)
    return success(result, [{ code: 10000, message: 'This API Token is valid and active', type: null }])
  }
}

/** Tokens of the user behind the credentials. */
export function userTokenRoutes(app: Api, deps: ApiDeps): void {
  tokenRoutes(app, 'User', deps, () => undefined)
}

/** Tokens that the account of the path owns. */
export function accountTokenRoutes(app: Api, deps: ApiDeps): void {
  tokenRoutes(app, 'Account', deps, request => accountOf(request).id)
}

/** @param owner id of the account that owns the tokens; undefined: the user does */
function tokenRoutes(
  app: Api,
  at: 'User' | 'Account',
  deps: ApiDeps,
  owner: (request: FastifyRequest) => string | undefined,
): void {
  const { store, clock } = deps
  const base = at === 'User' ? '/user/tokens' : '/tokens'
  const described = operationsAt(at)
  const writes = new KeyedQueue()
  const toWire = (token: ApiToken) => tokenToWire(token, clock.nowMs())

  app.get(base, { config: described.list, schema: { querystring: listQuery } }, async request => {
    const { query } = request
    const now = clock.nowMs()
    const tokens = (await store.tokens.list()).filter(
      token =>
        isOwn(request, token) && (query.include_expired === true || tokenStatus(token, now) !== 'expired'),
    )
    if (query.direction === 'desc') tokens.reverse()
    return page(tokens, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, toWire)
  })

  const withBody = { preValidation: removeNulls, schema: { body: tokenBody } }

  app.post(base, { config: described.create, ...withBody }, async request => {
    const settings = readTokenBody(request.body)
    await requireWithin(request, settings.policies)
    const value = newToken()
    const now = timestampOf(clock.nowMs())
    const accountId = owner(request)
    const token: ApiToken = {
      id: newId(),
      hash: hashSecret(value),
      userId: credentialsOf(request).userId,
      ...(accountId === undefined ? {} : { accountId }),
      createdOn: now,
      modifiedOn: now,
      ...settings,
    }
    await store.tokens.insert(token, await audit(request, 'create', undefined, token))
    return success({ ...toWire(token), value }, ineffectiveGroups(token.policies))
  })

  app.get(
    `${base}/permission_groups`,
    { config: described.groups, schema: { querystring: groupQuery } },
    async request => {
      const { name, scope } = request.query
      const { rights } = credentialsOf(request)
      const groups = allGroups.filter(
        group =>
          (name === undefined || group.name.toLowerCase() === name.toLowerCase()) &&
          (scope === undefined || group.scopes.some(own => scopeNames[own] === scope)) &&
          (owner(request) === undefined || !group.scopes.includes('user')),
      )
      return success(groups.map(group => groupToWire(group, rights.has(group.id))))
    },
  )

  app.get<TokenPath>(`${base}/:token_id`, { config: described.get }, async request =>
    success(toWire(await find(request, request.params))),
  )

  app.put<TokenPath & { Body: TokenBody }>(
    `${base}/:token_id`,
    { config: described.update, ...withBody },
    async request => {
      return writes.write(request.params.token_id, async () => {
        const current = await find(request, request.params)
        const settings = readTokenBody(request.body, current)
        await requireNoMore(request, current.policies)
        await requireWithin(request, settings.policies)
        const token = replaced(current, { ...settings, modifiedOn: timestampOf(clock.nowMs()) })
        await store.tokens.update(token, await audit(request, 'update', current, token))
        return success(toWire(token), ineffectiveGroups(token.policies))
      })
    },
  )

  app.put<TokenPath>(`${base}/:token_id/value`, { config: described.roll }, async request => {
    return writes.write(request.params.token_id, async () => {
      const current = await find(request, request.params)
      await requireNoMore(request, current.policies)
      const value = newToken()
      const token = { ...current, hash: hashSecret(value), modifiedOn: timestampOf(clock.nowMs()) }
      await store.tokens.update(token, await audit(request, 'roll', current, token))
      return success(value)
    })
  })

  app.delete<TokenPath>(`${base}/:token_id`, { config: described.delete }, async request => {
    return writes.write(request.params.token_id, async () => {
      const token = await find(request, request.params)
      await requireNoMore(request, token.policies)
      const entry = await audit(request, 'delete', token, undefined)
      await store.tokens.delete(token.id, entry, token.revision)
      return success({ id: token.id })
    })
  })

  function isOwn(request: FastifyRequest, token: ApiToken): boolean {
    const accountId = owner(request)
    if (accountId !== undefined) return token.accountId === accountId
    return token.accountId === undefined && token.userId === credentialsOf(request).userId
  }

  async function find(
    request: FastifyRequest,
    { token_id: id }: TokenPath['Params'],
  ): Promise<Revised<ApiToken>> {
    const token = await store.tokens.get(id)
    if (token === undefined || !isOwn(request, token)) throw tokenNotFound(id)
    return token
  }

  /** Credentials can grant only permissions that they have. */
  async function requireWithin(request: FastifyRequest, policies: readonly TokenPolicy[]): Promise<void> {
    const accountId = owner(request)
    if (accountId !== undefined) refuseBeyondAccount(policies, accountId, await accountsOfZones())
    await requireNoMore(request, policies)
  }

  /** Credentials cannot change, roll or delete a token with more permissions. */
  async function requireNoMore(request: FastifyRequest, policies: readonly TokenPolicy[]): Promise<void> {
    const { rights, policyRights } = credentialsOf(request)
    const own = owner(request) === undefined ? policyRights : rights
    const missing = own.missing(policies, await accountsOfZones())
    if (missing === undefined) return
    throw refusal('tokenBeyondMaker', { group: missing.group, resource: resourceText(missing.resource) })
  }

  async function accountsOfZones(): Promise<ReadonlyMap<string, string>> {
    return new Map((await store.zones.list()).map(zone => [zone.id, zone.accountId]))
  }

  /** Changes of a user's token are recorded in the first account: an installation has one. */
  async function audit(
    request: FastifyRequest,
    action: 'create' | 'update' | 'delete' | 'roll',
    before: ApiToken | undefined,
    after: ApiToken | undefined,
  ): Promise<AuditEntry> {
    const accountId = owner(request) ?? (await store.accounts.list())[0]?.id ?? ''
    return auditEntry(request, {
      action,
      resource: { kind: 'token', id: (after ?? before)?.id ?? '' },
      before: before === undefined ? null : toWire(before),
      after: after === undefined ? null : toWire(after),
      accountId,
    })
  }
}

/** Terraform sends null for members that are no longer set. */
async function removeNulls(request: FastifyRequest): Promise<void> {
  request.body = withoutNulls(request.body)
}

/** A copy whose objects have no members that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

/** Members that an update omits are removed. */
function replaced(
  { id, hash, userId, accountId, createdOn, lastUsedOn, revision }: Revised<ApiToken>,
  settings: Omit<ApiToken, 'id' | 'hash' | 'userId' | 'createdOn'>,
): Revised<ApiToken> {
  return {
    id,
    revision,
    hash,
    userId,
    ...(accountId === undefined ? {} : { accountId }),
    createdOn,
    ...(lastUsedOn === undefined ? {} : { lastUsedOn }),
    ...settings,
  }
}

function tokenNotFound(id: string): Error {
  return refusal('tokenNotFound', { id: id.slice(0, 32) })
}
