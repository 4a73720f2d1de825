import { Agent } from 'undici'
import type { Notification, NotificationWebhook } from '../../model/notification.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { Reach } from '../../model/settings/index.ts'
import { failureWords, guardedConnector } from '../../outgoing/index.ts'
import { alertLimits } from '../limits.ts'
import { SendError } from './send-error.ts'
import { webhookType } from './webhook-type.ts'

/**
 * Posts a notification to a webhook, with `SLUICE_DESTINATIONS` as its guard. Redirects are not followed.
 * @throws SendError when the answer is not 2xx
 * @source Cloudflare docs, webhook payload schema; the documentation of each chat's incoming webhooks
 */
export async function postToWebhook(
  { url: address, secret }: NotificationWebhook,
  notification: Notification,
  reach: Reach,
): Promise<void> {
  const url = new URL(address)
  const isGeneric = webhookType(address) === 'generic'
  const connect = guardedConnector(
    { reach, setting: 'SLUICE_DESTINATIONS' },
    { timeout: alertLimits.sendMsMax },
  )
  const agent = new Agent({ connect })
  try {
    const { statusCode, body } = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sluice-notifications',
        ...(isGeneric && secret !== undefined ? { 'cf-webhook-auth': secret } : {}),
      },
      body: JSON.stringify(bodyOf(address, notification)),
      signal: AbortSignal.timeout(alertLimits.sendMsMax),
    })
    body.on('error', () => {}).destroy()
    if (statusCode < 200 || statusCode > 299)
      throw new SendError(`${url.host} answers ${statusCode}; it has to answer 2xx`)
  } catch (error) {
    if (error instanceof SendError) throw error
    throw new SendError(failureWords(url, error), { cause: error })
  } finally {
    void agent.destroy()
  }
}

function bodyOf(address: string, notification: Notification): JsonObject {
  const { policyName, policyId, alertType, text } = notification
  const type = webhookType(address)
  const line = policyName === '' ? text : `${policyName}: ${text}`
  if (type === 'slack' || type === 'gchat') return { text: line }
  if (type === 'discord') return { content: line.slice(0, alertLimits.discordCharactersMax) }
  return {
    name: policyName,
    text,
    data: notification.data,
    ts: Math.floor(Date.parse(notification.createdOn) / 1000),
    account_id: notification.accountId,
    policy_id: policyId,
    policy_name: policyName,
    alert_type: alertType,
    alert_correlation_id: notification.occasionId,
    alert_event: notification.event,
  }
}
