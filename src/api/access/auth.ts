import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { CidrSet, parseCidr } from '../../kit/cidr.ts'
import { timestampOf } from '../../kit/clock.ts'
import { hashSecret, sameHash } from '../../kit/secrets.ts'
import type { ApiToken, TokenCondition, User } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import { badHeader, type ErrorName, refusal } from '../http/errors.ts'
import { type FailedSignIns, Refused } from './failed-sign-ins.ts'
import { accessLimits } from './limits.ts'
import { allRights, commonRights, type Rights, rightsOf } from './permissions/rights.ts'
import { rightsOfUser } from './permissions/roles.ts'
import { sessionOf } from './sign-in/find-session.ts'
import { requireOwnPage, sessionCookieOf } from './sign-in/session-cookie.ts'

/**
 * The kind of a route decides the refusal of an unknown token, as at Cloudflare: the token check; accounts, zones and
 * tokens themselves; or the routes below them.
 */
export type RouteKind = 'tokenCheck' | 'resource' | 'nested'

const unknownToken: Readonly<Record<RouteKind, ErrorName>> = {
  tokenCheck: 'tokenNotValid',
  resource: 'accessTokenNotValid',
  nested: 'notAuthenticated',
}

/** The actor of a request: a token, or the user of its key pair. */
export interface Actor {
  readonly kind: 'token' | 'user'
  readonly id: string
  /** Email of the user, or of the user who created the token. */
  readonly email?: string
}

/** The actor with its rights, for the hooks and routes of one request. */
export interface Credentials {
  readonly actor: Actor
  /** A user's token has the rights that both its policies and the roles of the user allow. */
  readonly rights: Rights
  /**
   * The rights of the token's policies; everything without a token. The user's own tokens may name more than the user has:
   * their use is limited.
   */
  readonly policyRights: Rights
  /** The user behind the credentials. */
  readonly userId: string
  /** The token itself, unless the request carries a key pair or the cookie of a session. */
  readonly token?: ApiToken
  /** Of the session whose cookie the request carries. */
  readonly sessionId?: string
  readonly at: RouteKind
}

/**
 * A hook that authenticates requests by a token, by the cookie of a session, or by a user's email and key. The first of
 * them decides if a request has several.
 * Failures are delayed by address. Secrets are compared as hashes in constant time, and an unknown email takes as long
 * as a wrong key. The token check accepts disabled and expired tokens, because it reports their status.
 */
export function authenticate(
  deps: ApiDeps,
  signIns: FailedSignIns,
  at: RouteKind,
): onRequestAsyncHookHandler {
  return async request => {
    const { authorization } = request.headers
    const cookie = sessionCookieOf(request)
    const credentials =
      authorization !== undefined
        ? await credentialsOfToken(deps, signIns, request, authorization, at)
        : cookie === undefined
          ? await credentialsOfKey(deps, signIns, request, at)
          : await credentialsOfSession(deps, request, cookie, at)
    request.setDecorator('actor', credentials.actor)
    request.setDecorator('credentials', credentials)
  }
}

/** The actor of the request; undefined before authentication. */
export function actorOf(request: FastifyRequest): Actor {
  return request.getDecorator<Actor>('actor')
}

export function credentialsOf(request: FastifyRequest): Credentials {
  return request.getDecorator<Credentials>('credentials')
}

/** Status of a token at a time, as the token check reports it. */
export function tokenStatus(token: ApiToken, nowMs: number): 'active' | 'disabled' | 'expired' {
  if (token.expiresOn !== undefined && Date.parse(token.expiresOn) <= nowMs) return 'expired'
  return token.status
}

/** RFC 6750, 2.1: `Bearer` and one token68. */
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i
const key = /^[A-Za-z0-9._~+/-]{1,512}=*$/
const email = /^[^\s@]{1,64}@[^\s@]{1,255}$/

