import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { trialOf } from '../../alerts/index.ts'
import { idleInPolicy, type WithoutMeaning } from '../../coverage/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import {
  alertObjectives,
  alertTypeOf,
  type NotificationPolicy,
  type NotificationSetup,
} from '../../model/notification.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { pageQuery } from '../http/list-query.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { noteOf, requireEnforced } from '../kept-resources/not-enforced.ts'
import { notificationLimits } from './limits.ts'
import { notificationOperation as operation } from './operation.ts'
import { sendTrial } from './send-trial.ts'
import {
  type PolicyInput,
  policyBody,
  policyChange,
  policySchema,
  policyToWire,
  trialSchema,
} from './wire.ts'
import type { Changed, NotificationWrites } from './writes.ts'

const example = {
  name: 'Stopped jobs',
  enabled: true,
  alert_type: 'failing_logpush_job_disabled_alert',
  mechanisms: { email: [{ id: 'ops@example.com' }] },
}
const read = ['notifications', 'read'] as const
const write = ['notifications', 'write'] as const
const described = {
  list: operation('listNotificationPolicies', 'List the notification policies', read, {
    result: Type.Array(policySchema),
  }),
  create: operation('createNotificationPolicy', 'Create a notification policy', write, {
    result: idSchema,
    example,
  }),
  get: operation('getNotificationPolicy', 'Get a notification policy', read, { result: policySchema }),
  change: operation('updateNotificationPolicy', 'Change a notification policy', write, {
    result: idSchema,
  }),
  delete: operation('deleteNotificationPolicy', 'Delete a notification policy', write, { result: idSchema }),
  test: operation('testNotificationPolicy', 'Send a test to the receivers of a policy', write, {
    result: trialSchema,
  }),
}

interface Path {
  Params: { readonly policy_id: string }
}
const one = '/alerting/v3/policies/:policy_id'
const listQuery = Type.Object({ page: pageQuery.page, per_page: pageQuery.per_page })

/** @source Cloudflare API, notification policies; the test is Sluice's own */
export function policyRoutes(app: Api, deps: ApiDeps, writes: NotificationWrites): void {
  const policies = new Policies(deps)

  const list = { config: described.list, schema: { querystring: listQuery } }
  app.get('/alerting/v3/policies', list, async request => {
    const { policies } = await writes.read(request)
    const { page: number = 1, per_page: size = notificationLimits.policiesPerAccountMax } = request.query
    return page(policies, number, size, policyToWire)
  })

  const creation = { config: described.create, schema: { body: policyBody } }
  app.post('/alerting/v3/policies', creation, request =>
    writes.write(request, setup => {
      const limit = notificationLimits.policiesPerAccountMax
      if (setup.policies.length >= limit)
        throw refusal('tooManyNotifications', { limit: String(limit), kind: 'notification policies' })
      return policies.put(request, setup, request.body, undefined)
    }),
  )

  app.get<Path>(one, { config: described.get, onRequest: requireIds }, async request =>
    success(policyToWire(found(await writes.read(request), request.params.policy_id))),
  )

  const change = { config: described.change, onRequest: requireIds, schema: { body: policyChange } }
  app.put<Path>(one, change, request =>
    writes.write(request, setup => {
      const former = found(setup, request.params.policy_id)
      const { id, created, modified, ...members } = policyToWire(former)
      const input = { ...members, ...(request.body as Partial<PolicyInput>) } as PolicyInput
      return policies.put(request, setup, input, former)
    }),
  )

  app.delete<Path>(one, { config: described.delete, onRequest: requireIds }, request =>
    writes.write(request, setup => {
      const former = found(setup, request.params.policy_id)
      return {
        change: { kind: 'policy', id: former.id, stored: undefined },
        answer: success({ id: former.id }),
        audit: { action: 'delete', before: policyToWire(former), after: null },
      }
    }),
  )

  app.post<Path>(`${one}/test`, { config: described.test, onRequest: requireIds }, async request => {
    const { policies, webhooks } = await writes.read(request)
    const policy = found({ policies, webhooks }, request.params.policy_id)
    const notifications = trialOf(policy, timestampOf(deps.clock.nowMs()))
    const outcomes = notifications.map(async notification => {
      const { mechanism, mechanismType: mechanism_type } = notification
      const error = await sendTrial(deps, notification, webhooks)
      return { mechanism_type, mechanism, error: error ?? null }
    })
    return success(await Promise.all(outcomes))
  })
}

