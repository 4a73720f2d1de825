import { alertTypeOf } from '../model/notification.ts'
import type { Json, JsonObject } from '../model/resource.ts'
import { type Coverage, enforced, notEnforced, partly } from './enforcement.ts'
import type { WithoutMeaning } from './kept/kind.ts'

/** The parts of a notification policy, in the form of the API, that have no effect. */
export function idleInPolicy(policy: JsonObject): readonly WithoutMeaning[] {
  const name = String(policy['alert_type'])
  const type = alertTypeOf(name)
  if (type === undefined)
    return [
      {
        pointer: '/alert_type',
        what: `the notification ${name}`,
        why: 'it is never sent; GET …/alerting/v3/available_alerts lists the notifications that are',
      },
    ]
  const known: readonly string[] = type.filters
  const filters = Object.keys(given(policy['filters'])).filter(filter => !known.includes(filter))
  const idle: WithoutMeaning[] = filters.map(filter => ({
    pointer: `/filters/${filter}`,
    what: `the filter ${filter} of ${name}`,
    why: known.length === 0 ? 'this notification has no filters' : `its filters are ${known.join(' and ')}`,
  }))
  if ('pagerduty' in given(policy['mechanisms']))
    idle.push({
      pointer: '/mechanisms/pagerduty',
      what: 'the mechanism pagerduty',
      why: 'use a webhook of an integration instead',
    })
  if ((policy['alert_interval'] ?? '') !== '')
    idle.push({
      pointer: '/alert_interval',
      what: 'alert_interval',
      why: 'an alert is sent once, and once more when it is over',
    })
  return idle
}

/** A `cloudflare_notification_policy` of a plan or state. */
export function coverNotificationPolicy(policy: JsonObject): Coverage {
  const idle = idleInPolicy(policy)
  if (idle.length === 0) return enforced
  const words = idle.map(({ what, why }) => `${what}: ${why}`).join('; ')
  return alertTypeOf(String(policy['alert_type'])) === undefined ? notEnforced(words) : partly(words)
}

/** The members that are set, and not empty. */
function given(value: Json | undefined): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.fromEntries(
    Object.entries(isObject ? value : {}).filter(([, one]) => Array.isArray(one) && one.length > 0),
  )
}
