import { Type } from 'typebox'
import type { JsonObject } from '../../model/resource.ts'
import { closed, type KeptCollection, text } from './kind.ts'

const why = 'no notifications are sent; the metrics and the health of jobs and pools show the same events'

const target = Type.Object({ id: text({ minLength: 1 }) }, closed)
const targets = Type.Optional(Type.Array(target, { maxItems: 100 }))
const values = Type.Array(text(), { maxItems: 1000 })

/** @source Cloudflare API, notification policies */
export const notificationPolicies: KeptCollection = {
  kind: 'notification_policy',
  terraform: 'cloudflare_notification_policy',
  noun: 'a notification policy',
  scope: 'account',
  path: '/alerting/v3/policies',
  body: Type.Object(
    {
      alert_type: text({ pattern: '^[a-z0-9_]+$' }),
      enabled: Type.Boolean(),
      mechanisms: Type.Object({ email: targets, pagerduty: targets, webhooks: targets }, closed),
      name: text({ minLength: 1 }),
      alert_interval: Type.Optional(text()),
      description: Type.Optional(text()),
      filters: Type.Optional(Type.Record(text(), values, { maxProperties: 100 })),
    },
    closed,
  ),
  defaults: {},
  computed: ({ createdOn, modifiedOn }) => ({ created: createdOn, modified: modifiedOn }),
  answersId: true,
  withoutMeaning: ({ alert_type: alert }) => [
    { pointer: '/alert_type', what: `the notification ${String(alert)}`, why },
  ],
  why,
}

/** @source Cloudflare API, notification webhooks; the secret is never shown again, and nothing here needs it */
export const notificationWebhooks: KeptCollection = {
  kind: 'notification_webhook',
  terraform: 'cloudflare_notification_policy_webhooks',
  noun: 'a webhook for notifications',
  scope: 'account',
  path: '/alerting/v3/destinations/webhooks',
  body: Type.Object(
    {
      name: text({ minLength: 1 }),
      url: text({ pattern: '^https?://' }),
      secret: Type.Optional(text()),
    },
    closed,
  ),
  defaults: {},
  computed: ({ createdOn, document }) => ({
    created_at: createdOn,
    last_failure: null,
    last_success: null,
    type: webhookType(document),
  }),
  answersId: true,
  dropped: ['secret'],
  hidden: ['url'],
  withoutMeaning: () => [{ pointer: '', what: 'a webhook for notifications', why }],
  why,
}

/** Cloudflare formats messages for some receivers, which it knows by their URL. */
function webhookType({ url }: JsonObject): string {
  const host = URL.parse(String(url))?.hostname ?? ''
  return { 'hooks.slack.com': 'slack', 'chat.googleapis.com': 'gchat' }[host] ?? 'generic'
}
