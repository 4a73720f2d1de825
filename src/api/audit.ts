import type { FastifyRequest } from 'fastify'
import { type Clock, timestampOf } from '../kit/clock.ts'
import { newId } from '../kit/ids.ts'
import { maskedDestination } from '../logpush/index.ts'
import type { Account, AuditEntry, Json, Zone } from '../model/resource.ts'
import { type Actor, actorOf } from './auth.ts'

/** One change, as the route that makes it tells it. */
export interface AuditedChange {
  readonly action: 'create' | 'update' | 'delete' | 'roll'
  /** `ruleset`, `list`, `list_item`, `zone`, `token`, `shadow`, `logpush_job`, `logpush_replay` (`job/replay`), `log_redaction`, `crs_release`. */
  readonly resource: { readonly kind: string; readonly id: string }
  /** The resource as the API shows it; null when there was or is none. */
  readonly before: unknown
  readonly after: unknown
  /** Where the change belongs when the path does not say: a zone that is just made, a user's token. */
  readonly accountId?: string
  readonly zoneId?: string
}

/**
 * The entry of the audit trail for a change that this request makes; given to the store call that makes it, so that
 * both are one transaction. Secrets in the values are masked.
 */
export function auditEntry(request: FastifyRequest, change: AuditedChange): AuditEntry {
  const zone = request.getDecorator<Zone | null>('zone')
  const account = request.getDecorator<Account | null>('account')
  const zoneId = change.zoneId ?? zone?.id
  const { kind, id, email } = actorOf(request)
  return {
    id: newId(),
    accountId: change.accountId ?? account?.id ?? zone?.accountId ?? '',
    ...(zoneId === undefined ? {} : { zoneId }),
    at: timestampOf(request.server.getDecorator<Clock>('clock').nowMs()),
    actor: { kind, id, ...(email === undefined ? {} : { email }), ip: request.ip } satisfies Actor & {
      ip: string
    },
    action: change.action,
    resource: change.resource,
    method: request.method,
    path: request.url.split('?', 1)[0]!,
    before: withoutSecrets(change.before),
    after: withoutSecrets(change.after),
  }
}

/** A copy as JSON, in which destinations have lost their credentials: nothing else that the API shows is a secret. */
function withoutSecrets(value: unknown): Json {
  if (value === undefined || value === null) return null
  const text = JSON.stringify(value, (name, member: unknown) =>
    name === 'destination_conf' && typeof member === 'string' ? maskedDestination(member) : member,
  )
  return JSON.parse(text) as Json
}
