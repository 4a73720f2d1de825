import { type Static, Type } from '@fastify/type-provider-typebox'
import { webhookType } from '../../alerts/index.ts'
import type {
  Notification,
  NotificationPolicy,
  NotificationWebhook,
  WebhookResults,
} from '../../model/notification.ts'
import {
  describedText,
  id,
  nullable,
  optional,
  record,
  strict,
  text,
  time,
  type Wire,
} from '../http/schemas.ts'
import { notificationLimits } from './limits.ts'

const { textCharactersMax: maxLength, receiversMax: maxItems } = notificationLimits
const receivers = (idSchema: ReturnType<typeof Type.String>) =>
  optional(nullable(Type.Array(Type.Object({ id: idSchema }, strict), { maxItems })))

const mechanisms = Type.Object(
  {
    email: receivers(Type.String({ maxLength: 254, pattern: '^[^\\s@,;<>"]+@[^\\s@,;<>"]+$' })),
    pagerduty: receivers(Type.String({ minLength: 1, maxLength })),
    webhooks: receivers(Type.String({ minLength: 1, maxLength })),
  },
  { ...strict, description: 'of e-mails, the id is the address' },
)

const filterValues = Type.Array(Type.String({ maxLength }), { maxItems: notificationLimits.filterValuesMax })

const members = {
  name: Type.String({ minLength: 1, maxLength }),
  description: optional(nullable(Type.String({ maxLength }))),
  enabled: Type.Boolean(),
  alert_type: Type.String({ pattern: '^[a-z0-9_]{1,100}$' }),
  alert_interval: optional(nullable(Type.String({ maxLength: 20 }))),
  filters: optional(
    nullable(record(64, nullable(filterValues), { maxProperties: notificationLimits.filtersMax })),
  ),
  mechanisms,
}

export const policyBody = Type.Object(members, strict)
/** Members that are left out keep their values; null removes them. */
export const policyChange = Type.Partial(policyBody)
export type PolicyInput = Static<typeof policyBody>

export const policySchema = Type.Object({ id, ...members, created: time, modified: time })

export function policyToWire(policy: NotificationPolicy): Wire<typeof policySchema> {
  const { description, alertInterval, filters } = policy
  return {
    id: policy.id,
    name: policy.name,
    ...(description === undefined ? {} : { description }),
    enabled: policy.enabled,
    alert_type: policy.alertType,
    ...(alertInterval === undefined ? {} : { alert_interval: alertInterval }),
    ...(filters === undefined ? {} : { filters }),
    mechanisms: policy.mechanisms,
    created: policy.createdOn,
    modified: policy.modifiedOn,
  }
}

export const webhookBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength }),
    url: Type.String({ pattern: '^https?://', maxLength: notificationLimits.webhookUrlCharactersMax }),
    secret: optional(
      nullable(
        Type.String({ pattern: '^[\\x20-\\x7e]*$', maxLength, description: 'sent as `cf-webhook-auth`' }),
      ),
    ),
  },
  strict,
)
export type WebhookInput = Static<typeof webhookBody>

export const webhookSchema = Type.Object({
  id,
  name: text,
  url: text,
  type: Type.Enum(['generic', 'slack', 'gchat', 'discord']),
  created_at: time,
  last_success: nullable(time),
  last_failure: nullable(time),
})

export function webhookToWire(
  { id, name, url, createdOn }: NotificationWebhook,
  results: WebhookResults | undefined,
): Wire<typeof webhookSchema> {
  return {
    id,
    name,
    url,
    type: webhookType(url),
    created_at: createdOn,
    last_success: results?.lastSuccess ?? null,
    last_failure: results?.lastFailure ?? null,
  }
}

export const sentSchema = Type.Object({
  id,
  policy_id: text,
  name: text,
  description: text,
  alert_type: text,
  alert_body: text,
  mechanism: describedText('the address, or the id of the webhook'),
  mechanism_type: Type.Enum(['email', 'webhook']),
  sent: nullable(time),
})

export function sentToWire(notification: Notification): Wire<typeof sentSchema> {
  return {
    id: notification.id,
    policy_id: notification.policyId,
    name: notification.policyName,
    description: notification.policyDescription,
    alert_type: notification.alertType,
    alert_body: notification.text,
    mechanism: notification.mechanism,
    mechanism_type: notification.mechanismType,
    sent: notification.sentOn,
  }
}

const filterOption = Type.Object({
  Key: text,
  Optional: Type.Boolean(),
  Range: text,
  ComparisonOperator: text,
  AvailableValues: nullable(Type.Array(Type.Object({ ID: text, Description: text }))),
})

/** By family. */
export const availableAlertsSchema = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      type: text,
      display_name: text,
      description: text,
      filter_options: Type.Array(filterOption),
    }),
  ),
)

export const eligibleSchema = Type.Record(
  Type.String(),
  Type.Array(Type.Object({ type: text, eligible: Type.Boolean(), ready: Type.Boolean() })),
)

export const trialSchema = Type.Array(
  Type.Object({
    mechanism_type: Type.Enum(['email', 'webhook']),
    mechanism: text,
    error: nullable(describedText("the receiver's reason for rejecting the test; null if it accepted it")),
  }),
)
