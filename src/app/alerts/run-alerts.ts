import { type AlertSources, type Alerts, createSend, type Send, startAlerts } from '../../alerts/index.ts'
import { coreRuleSetProject, newestUpstreamVersion, upstreamLooks } from '../../crs/index.ts'
import { systemClock } from '../../kit/clock.ts'
import type { Settings } from '../../model/settings/index.ts'
import type { Logger } from '../observe/logger.ts'
import { countNotification } from '../observe/notification-metrics.ts'

/** Raises alerts and sends their notifications until it is stopped. */
export function runAlerts(
  settings: Settings,
  sources: Omit<AlertSources, 'newestCrsRelease'>,
  logger: Logger,
): Alerts {
  const look = upstreamLooks(systemClock, () =>
    newestUpstreamVersion(coreRuleSetProject(settings.destinations)),
  )
  return startAlerts({
    sources: {
      ...sources,
      async newestCrsRelease() {
        const { version, error } = await look()
        if (version === null) throw new Error(error ?? 'upstream does not answer')
        return version
      },
    },
    clock: systemClock,
    send: notificationSend(settings),
    onSent({ id, policyId, alertType, mechanismType }, problem) {
      countNotification(problem === undefined ? 'sent' : problem.isLast ? 'given_up' : 'failed')
      const facts = { notification: id, policy: policyId, alert: alertType, mechanism: mechanismType }
      if (problem === undefined) logger.info(facts, 'notification sent')
      else
        logger.warn(
          { ...facts, reason: (problem.error as Error).message },
          `a notification was not taken; ${problem.isLast ? 'it is given up' : 'it is sent again'}`,
        )
    },
    onError: (message, error) => logger.error({ err: error }, message),
  })
}

/** Sends one notification as the settings say. */
export function notificationSend({ destinations, smtpUrl, smtpFrom }: Settings): Send {
  return createSend(destinations, smtpUrl === undefined ? undefined : { url: smtpUrl, from: smtpFrom! })
}
