import { Type } from '@fastify/type-provider-typebox'
import type { Session } from '../../../model/resource.ts'
import { describedText, id, text, time, type Wire } from '../../http/schemas.ts'

export const userSessionSchema = Type.Object({
  id,
  method: Type.Enum(['password', 'oidc']),
  address: describedText('of the client that signed in'),
  agent: describedText('its User-Agent'),
  created_on: time,
  last_used_on: time,
  expires_on: time,
  current: Type.Boolean({ description: 'whether this request belongs to it' }),
})

export const signInSchema = Type.Object({
  password: Type.Boolean(),
  two_factor_authentication: Type.Boolean(),
  recovery_codes: Type.Integer({ description: 'that are left' }),
  identity_provider: Type.Boolean(),
})

export const waysSchema = Type.Object({
  password: Type.Boolean({ description: 'whether any user has a password' }),
  identity_provider: Type.Boolean({ description: 'whether an identity provider is configured' }),
  signed_in: Type.Boolean({ description: 'whether the cookie of this request belongs to a session' }),
})

export const totpSchema = Type.Object({
  secret: describedText('base32, for apps that read no QR code'),
  uri: describedText('`otpauth://…`, as a QR code'),
})

export const recoveryCodesSchema = Type.Object({
  recovery_codes: Type.Array(text, { description: 'single-use recovery codes, returned only once' }),
})

/** @param currentId of the session of the request */
export function sessionToWire(
  session: Session,
  currentId: string | undefined,
): Wire<typeof userSessionSchema> {
  return {
    id: session.id,
    method: session.method,
    address: session.address,
    agent: session.agent,
    created_on: session.createdOn,
    last_used_on: session.lastUsedOn,
    expires_on: session.expiresOn,
    current: session.id === currentId,
  }
}
