import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { hashSecret, sameHash } from '../kit/secrets.ts'
import type { Store } from '../store/port.ts'
import { badHeader, type ErrorName, refusal } from './errors.ts'

/**
 * What an unknown token is answered depends on where it is used, as at Cloudflare: at the token check, at accounts
 * and zones themselves, or at what lies below them.
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
}

/**
 * A hook that lets in requests with a known token, or a user's e-mail and key. A request with both is judged by its
 * token alone. Secrets are compared as hashes, in constant time, and an unknown e-mail takes as long as a wrong key.
 */
export function authenticate(store: Store, at: AuthPlace): onRequestAsyncHookHandler {
  return async request => {
    const { authorization } = request.headers
    const actor =
      authorization === undefined
        ? await actorOfKey(store, request)
        : await actorOfToken(store, authorization, unknownToken[at])
    request.setDecorator('actor', actor)
  }
}

export function actorOf(request: FastifyRequest): Actor {
  return request.getDecorator<Actor>('actor')
}

/** RFC 6750, 2.1: `Bearer` and one token68. */
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i
const key = /^[A-Za-z0-9._~+/-]{1,512}=*$/
const email = /^[^\s@]{1,64}@[^\s@]{1,255}$/

async function actorOfToken(store: Store, header: string, unknown: ErrorName): Promise<Actor> {
  const token = bearer.exec(header)?.[1]
  if (token === undefined) throw badHeader('badAuthorization')
  const hash = hashSecret(token)
  const known = await store.tokens.byHash(hash)
  if (!sameHash(known?.hash ?? '', hash) || known === undefined) throw refusal(unknown)
  return { kind: 'token', id: known.id }
}

async function actorOfKey(store: Store, request: FastifyRequest): Promise<Actor> {
  const userEmail = request.headers['x-auth-email']
  const userKey = request.headers['x-auth-key']
  if (userEmail === undefined || userKey === undefined) throw refusal('noCredentials')
  if (typeof userEmail !== 'string' || !email.test(userEmail)) throw badHeader('badAuthEmail')
  if (typeof userKey !== 'string' || !key.test(userKey)) throw badHeader('badAuthKey')
  const user = await store.users.byEmail(userEmail.toLowerCase())
  if (!sameHash(user?.keyHash ?? '', hashSecret(userKey)) || user === undefined)
    throw refusal('unknownKeyPair')
  return { kind: 'user', id: user.id }
}
