import type { Notification, NotificationWebhook } from '../../model/notification.ts'
import type { Reach } from '../../model/settings/index.ts'
import { type SmtpSettings, sendEmail } from './email.ts'
import { SendError } from './send-error.ts'
import { postToWebhook } from './webhook.ts'

/** Sends one notification. @throws SendError */
export type Send = (notification: Notification, webhooks: readonly NotificationWebhook[]) => Promise<void>

/** @param smtp undefined: e-mails cannot be sent */
export function createSend(reach: Reach, smtp: SmtpSettings | undefined): Send {
  return async (notification, webhooks) => {
    const { mechanism, mechanismType } = notification
    if (mechanismType === 'email') {
      if (smtp === undefined) throw new SendError('e-mails need SLUICE_SMTP_URL')
      return sendEmail(smtp, mechanism, notification)
    }
    const webhook = webhooks.find(({ id }) => id === mechanism)
    if (webhook === undefined) throw new SendError('the webhook is gone')
    return postToWebhook(webhook, notification, reach)
  }
}
