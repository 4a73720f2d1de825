import type { Notification, NotificationWebhook } from '../../model/notification.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Sends a test to one receiver. The outcome at a webhook is then its latest result.
 * @returns why the receiver did not take it
 */
export async function sendTrial(
  { store, sendNotification }: Pick<ApiDeps, 'store' | 'sendNotification'>,
  trial: Notification,
  webhooks: readonly NotificationWebhook[],
): Promise<string | undefined> {
  const { mechanismType, mechanism, createdOn: now } = trial
  const reason = await sendNotification(trial, webhooks)
  if (mechanismType === 'webhook')
    await store.notifications.report(
      mechanism,
      reason === undefined ? { lastSuccess: now } : { lastFailure: now },
    )
  return reason
}
