import type { FastifyReply, FastifyRequest } from 'fastify'
import { timestampOf } from '../../../kit/clock.ts'
import { newId } from '../../../kit/ids.ts'
import { hashSecret, newToken } from '../../../kit/secrets.ts'
import type { Session, User } from '../../../model/resource.ts'
import type { ApiDeps } from '../../deps.ts'
import { auditEntry } from '../audit/entry.ts'
import type { Actor } from '../auth.ts'
import { sessionLimits } from '../limits.ts'
import { setSessionCookie } from './session-cookie.ts'
import { sessionToWire } from './wire.ts'

/** Begins a session of a user who has proved to be that user, and gives the browser its cookie. */
export async function beginSession(
  { store, clock }: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  method: Session['method'],
): Promise<Session> {
  const secret = newToken()
  const nowMs = clock.nowMs()
  const now = timestampOf(nowMs)
  const session: Session = {
    id: newId(),
    hash: hashSecret(secret),
    userId: user.id,
    method,
    address: request.ip,
    agent: (request.headers['user-agent'] ?? '').slice(0, sessionLimits.agentCharactersKept),
    createdOn: now,
    lastUsedOn: now,
    expiresOn: timestampOf(nowMs + sessionLimits.lifeMs),
  }
  request.setDecorator<Actor>('actor', { kind: 'user', id: user.id, email: user.email })
  const [membership] = await store.members.ofUser(user.id)
  const entry = auditEntry(request, {
    action: 'create',
    resource: { kind: 'session', id: session.id },
    before: null,
    after: sessionToWire(session, session.id),
    accountId: membership?.accountId ?? '',
  })
  await store.sessions.insert(session, entry)
  setSessionCookie(request, reply, secret, sessionLimits.lifeMs)
  return session
}