async function credentialsOfToken(
  { store, clock }: ApiDeps,
  signIns: FailedSignIns,
  request: FastifyRequest,
  header: string,
  at: RouteKind,
): Promise<Credentials> {
  const secret = bearer.exec(header)?.[1]
  if (secret === undefined) throw badHeader('badAuthorization')
  const hash = hashSecret(secret)
  const nowMs = clock.nowMs()
  const token = await signIns.attempt(request, hash, async () => {
    const known = await store.tokens.byHash(hash)
    if (!sameHash(known?.hash ?? '', hash) || known === undefined)
      return new Refused('unknown_token', refusal(unknownToken[at]))
    const early = known.notBefore !== undefined && Date.parse(known.notBefore) > nowMs
    if (early || (at !== 'tokenCheck' && tokenStatus(known, nowMs) !== 'active'))
      return new Refused('inactive_token', refusal(unknownToken[at]))
    if (!admits(known.condition, request.ip))
      return new Refused('wrong_location', refusal('wrongLocation', { ip: request.ip }))
    return known
  })
  await remember(store, token, nowMs, request)
  const user = request.method === 'GET' ? undefined : await store.users.get(token.userId)
  const actor: Actor = { kind: 'token', id: token.id, ...(user === undefined ? {} : { email: user.email }) }
  const policyRights = rightsOf(token.policies)
  const rights = commonRights(policyRights, await rightsOfMaker(store, token))
  return { actor, rights, policyRights, userId: token.userId, token, at }
}

/** A token of an account outlives its maker, and one that was made before there were users has none. */
async function rightsOfMaker(store: ApiDeps['store'], { userId, accountId }: ApiToken): Promise<Rights> {
  if (accountId !== undefined || userId === '') return allRights
  return rightsOfUser(userId, await store.members.ofUser(userId))
}

/** `in` empty or absent admits every address that `not_in` does not name. */
function admits(condition: TokenCondition | undefined, ip: string): boolean {
  const { in: inside = [], notIn: outside = [] } = condition?.requestIp ?? {}
  return (inside.length === 0 || contains(inside, ip)) && !contains(outside, ip)
}

function contains(blocks: readonly string[], ip: string): boolean {
  return new CidrSet(blocks.map(block => parseCidr(block)).filter(block => block !== undefined)).has(ip)
}

/** Records the use of a token, at most once a minute. A failed record does not refuse the request. */
async function remember(
  store: ApiDeps['store'],
  token: ApiToken,
  nowMs: number,
  request: FastifyRequest,
): Promise<void> {
  const lastMs = token.lastUsedOn === undefined ? 0 : Date.parse(token.lastUsedOn)
  if (nowMs - lastMs < accessLimits.tokenUseNotedMs) return
  try {
    await store.tokens.touch(token.id, timestampOf(nowMs))
  } catch (error) {
    request.log.warn({ err: error, token: token.id }, 'the use of a token could not be recorded')
  }
}

async function credentialsOfKey(
  { store }: ApiDeps,
  signIns: FailedSignIns,
  request: FastifyRequest,
  at: RouteKind,
): Promise<Credentials> {
  const userEmail = request.headers['x-auth-email']
  const userKey = request.headers['x-auth-key']
  if (userEmail === undefined || userKey === undefined) throw refusal('noCredentials')
  if (typeof userEmail !== 'string' || !email.test(userEmail)) throw badHeader('badAuthEmail')
  if (typeof userKey !== 'string' || !key.test(userKey)) throw badHeader('badAuthKey')
  const name = userEmail.toLowerCase()
  const user = await signIns.attempt(request, hashSecret(`${name} ${userKey}`), async () => {
    const known = await store.users.byEmail(name)
    if (sameHash(known?.keyHash ?? '', hashSecret(userKey)) && known !== undefined) return known
    return new Refused('unknown_key_pair', refusal('unknownKeyPair'))
  })
  return credentialsOfUser(store, user, at)
}

/** Browsers send the cookie with every request: changes have to come from a page of Sluice. */
async function credentialsOfSession(
  { store, clock }: ApiDeps,
  request: FastifyRequest,
  secret: string,
  at: RouteKind,
): Promise<Credentials> {
  const found = await sessionOf({ store, clock }, request, secret)
  if (found === undefined) throw refusal('sessionEnded')
  if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnPage(request)
  return { ...(await credentialsOfUser(store, found.user, at)), sessionId: found.session.id }
}

async function credentialsOfUser(store: ApiDeps['store'], user: User, at: RouteKind): Promise<Credentials> {
  const rights = rightsOfUser(user.id, await store.members.ofUser(user.id))
  const actor: Actor = { kind: 'user', id: user.id, email: user.email }
  return { actor, rights, policyRights: allRights, userId: user.id, at }
}
