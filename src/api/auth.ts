import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { CidrSet, parseCidr } from '../kit/cidr.ts'
import { timestampOf } from '../kit/clock.ts'
import { apiLimits } from '../kit/limits.ts'
import { hashSecret, sameHash } from '../kit/secrets.ts'
import type { ApiToken, TokenCondition } from '../model/resource.ts'
import type { ApiDeps } from './deps.ts'
import { badHeader, type ErrorName, refusal } from './errors.ts'
import { allRights, type Rights, rightsOf } from './permissions.ts'

/**
 * What an unknown token is answered depends on where it is used, as at Cloudflare: at the token check, at accounts,
 * zones and tokens themselves, or at what lies below them.
 */
export type AuthPlace = 'tokenCheck' | 'resource' | 'nested'

const unknownToken: Readonly<Record<AuthPlace, ErrorName>> = {
  tokenCheck: 'tokenNotValid',
  resource: 'accessTokenNotValid',
  nested: 'notAuthenticated',
}

/** Who makes the request: a token, or the user whose key it carries. */
export interface Actor {
  readonly kind: 'token' | 'user'
  readonly id: string
  /** Of the user; of the user who made the token. */
  readonly email?: string
}

/** The actor with what it may do; known to the hooks and routes of one request. */
export interface Credentials {
  readonly actor: Actor
  readonly rights: Rights
  /** The user behind the credentials. */
  readonly userId: string
  /** The token itself, unless the request carries a key pair. */
  readonly token?: ApiToken
  readonly at: AuthPlace
}

/**
 * A hook that lets in requests with a known token, or a user's e-mail and key. A request with both is judged by its
 * token alone. Secrets are compared as hashes, in constant time, and an unknown e-mail takes as long as a wrong key.
 * The token check lets in tokens that are disabled or expired, because it answers what they are.
 */
export function authenticate(deps: ApiDeps, at: AuthPlace): onRequestAsyncHookHandler {
  return async request => {
    const { authorization } = request.headers
    const credentials =
      authorization === undefined
        ? await credentialsOfKey(deps, request, at)
        : await credentialsOfToken(deps, request, authorization, at)
    request.setDecorator('actor', credentials.actor)
    request.setDecorator('credentials', credentials)
  }
}

/** Who made the request; undefined before it is known. */
export function actorOf(request: FastifyRequest): Actor {
  return request.getDecorator<Actor>('actor')
}

export function credentialsOf(request: FastifyRequest): Credentials {
  return request.getDecorator<Credentials>('credentials')
}

/** What a token is at a moment, as the token check answers it. */
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
  request: FastifyRequest,
  header: string,
  at: AuthPlace,
): Promise<Credentials> {
  const secret = bearer.exec(header)?.[1]
  if (secret === undefined) throw badHeader('badAuthorization')
  const hash = hashSecret(secret)
  const token = await store.tokens.byHash(hash)
  if (!sameHash(token?.hash ?? '', hash) || token === undefined) throw refusal(unknownToken[at])
  const nowMs = clock.nowMs()
  const early = token.notBefore !== undefined && Date.parse(token.notBefore) > nowMs
  if (early || (at !== 'tokenCheck' && tokenStatus(token, nowMs) !== 'active'))
    throw refusal(unknownToken[at])
  if (!admits(token.condition, request.ip)) throw refusal('wrongLocation', { ip: request.ip })
  await remember(store, token, nowMs, request)
  const user = request.method === 'GET' ? undefined : await store.users.get(token.userId)
  const actor: Actor = { kind: 'token', id: token.id, ...(user === undefined ? {} : { email: user.email }) }
  return { actor, rights: rightsOf(token.policies), userId: token.userId, token, at }
}

/** `in` empty or absent admits every address that `not_in` does not name. */
function admits(condition: TokenCondition | undefined, ip: string): boolean {
  const { in: inside = [], notIn: outside = [] } = condition?.requestIp ?? {}
  return (inside.length === 0 || contains(inside, ip)) && !contains(outside, ip)
}

function contains(blocks: readonly string[], ip: string): boolean {
  return new CidrSet(blocks.map(block => parseCidr(block)).filter(block => block !== undefined)).has(ip)
}

/** Notes the use of a token, at most once a minute; that it cannot be noted is no reason to refuse. */
async function remember(
  store: ApiDeps['store'],
  token: ApiToken,
  nowMs: number,
  request: FastifyRequest,
): Promise<void> {
  const lastMs = token.lastUsedOn === undefined ? 0 : Date.parse(token.lastUsedOn)
  if (nowMs - lastMs < apiLimits.tokenUseNotedMs) return
  try {
    await store.tokens.touch(token.id, timestampOf(nowMs))
  } catch (error) {
    request.log.warn({ err: error, token: token.id }, 'the use of a token could not be noted')
  }
}

async function credentialsOfKey(
  { store }: ApiDeps,
  request: FastifyRequest,
  at: AuthPlace,
): Promise<Credentials> {
  const userEmail = request.headers['x-auth-email']
  const userKey = request.headers['x-auth-key']
  if (userEmail === undefined || userKey === undefined) throw refusal('noCredentials')
  if (typeof userEmail !== 'string' || !email.test(userEmail)) throw badHeader('badAuthEmail')
  if (typeof userKey !== 'string' || !key.test(userKey)) throw badHeader('badAuthKey')
  const user = await store.users.byEmail(userEmail.toLowerCase())
  if (!sameHash(user?.keyHash ?? '', hashSecret(userKey)) || user === undefined)
    throw refusal('unknownKeyPair')
  const actor: Actor = { kind: 'user', id: user.id, email: user.email }
  return { actor, rights: allRights, userId: user.id, at }
}
