import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { User } from '../../../model/resource.ts'
import type { UserChanges } from '../../../store/port/people.ts'
import type { ApiDeps } from '../../deps.ts'
import type { Api } from '../../http/context.ts'
import { success } from '../../http/envelope.ts'
import { refusal } from '../../http/errors.ts'
import { id, idSchema, optional, strict } from '../../http/schemas.ts'
import { operationsOf } from '../../openapi/operation.ts'
import { auditEntry } from '../audit/entry.ts'
import { credentialsOf } from '../auth.ts'
import { policiesOfUser } from '../permissions/roles.ts'
import type { PasswordCheck } from './check-password.ts'
import { isAlive } from './find-session.ts'
import { newRecoveryCodes, newTotp, recoveryCodeHash, stepOf, totpUri } from './one-time-codes.ts'
import { hashPassword } from './passwords.ts'
import { anyPassword, newPassword } from './routes.ts'
import { clearSessionCookie } from './session-cookie.ts'
import { recoveryCodesSchema, sessionToWire, signInSchema, totpSchema, userSessionSchema } from './wire.ts'

const operation = operationsOf('Users')
const described = {
  get: operation('getOwnSignIn', 'Tell how the user can sign in', 'known', { result: signInSchema }),
  password: operation('setOwnPassword', 'Set the password of the user; other sessions end', 'known', {
    result: signInSchema,
  }),
  begin: operation('beginTwoFactor', 'Make the secret of an authenticator app', 'known', {
    result: totpSchema,
  }),
  confirm: operation('confirmTwoFactor', 'Require one-time codes from now on; other sessions end', 'known', {
    result: recoveryCodesSchema,
  }),
  end: operation('endTwoFactor', 'Require one-time codes no longer', 'known', { result: signInSchema }),
  sessions: operation('listSessions', 'List the sessions of the user', 'known', {
    result: Type.Array(userSessionSchema),
  }),
  endSession: operation('endSession', 'End a session; `current` signs out', 'known', { result: idSchema }),
}

const passwordBody = Type.Object({ current_password: optional(anyPassword), password: newPassword }, strict)
const proofBody = Type.Object({ password: anyPassword }, strict)
const codeBody = Type.Object({ code: Type.String({ pattern: '^\\d{6}$' }) }, strict)
const sessionPath = Type.Object({ session_id: Type.Union([id, Type.Literal('current')]) })

/**
 * How the user behind the credentials signs in. A token needs all rights of its user: with the password comes all that
 * the user may do.
 */
