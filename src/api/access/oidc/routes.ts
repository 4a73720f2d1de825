import { Type } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDeps } from '../../deps.ts'
import type { Api } from '../../http/context.ts'
import { refusal } from '../../http/errors.ts'
import { optional } from '../../http/schemas.ts'
import { operationsOf } from '../../openapi/operation.ts'
import { oidcLimits } from '../limits.ts'
import { beginSession } from '../sign-in/begin-session.ts'
import { attributes, cookieOf, isSecure } from '../sign-in/session-cookie.ts'
import { type NoUser, userOfIdentity } from './find-user.ts'
import { OidcProvider, type OidcSetup, type Pending } from './provider.ts'

const operation = operationsOf('Users')
const seeOther = { 303: { description: 'Redirects the browser' } }
const described = {
  begin: operation('beginOidcSignIn', 'Lead the browser to the identity provider', 'open', {
    answers: seeOther,
  }),
  finish: operation('finishOidcSignIn', 'Sign in a browser that comes back from the provider', 'open', {
    answers: seeOther,
  }),
}

const callbackPath = '/client/v4/sign_in/oidc/callback'
const beginQuery = Type.Object({ to: optional(Type.String({ maxLength: oidcLimits.pathCharactersMax })) })

/** Sign-in at an identity provider. The browser carries the secrets of a pending sign-in in a cookie. */
export function oidcRoutes(app: Api, deps: ApiDeps): void {
  const { oidc } = deps
  const provider = oidc && new OidcProvider(oidc)

  const begin = { config: described.begin, schema: { querystring: beginQuery } }
  app.get('/sign_in/oidc', begin, async (request, reply) => {
    if (provider === undefined) throw refusal('noProvider')
    try {
      const { url, pending } = await provider.begin(`${originOf(request)}${callbackPath}`)
      setPending(request, reply, { ...pending, to: request.query.to ?? '/' })
      return await reply.redirect(url.href, 303)
    } catch (error) {
      return fail(request, reply, 'provider', error)
    }
  })

  app.get('/sign_in/oidc/callback', { config: described.finish }, async (request, reply) => {
    if (oidc === undefined || provider === undefined) throw refusal('noProvider')
    const pending = pendingOf(request)
    if (pending === undefined) return fail(request, reply, 'expired')
    try {
      return await finish(request, reply, oidc, provider, pending)
    } catch (error) {
      return fail(request, reply, 'provider', error)
    }
  })

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    { roles }: OidcSetup,
    from: OidcProvider,
    pending: Pending & { readonly to: string },
  ): Promise<FastifyReply> {
    const identity = await from.finish(new URL(`${originOf(request)}${request.url}`), pending)
    const user = await userOfIdentity(deps, request, identity, roles)
    if (typeof user === 'string') return fail(request, reply, user)
    clearPending(request, reply)
    await beginSession(deps, request, reply, user, 'oidc')
    return reply.redirect(isOwnPath(pending.to) ? pending.to : '/', 303)
  }

  /** The sign-in page tells the user; the log has the reason. */
  function fail(
    request: FastifyRequest,
    reply: FastifyReply,
    reason: NoUser | 'provider' | 'expired',
    error?: unknown,
  ): FastifyReply {
    deps.signInFailed('identity_provider')
    request.log.warn({ err: error, id: request.id, reason }, 'a sign-in at the identity provider failed')
    clearPending(request, reply)
    return reply.redirect(`/sign-in?failed=${reason}`, 303)
  }
}

function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`
}

const cookieName = 'sluice-oidc'

function setPending(
  request: FastifyRequest,
  reply: FastifyReply,
  pending: Pending & { readonly to: string },
): void {
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url')
  const age = Math.floor(oidcLimits.pendingMs / 1000)
  reply.header('set-cookie', `${nameFor(request)}=${value}; Max-Age=${age}; ${attributes(request, 'Lax')}`)
}

function clearPending(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', `${nameFor(request)}=; Max-Age=0; ${attributes(request, 'Lax')}`)
}

function pendingOf(request: FastifyRequest): (Pending & { readonly to: string }) | undefined {
  const value = cookieOf(request, nameFor(request))
  try {
    const read = JSON.parse(Buffer.from(value ?? '', 'base64url').toString()) as Pending & { to: string }
    return [read.state, read.nonce, read.verifier, read.to].every(part => typeof part === 'string')
      ? read
      : undefined
  } catch {
    return undefined
  }
}

function nameFor(request: FastifyRequest): string {
  return isSecure(request) ? `__Host-${cookieName}` : cookieName
}

/** A path of the dashboard, and no other site. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(path)
}
