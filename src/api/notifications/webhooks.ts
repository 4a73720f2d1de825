import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { webhookTrialOf } from '../../alerts/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import { newId } from '../../kit/ids.ts'
import type { NotificationSetup, NotificationWebhook } from '../../model/notification.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { page, success } from '../http/envelope.ts'
import { refusal } from '../http/errors.ts'
import { pageQuery } from '../http/list-query.ts'
import { requireIds } from '../http/path-ids.ts'
import { idSchema } from '../http/schemas.ts'
import { notificationLimits } from './limits.ts'
import { notificationOperation as operation } from './operation.ts'
import { sendTrial } from './send-trial.ts'
import { type WebhookInput, webhookBody, webhookSchema, webhookToWire } from './wire.ts'
import type { Changed, NotificationWrites } from './writes.ts'

const read = ['notifications', 'read'] as const
const write = ['notifications', 'write'] as const
const described = {
  list: operation('listNotificationWebhooks', 'List the webhooks', read, {
    result: Type.Array(webhookSchema),
  }),
  create: operation('createNotificationWebhook', 'Create a webhook', write, { result: idSchema }),
  get: operation('getNotificationWebhook', 'Get a webhook', read, { result: webhookSchema }),
  replace: operation('replaceNotificationWebhook', 'Replace a webhook', write, { result: idSchema }),
  delete: operation('deleteNotificationWebhook', 'Delete a webhook', write, { result: idSchema }),
  test: operation('testNotificationWebhook', 'Send a test to a webhook', write, { result: idSchema }),
}

interface Path {
  Params: { readonly webhook_id: string }
}
const all = '/alerting/v3/destinations/webhooks'
const one = `${all}/:webhook_id`
const listQuery = Type.Object({ page: pageQuery.page, per_page: pageQuery.per_page })

/** @source Cloudflare API, notification webhooks; the test is Sluice's own */
export function webhookRoutes(app: Api, deps: ApiDeps, writes: NotificationWrites): void {
  const { notifications } = deps.store

  app.get(all, { config: described.list, schema: { querystring: listQuery } }, async request => {
    const { webhooks } = await writes.read(request)
    const results = await notifications.results(accountOf(request).id)
    const { page: number = 1, per_page: size = notificationLimits.webhooksPerAccountMax } = request.query
    return page(webhooks, number, size, webhook => webhookToWire(webhook, results.get(webhook.id)))
  })

  app.post(all, { config: described.create, schema: { body: webhookBody } }, request =>
    writes.write(request, setup => {
      const limit = notificationLimits.webhooksPerAccountMax
      if (setup.webhooks.length >= limit)
        throw refusal('tooManyNotifications', { limit: String(limit), kind: 'webhooks' })
      return put(request, request.body, undefined)
    }),
  )

  app.get<Path>(one, { config: described.get, onRequest: requireIds }, async request => {
    const webhook = found(await writes.read(request), request.params.webhook_id)
    const results = await notifications.results(webhook.accountId)
    return success(webhookToWire(webhook, results.get(webhook.id)))
  })

  const replacement = { config: described.replace, onRequest: requireIds, schema: { body: webhookBody } }
  app.put<Path>(one, replacement, request =>
    writes.write(request, setup =>
      put(request, request.body as WebhookInput, found(setup, request.params.webhook_id)),
    ),
  )

  app.delete<Path>(one, { config: described.delete, onRequest: requireIds }, request =>
    writes.write(request, setup => {
      const former = found(setup, request.params.webhook_id)
      requireUnused(former, setup)
      return {
        change: { kind: 'webhook', id: former.id, stored: undefined },
        answer: success({ id: former.id }),
        audit: { action: 'delete', before: audited(former), after: null },
      }
    }),
  )

  app.post<Path>(`${one}/test`, { config: described.test, onRequest: requireIds }, async request => {
    const { webhooks, policies } = await writes.read(request)
    const webhook = found({ webhooks, policies }, request.params.webhook_id)
    const trial = webhookTrialOf(webhook, timestampOf(deps.clock.nowMs()))
    const reason = await sendTrial(deps, trial, webhooks)
    if (reason !== undefined) throw refusal('notificationNotTaken', { reason })
    return success({ id: webhook.id })
  })

  /** A secret that is left out stays, for the same server. */
  function put(
    request: FastifyRequest,
    { name, url, secret }: WebhookInput,
    former: NotificationWebhook | undefined,
  ): Changed {
    requireUrl(url)
    if (secret === undefined && former?.secret !== undefined) requireSameServer(url, former)
    const kept = secret === undefined ? former?.secret : (secret ?? undefined)
    const webhook: NotificationWebhook = {
      id: former?.id ?? newId(),
      accountId: accountOf(request).id,
      createdOn: former?.createdOn ?? timestampOf(deps.clock.nowMs()),
      name,
      url,
      ...(kept === undefined || kept === '' ? {} : { secret: kept }),
    }
    return {
      change: { kind: 'webhook', id: webhook.id, stored: webhook },
      answer: success({ id: webhook.id }),
      audit: {
        action: former === undefined ? 'create' : 'update',
        before: former === undefined ? null : audited(former),
        after: audited(webhook),
      },
    }
  }
}

function found({ webhooks }: NotificationSetup, id: string): NotificationWebhook {
  const webhook = webhooks.find(one => one.id === id)
  if (webhook === undefined) throw refusal('notificationNotFound', { kind: 'webhook', id })
  return webhook
}

/** Addresses are checked when a connection is made: `SLUICE_DESTINATIONS`. */
function requireUrl(url: string): void {
  const parsed = URL.parse(url)
  const reason =
    parsed === null
      ? 'it is no URL'
      : parsed.username !== '' || parsed.password !== ''
        ? 'it must not hold a user or a password; use the secret'
        : undefined
  if (reason !== undefined) throw refusal('badValue', { value: '***', field: 'url', reason }, '/url')
}

/** The API never shows a secret. Otherwise, a client would receive it with a URL to another server. */
function requireSameServer(url: string, former: NotificationWebhook): void {
  if (URL.parse(url)?.origin !== URL.parse(former.url)?.origin)
    throw refusal('webhookSecretRequired', {}, '/secret')
}

function requireUnused({ id }: NotificationWebhook, { policies }: NotificationSetup): void {
  const users = policies.filter(({ mechanisms }) => mechanisms.webhooks?.some(one => one.id === id))
  if (users.length === 0) return
  const shown = users.slice(0, 5).map(({ name }) => name)
  throw refusal('webhookInUse', { policies: shown.join(', ') + (users.length > shown.length ? ', …' : '') })
}

/** Most receivers have their credential in the URL. */
function audited({ id, name, secret }: NotificationWebhook) {
  return { id, name, url: '***', ...(secret === undefined ? {} : { secret: '***' }) }
}
