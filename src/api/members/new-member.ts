import { timestampOf } from '../../kit/clock.ts'
import { idFromName } from '../../kit/ids.ts'
import { hashSecret, newToken } from '../../kit/secrets.ts'
import type { Invitation, Member } from '../../model/resource.ts'
import { memberLimits } from './limits.ts'

export function newMember(
  accountId: string,
  userId: string,
  roles: readonly string[],
  nowMs: number,
): Member {
  const id = idFromName(`membership ${userId} ${accountId}`)
  return { id, accountId, userId, roles, createdOn: timestampOf(nowMs) }
}

/** An invitation to store, with the secret that its user alone gets. */
export function newInvitation(nowMs: number): {
  readonly invitation: Invitation
  readonly secret: string
  /** Of the dashboard. Browsers send no fragment to servers. */
  readonly path: string
} {
  const secret = newToken()
  const expiresOn = timestampOf(nowMs + memberLimits.invitationMs)
  return { invitation: { hash: hashSecret(secret), expiresOn }, secret, path: `/invitation#${secret}` }
}