function found({ policies }: NotificationSetup, id: string): NotificationPolicy {
  const policy = policies.find(one => one.id === id)
  if (policy === undefined) throw refusal('notificationNotFound', { kind: 'notification policy', id })
  return policy
}

/** Checks and makes policies. */
class Policies {
  readonly #deps: ApiDeps

  constructor(deps: ApiDeps) {
    this.#deps = deps
  }

  async put(
    request: FastifyRequest,
    setup: NotificationSetup,
    input: PolicyInput,
    former: NotificationPolicy | undefined,
  ): Promise<Changed> {
    const policy = this.#made(accountOf(request).id, input, former)
    requireWebhooks(policy, setup)
    await this.#requireFilters(policy)
    const after = policyToWire(policy)
    const idle = this.#idle(policy, after as JsonObject)
    const messages = requireEnforced(idle, this.#deps.notEnforced)
    return {
      change: { kind: 'policy', id: policy.id, stored: policy },
      answer: success({ id: policy.id }, messages),
      audit: {
        action: former === undefined ? 'create' : 'update',
        before: former === undefined ? null : policyToWire(former),
        after: { ...after, ...(idle.length === 0 ? {} : { not_enforced: idle.map(noteOf) }) },
      },
    }
  }

  #made(
    accountId: string,
    { name, description, enabled, alert_type, alert_interval, filters, mechanisms }: PolicyInput,
    former: NotificationPolicy | undefined,
  ): NotificationPolicy {
    const now = timestampOf(this.#deps.clock.nowMs())
    return {
      id: former?.id ?? newId(),
      accountId,
      createdOn: former?.createdOn ?? now,
      modifiedOn: now,
      name,
      alertType: alert_type,
      enabled,
      mechanisms: withoutNulls(mechanisms),
      ...withoutNulls({ description, alertInterval: alert_interval }),
      ...(filters === undefined || filters === null
        ? {}
        : { filters: withoutNulls(filters) as Readonly<Record<string, readonly string[]>> }),
    }
  }

  #idle({ mechanisms }: NotificationPolicy, wire: JsonObject): readonly WithoutMeaning[] {
    if (this.#deps.sendsEmail || (mechanisms.email ?? []).length === 0) return idleInPolicy(wire)
    const why = 'this installation has no SMTP server; SLUICE_SMTP_URL names one'
    return [...idleInPolicy(wire), { pointer: '/mechanisms/email', what: 'the mechanism email', why }]
  }

  async #requireFilters({ accountId, alertType, filters }: NotificationPolicy): Promise<void> {
    const known = alertTypeOf(alertType)?.filters ?? []
    const zones = (known.includes('zones') && filters?.['zones']) || []
    for (const [at, value] of zones.entries()) {
      const zone = await this.#deps.store.zones.get(value)
      if (zone?.accountId !== accountId)
        throw badFilter(value, `/filters/zones/${at}`, 'the account has no such zone')
    }
    const objectives = (known.includes('slo') && filters?.['slo']) || []
    const wrong = objectives.findIndex(value => !(alertObjectives as readonly string[]).includes(value))
    if (wrong >= 0)
      throw badFilter(
        objectives[wrong]!,
        `/filters/slo/${wrong}`,
        `it has to be ${alertObjectives.join(' or ')}`,
      )
    if (objectives.length > 1) throw badFilter(objectives[1]!, '/filters/slo/1', 'there is one objective')
  }
}

function badFilter(value: string, pointer: string, reason: string): Error {
  return refusal('badValue', { value, field: pointer.split('/')[2]!, reason }, pointer)
}

function requireWebhooks({ mechanisms }: NotificationPolicy, { webhooks }: NotificationSetup): void {
  for (const [at, { id }] of (mechanisms.webhooks ?? []).entries()) {
    if (webhooks.some(webhook => webhook.id === id)) continue
    const reason = 'the account has no such webhook'
    throw refusal('badValue', { value: id, field: 'id', reason }, `/mechanisms/webhooks/${at}/id`)
  }
}

type Defined<T> = { readonly [K in keyof T]?: NonNullable<T[K]> }

/** Clients that write whole documents send null for members that are not set. */
function withoutNulls<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Defined<T>
}
