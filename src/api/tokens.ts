import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { apiLimits } from '../kit/limits.ts'
import { hashSecret, newToken } from '../kit/secrets.ts'
import type { ApiToken, AuditEntry, TokenPolicy } from '../model/resource.ts'
import { auditEntry } from './audit.ts'
import { credentialsOf, tokenStatus } from './auth.ts'
import { type Api, accountOf, requireAccount } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { type Envelope, page, success } from './envelope.ts'
import { refusal } from './errors.ts'
import { pageQuery } from './list-query.ts'
import { permissionGroups } from './permissions-groups.ts'
import {
  readTokenBody,
  refuseBeyondAccount,
  resourceText,
  type TokenBody,
  tokenBody,
} from './tokens-input.ts'
import { groupToWire, scopeNames, tokenToWire } from './tokens-wire.ts'

interface TokenPath {
  Params: { readonly token_id: string }
}

const listQuery = Type.Object({ ...pageQuery, include_expired: Type.Optional(Type.Boolean()) })
const groupQuery = Type.Object({ name: Type.Optional(Type.String()), scope: Type.Optional(Type.String()) })

/** Whether the token that the request carries is good. A token is known where its owner is: user or account. */
export function tokenCheckRoutes(app: Api, { store, clock }: ApiDeps): void {
  app.get('/user/tokens/verify', async request => check(request, undefined))

  app.get('/accounts/:account_id/tokens/verify', { onRequest: requireAccount(store) }, async request =>
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
  tokenRoutes(app, '/user/tokens', deps, () => undefined)
}

/** Tokens that the account of the path owns. */
export function accountTokenRoutes(app: Api, deps: ApiDeps): void {
  tokenRoutes(app, '/tokens', deps, request => accountOf(request).id)
}

/** @param owner id of the account that owns the tokens; undefined: the user does */
function tokenRoutes(
  app: Api,
  base: string,
  deps: ApiDeps,
  owner: (request: FastifyRequest) => string | undefined,
): void {
  const { store, clock } = deps
  const toWire = (token: ApiToken) => tokenToWire(token, clock.nowMs())

  app.get(base, { schema: { querystring: listQuery } }, async request => {
    const { query } = request
    const now = clock.nowMs()
    const tokens = (await store.tokens.list()).filter(
      token =>
        isOwn(request, token) && (query.include_expired === true || tokenStatus(token, now) !== 'expired'),
    )
    if (query.direction === 'desc') tokens.reverse()
    return page(tokens, query.page ?? 1, query.per_page ?? apiLimits.perPageDefault, toWire)
  })

  const writes = { preValidation: takeNullsAway, schema: { body: tokenBody } }

  app.post(base, writes, async request => {
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
    return success({ ...toWire(token), value })
  })

  app.get(`${base}/permission_groups`, { schema: { querystring: groupQuery } }, async request => {
    const { name, scope } = request.query
    const { rights } = credentialsOf(request)
    const groups = permissionGroups.filter(
      group =>
        (name === undefined || group.name.toLowerCase() === name.toLowerCase()) &&
        (scope === undefined || group.scopes.some(own => scopeNames[own] === scope)) &&
        (owner(request) === undefined || !group.scopes.includes('user')),
    )
    return success(groups.map(group => groupToWire(group, rights.has(group.id))))
  })

  app.get<TokenPath>(`${base}/:token_id`, async request =>
    success(toWire(await find(request, request.params))),
  )

  app.put<TokenPath & { Body: TokenBody }>(`${base}/:token_id`, writes, async request => {
    const current = await find(request, request.params)
    const settings = readTokenBody(request.body, current)
    await requireWithin(request, settings.policies)
    const token = replaced(current, { ...settings, modifiedOn: timestampOf(clock.nowMs()) })
    await store.tokens.update(token, await audit(request, 'update', current, token))
    return success(toWire(token))
  })

  // Whoever gets the secret of a token can do what it can.
  app.put<TokenPath>(`${base}/:token_id/value`, async request => {
    const current = await find(request, request.params)
    await requireWithin(request, current.policies)
    const value = newToken()
    const token = { ...current, hash: hashSecret(value), modifiedOn: timestampOf(clock.nowMs()) }
    await store.tokens.update(token, await audit(request, 'roll', current, token))
    return success(value)
  })

  app.delete<TokenPath>(`${base}/:token_id`, async request => {
    const token = await find(request, request.params)
    const entry = await audit(request, 'delete', token, undefined)
    if (!(await store.tokens.delete(token.id, entry))) throw tokenNotFound(token.id)
    return success({ id: token.id })
  })

  function isOwn(request: FastifyRequest, token: ApiToken): boolean {
    const accountId = owner(request)
    if (accountId !== undefined) return token.accountId === accountId
    return token.accountId === undefined && token.userId === credentialsOf(request).userId
  }

  async function find(request: FastifyRequest, { token_id: id }: TokenPath['Params']): Promise<ApiToken> {
    const token = await store.tokens.get(id)
    if (token === undefined || !isOwn(request, token)) throw tokenNotFound(id)
    return token
  }

  /** Nobody gives what they do not have. */
  async function requireWithin(request: FastifyRequest, policies: readonly TokenPolicy[]): Promise<void> {
    const accountOfZone = new Map((await store.zones.list()).map(zone => [zone.id, zone.accountId]))
    const accountId = owner(request)
    if (accountId !== undefined) refuseBeyondAccount(policies, accountId, accountOfZone)
    const missing = credentialsOf(request).rights.missing(policies, accountOfZone)
    if (missing === undefined) return
    throw refusal('tokenBeyondMaker', { group: missing.group, resource: resourceText(missing.resource) })
  }

  /** What happens to a user's token is told in the first account: an installation has one. */
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

/** Terraform sends null for what was set and is not any more. */
async function takeNullsAway(request: FastifyRequest): Promise<void> {
  request.body = withoutNulls(request.body)
}

/** A copy whose objects have no members that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

/** What an update does not say is gone. */
function replaced(
  { id, hash, userId, accountId, createdOn, lastUsedOn }: ApiToken,
  settings: Omit<ApiToken, 'id' | 'hash' | 'userId' | 'createdOn'>,
): ApiToken {
  return {
    id,
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
