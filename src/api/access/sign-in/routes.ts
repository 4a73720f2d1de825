import { Type } from '@fastify/type-provider-typebox'
import { timestampOf } from '../../../kit/clock.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import type { ApiDeps } from '../../deps.ts'
import type { Api } from '../../http/context.ts'
import { success } from '../../http/envelope.ts'
import { refusal } from '../../http/errors.ts'
import { optional, strict } from '../../http/schemas.ts'
import { memberLimits } from '../../members/limits.ts'
import { operationsOf } from '../../openapi/operation.ts'
import { auditEntry } from '../audit/entry.ts'
import type { Actor } from '../auth.ts'
import { type FailedSignIns, Refused } from '../failed-sign-ins.ts'
import { passwordLimits } from '../limits.ts'
import { beginSession } from './begin-session.ts'
import type { PasswordCheck } from './check-password.ts'
import { sessionOf } from './find-session.ts'
import { hashPassword } from './passwords.ts'
import { requireOwnPage, sessionCookieOf } from './session-cookie.ts'
import { sessionToWire, userSessionSchema, waysSchema } from './wire.ts'

const operation = operationsOf('Users')
const described = {
  ways: operation('getSignInWays', 'Tell how users can sign in', 'open', { result: waysSchema }),
  signIn: operation('signIn', 'Sign in; the session is a cookie', 'open', {
    result: userSessionSchema,
  }),
  accept: operation('acceptInvitation', 'Set a password by an invitation, and sign in', 'open', {
    result: userSessionSchema,
  }),
}

export const newPassword = Type.String({
  minLength: passwordLimits.charactersMin,
  maxLength: passwordLimits.charactersMax,
})
export const anyPassword = Type.String({ minLength: 1, maxLength: passwordLimits.charactersMax })
const email = Type.String({ maxLength: memberLimits.emailCharactersMax })
const code = Type.String({ minLength: 1, maxLength: passwordLimits.codeCharactersMax })
const signInBody = Type.Object({ email, password: anyPassword, code: optional(code) }, strict)
const acceptBody = Type.Object({ secret: Type.String({ maxLength: 256 }), password: newPassword }, strict)

/** Sign-in of users on browsers. Programs use tokens. */
export function signInRoutes(
  app: Api,
  deps: ApiDeps,
  signIns: FailedSignIns,
  passwords: PasswordCheck,
): void {
  const { store, clock, oidc } = deps
  app.get('/sign_in', { config: described.ways }, async request => {
    const cookie = sessionCookieOf(request)
    return success({
      password: await store.users.anyHasPassword(),
      identity_provider: oidc !== undefined,
      signed_in: cookie !== undefined && (await sessionOf(deps, request, cookie)) !== undefined,
    })
  })

  app.post('/sign_in', { config: described.signIn, schema: { body: signInBody } }, async (request, reply) => {
    requireOwnPage(request)
    const { body } = request
    const user = await passwords.password(request, body.email, body.password)
    await passwords.secondFactor(request, user, body.code)
    const session = await beginSession(deps, request, reply, user, 'password')
    return success(sessionToWire(session, session.id))
  })

  const accept = { config: described.accept, schema: { body: acceptBody } }
  app.post('/sign_in/invitation', accept, async (request, reply) => {
    requireOwnPage(request)
    const hash = hashSecret(request.body.secret)
    const user = await signIns.attempt(request, hash, async () => {
      const invited = await store.users.byInvitation(hash)
      const isValid =
        invited?.invitation !== undefined && invited.invitation.expiresOn > timestampOf(clock.nowMs())
      return isValid ? invited : new Refused('unknown_invitation', refusal('unknownInvitation'))
    })
    const passwordHash = await hashPassword(request.body.password)
    request.setDecorator<Actor>('actor', { kind: 'user', id: user.id, email: user.email })
    const [membership] = await store.members.ofUser(user.id)
    const entry = auditEntry(request, {
      action: 'update',
      resource: { kind: 'user_sign_in', id: user.id },
      before: { two_factor_authentication: user.totp?.confirmed === true },
      after: { changed: 'password', two_factor_authentication: false },
      accountId: membership?.accountId ?? '',
    })
    // The same invitation may have been accepted meanwhile.
    if (!(await store.users.acceptInvitation(user.id, hash, passwordHash, entry)))
      throw refusal('unknownInvitation')
    const session = await beginSession(deps, request, reply, user, 'password')
    return success(sessionToWire(session, session.id))
  })
}
