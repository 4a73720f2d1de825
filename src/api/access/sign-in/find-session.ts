import type { FastifyRequest } from 'fastify'
import { timestampOf } from '../../../kit/clock.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import type { Session, User } from '../../../model/resource.ts'
import type { ApiDeps } from '../../deps.ts'
import { sessionLimits } from '../limits.ts'

/** The session of a cookie and its user; undefined when it has ended, by time or otherwise. */
export async function sessionOf(
  { store, clock }: Pick<ApiDeps, 'store' | 'clock'>,
  request: FastifyRequest,
  secret: string,
): Promise<{ readonly session: Session; readonly user: User } | undefined> {
  const session = await store.sessions.byHash(hashSecret(secret))
  const nowMs = clock.nowMs()
  if (session === undefined || !isAlive(session, nowMs)) return undefined
  const user = await store.users.get(session.userId)
  if (user === undefined) return undefined
  if (nowMs - Date.parse(session.lastUsedOn) >= sessionLimits.useNotedMs)
    await store.sessions
      .touch(session.id, timestampOf(nowMs))
      .catch(error => request.log.warn({ err: error }, 'the use of a session could not be recorded'))
  return { session, user }
}

export function isAlive({ expiresOn, lastUsedOn }: Session, nowMs: number): boolean {
  return nowMs < Date.parse(expiresOn) && nowMs - Date.parse(lastUsedOn) < sessionLimits.idleMs
}
