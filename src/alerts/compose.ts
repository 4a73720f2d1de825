import { newId } from '../kit/ids.ts'
import type {
  AlertEvent,
  Notification,
  NotificationPolicy,
  NotificationWebhook,
  Occasion,
} from '../model/notification.ts'

/** One notification for each receiver of a policy. PagerDuty is not among them. */
export function notificationsOf(
  policy: NotificationPolicy,
  event: AlertEvent,
  { id: occasionId, data }: Pick<Occasion, 'id' | 'data'>,
  text: string,
  now: string,
): readonly Notification[] {
  const { email = [], webhooks = [] } = policy.mechanisms
  const shared = {
    accountId: policy.accountId,
    policyId: policy.id,
    policyName: policy.name,
    policyDescription: policy.description ?? '',
    alertType: policy.alertType,
    event,
    occasionId,
    text,
    data,
    createdOn: now,
    sentOn: null,
  }
  return [
    ...email.map(({ id }) => ({ ...shared, id: newId(), mechanismType: 'email' as const, mechanism: id })),
    ...webhooks.map(({ id }) => ({
      ...shared,
      id: newId(),
      mechanismType: 'webhook' as const,
      mechanism: id,
    })),
  ]
}

/** The notifications that try the receivers of a policy. */
export function trialOf(policy: NotificationPolicy, now: string): readonly Notification[] {
  const text = `This is a test of the notification policy ${policy.name}. Nothing has happened.`
  return notificationsOf(policy, 'ALERT_STATE_EVENT_START', { id: newId(), data: { test: true } }, text, now)
}

/** The message that tries a webhook without a policy. */
export function webhookTrialOf({ id, accountId, name }: NotificationWebhook, now: string): Notification {
  return {
    id: newId(),
    accountId,
    policyId: '',
    policyName: '',
    policyDescription: '',
    alertType: '',
    mechanismType: 'webhook',
    mechanism: id,
    event: 'ALERT_STATE_EVENT_START',
    occasionId: newId(),
    text: `This is a test of the webhook ${name}. Nothing has happened.`,
    data: { test: true },
    createdOn: now,
    sentOn: null,
  }
}
