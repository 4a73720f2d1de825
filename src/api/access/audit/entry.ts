import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { type Clock, timestampOf } from '../../../kit/clock.ts'
import { newId } from '../../../kit/ids.ts'
import { maskedDestination } from '../../../logpush/index.ts'
import { mayHoldCredential } from '../../../model/load-balancing.ts'
import type { Account, AuditEntry, Json, JsonObject, Zone } from '../../../model/resource.ts'
import { type Actor, actorOf } from '../auth.ts'

/** A change, as its route describes it. */
export interface AuditedChange {
  readonly action: 'create' | 'update' | 'delete' | 'roll'
  /**
   * `ruleset`, `list`, `list_item`, `zone`, `zone_setting`, `custom_certificate`, `origin_client_certificate`, `trust_store_certificate`, `url_normalization`, `managed_headers`, `account`, `token`, `user_key`, `member`, `invitation`, `session`, `user_sign_in`,
   * `custom_asset`, `leaked_credential_checks`, `leaked_credential_detection`, `custom_page`, `access_rule`, `ua_rule`, `lockdown`, the kinds of resources that are not enforced (src/coverage/kept/table.ts), `dns_record`, `dns_records` (a batch or an import), `notification_policy`, `notification_webhook`, `monitor`, `pool`, `load_balancer`, `shadow`, `what_if_sampling`, `logpush_job`, `logpush_replay` (`job/replay`), `log_redaction`, `logpull_retention`,
   * `instant_logs_session`, `crs_release`, `database`.
   */
  readonly resource: { readonly kind: string; readonly id: string }
  /** The resource in its wire form; null before a creation. */
  readonly before: unknown
  /** The same after the change; null after a deletion. */
  readonly after: unknown
  /** Account and zone of the change when the path does not name them: a new zone, a user's token. */
  readonly accountId?: string
  readonly zoneId?: string
}

/**
 * The audit trail entry for a change by this request. The store writes it in the transaction of the change. Secrets in
 * the values are masked.
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
    ...shownChange(change),
  }
}

/** The actor of a change without the API: the command line, or a start. */
export interface SystemActor {
  /** `cli:USER` or `start`. */
  readonly id: string
  /** `CLI` or `START`, instead of a method. */
  readonly means: string
  /** Words of the command without their arguments, such as `sluice zones add`. */
  readonly command: string
}

/** The entry for a change by a command or a start on the machine itself. */
export function systemAuditEntry(
  { id, means, command }: SystemActor,
  change: AuditedChange & { readonly accountId: string },
  nowMs: number,
): AuditEntry {
  return {
    id: newId(),
    accountId: change.accountId,
    ...(change.zoneId === undefined ? {} : { zoneId: change.zoneId }),
    at: timestampOf(nowMs),
    actor: { kind: 'system', id, ip: '' },
    action: change.action,
    resource: change.resource,
    method: means,
    path: command,
    ...shownChange(change),
  }
}

/** Both sides without secrets. The second one notes headers that changed in masked values only. */
function shownChange(change: AuditedChange): Pick<AuditEntry, 'before' | 'after'> {
  const before = withoutSecrets(change.before)
  const after = withoutSecrets(change.after)
  const isHidden =
    !isDeepStrictEqual(headerOf(change.before), headerOf(change.after)) &&
    isDeepStrictEqual(headerOf(before), headerOf(after))
  return {
    before,
    after: isHidden ? { ...(after as JsonObject), header_changed: 'in what is masked' } : after,
  }
}

function headerOf(value: unknown): unknown {
  return (value as { readonly header?: unknown } | null | undefined)?.header
}

/** A JSON copy with masked destinations and headers of monitors: wire forms contain no other secrets. */
function withoutSecrets(value: unknown): Json {
  if (value === undefined || value === null) return null
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (name === 'destination_conf' && typeof member === 'string') return maskedDestination(member)
    if (name === 'header' && typeof member === 'object' && member !== null) return maskedHeaders(member)
    return member
  })
  return JSON.parse(text) as Json
}

function maskedHeaders(headers: object): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name,
      !mayHoldCredential(name) ? values : Array.isArray(values) ? values.map(() => '***') : '***',
    ]),
  )
}