export function ownSignInRoutes(app: Api, { store, clock }: ApiDeps, passwords: PasswordCheck): void {
  app.get('/user/sign_in', { config: described.get }, async request =>
    success(await describe(await self(request))),
  )

  const password = { config: described.password, schema: { body: passwordBody } }
  app.put('/user/password', password, async request => {
    const user = await self(request)
    if (user.passwordHash !== undefined) await prove(request, user, request.body.current_password)
    else if (user.oidcSubject !== undefined) throw refusal('signsInAtProvider')
    const passwordHash = await hashPassword(request.body.password)
    await change(request, user, { passwordHash, invitation: null }, 'password')
    return success(await describe({ ...user, passwordHash }))
  })

  const begin = { config: described.begin, schema: { body: proofBody } }
  app.post('/user/two_factor_authentication', begin, async request => {
    const user = await self(request)
    await prove(request, user, request.body.password)
    const totp = newTotp()
    const resource = { kind: 'user_sign_in', id: user.id }
    const after = { changed: 'two_factor_authentication', two_factor_authentication: false }
    const entry = await audit(request, user, 'update', resource, null, after)
    if (!(await store.users.beginTotp(user.id, totp, entry))) throw refusal('hasSecondFactor')
    return success({ secret: totp.secret, uri: totpUri(totp, user.email) })
  })

  const confirm = { config: described.confirm, schema: { body: codeBody } }
  app.put('/user/two_factor_authentication', confirm, async request => {
    const user = await self(request)
    const { totp } = user
    if (totp === undefined || totp.confirmed) throw refusal('noSecondFactorBegun')
    const step = stepOf(totp, request.body.code, clock.nowMs())
    if (step === undefined || !(await store.users.takeTotpStep(user.id, step)))
      throw refusal('wrongCode', {}, '/code')
    const codes = newRecoveryCodes()
    const changes = { totp: { ...totp, confirmed: true }, recoveryCodes: codes.map(recoveryCodeHash) }
    await change(request, user, changes, 'two_factor_authentication')
    return success({ recovery_codes: codes })
  })

  const end = { config: { ...described.end, readsBody: true }, schema: { body: proofBody } }
  app.delete('/user/two_factor_authentication', end, async request => {
    const { totp: _, ...user } = await self(request)
    await prove(request, user, request.body.password)
    await change(request, user, { totp: null, recoveryCodes: [] }, 'two_factor_authentication')
    return success(await describe(user))
  })

  app.get('/user/sessions', { config: described.sessions }, async request => {
    const user = await self(request)
    const current = credentialsOf(request).sessionId
    const alive = (await store.sessions.ofUser(user.id)).filter(session => isAlive(session, clock.nowMs()))
    return success(alive.map(session => sessionToWire(session, current)))
  })

  const endSession = { config: described.endSession, schema: { params: sessionPath } }
  app.delete('/user/sessions/:session_id', endSession, async (request, reply) => {
    const user = await self(request)
    const current = credentialsOf(request).sessionId
    const { session_id: wanted } = request.params
    const ended = wanted === 'current' ? current : wanted
    const resource = { kind: 'session', id: ended ?? '' }
    const entry = await audit(request, user, 'delete', resource, { id: ended ?? '' }, null)
    if (ended === undefined || !(await store.sessions.delete(user.id, ended, entry)))
      throw refusal('userSessionNotFound', { id: wanted })
    if (ended === current) clearSessionCookie(request, reply)
    return success({ id: ended })
  })

  /** @throws ApiError 403 for credentials that may do less than the user */
  async function self(request: FastifyRequest): Promise<User> {
    const { userId, token, policyRights } = credentialsOf(request)
    const user = token?.accountId === undefined ? await store.users.get(userId) : undefined
    if (user === undefined) throw refusal('noAccess')
    const policies = policiesOfUser(userId, await store.members.ofUser(userId))
    const isBound = token?.condition !== undefined || token?.expiresOn !== undefined
    if (isBound || policyRights.missing(policies, new Map()) !== undefined) throw refusal('lessThanUser')
    return user
  }

  async function prove(request: FastifyRequest, user: User, password: string | undefined): Promise<void> {
    if (password === undefined)
      throw refusal('missingField', { field: 'current_password' }, '/current_password')
    await passwords.password(request, user.email, password)
  }

  /** A thief may hold another session. */
  async function change(
    request: FastifyRequest,
    user: User,
    changes: UserChanges,
    what: 'password' | 'two_factor_authentication',
  ): Promise<void> {
    const after = { ...user, ...changes } as User
    const shown = (of: User) => ({ changed: what, two_factor_authentication: of.totp?.confirmed === true })
    const resource = { kind: 'user_sign_in', id: user.id }
    await store.users.update(
      user.id,
      changes,
      await audit(request, user, 'update', resource, shown(user), shown(after)),
    )
    await store.sessions.deleteAll(user.id, credentialsOf(request).sessionId)
  }

  async function audit(
    request: FastifyRequest,
    user: User,
    action: 'update' | 'delete',
    resource: { readonly kind: string; readonly id: string },
    before: unknown,
    after: unknown,
  ) {
    const [membership] = await store.members.ofUser(user.id)
    return auditEntry(request, { action, resource, before, after, accountId: membership?.accountId ?? '' })
  }

  async function describe(user: User) {
    return {
      password: user.passwordHash !== undefined,
      two_factor_authentication: user.totp?.confirmed === true,
      recovery_codes: await store.users.recoveryCodes(user.id),
      identity_provider: user.oidcSubject !== undefined,
    }
  }
}
