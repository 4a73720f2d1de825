import type { JsonObject } from './resource.ts'

/** The receivers of an alert. @source Cloudflare API, notification policies */
export interface NotificationPolicy {
  readonly id: string
  readonly accountId: string
  readonly createdOn: string
  readonly modifiedOn: string
  readonly name: string
  readonly description?: string
  /** One of `alertTypes`, or an alert of Cloudflare's that is never raised here. */
  readonly alertType: string
  readonly enabled: boolean
  /** As sent; nothing is repeated here. */
  readonly alertInterval?: string
  /** `zones`, `slo` */
  readonly filters?: Readonly<Record<string, readonly string[]>>
  readonly mechanisms: Mechanisms
}

/** The receivers of a policy: addresses, and ids of webhooks. */
export interface Mechanisms {
  readonly email?: readonly Receiver[]
  readonly pagerduty?: readonly Receiver[]
  readonly webhooks?: readonly Receiver[]
}

interface Receiver {
  readonly id: string
}

/** A URL that takes notifications. */
export interface NotificationWebhook {
  readonly id: string
  readonly accountId: string
  readonly createdOn: string
  readonly name: string
  /** Most receivers have their credential in it. */
  readonly url: string
  /** For the header `cf-webhook-auth`. */
  readonly secret?: string
}

/** The latest results of a webhook. */
export interface WebhookResults {
  readonly lastSuccess: string | null
  readonly lastFailure: string | null
}

/** The policies and webhooks of an account. */
export interface NotificationSetup {
  /** Oldest first, as the webhooks. */
  readonly policies: readonly NotificationPolicy[]
  readonly webhooks: readonly NotificationWebhook[]
}

/** A state that a policy asks to be told of, from its begin to its end. */
export interface Occasion {
  readonly id: string
  readonly policyId: string
  /** Of the policy when the occasion began. */
  readonly alertType: string
  /** Tells apart what a policy has several of at once, such as `job 7`. */
  readonly subject: string
  readonly startedOn: string
  /** The note that it is over; null: none is sent. */
  readonly endText: string | null
  readonly data: JsonObject
}

/** One message to one receiver, sent or to be sent. */
export interface Notification {
  readonly id: string
  readonly accountId: string
  readonly policyId: string
  readonly policyName: string
  readonly policyDescription: string
  readonly alertType: string
  readonly mechanismType: 'email' | 'webhook'
  /** The address, or the id of the webhook. */
  readonly mechanism: string
  readonly event: AlertEvent
  /** Of the occasion, which its begin and its end share. */
  readonly occasionId: string
  readonly text: string
  readonly data: JsonObject
  readonly createdOn: string
  /** Null: not yet, or never. */
  readonly sentOn: string | null
}

/** @source Cloudflare docs, webhook payload schema */
export type AlertEvent = 'ALERT_STATE_EVENT_START' | 'ALERT_STATE_EVENT_END'

/** A kind of alert. */
export interface AlertType {
  readonly type: string
  /** Heading of the list of available alerts. */
  readonly family: string
  readonly displayName: string
  readonly description: string
  /** Names of the filters that a policy may have. */
  readonly filters: readonly AlertFilter[]
}

export type AlertFilter = 'zones' | 'slo'

/** Service-level objectives in percent, the most sensitive first. @source Cloudflare docs, HTTP traffic alerts */
export const alertObjectives = ['99.9', '99.8', '99.7'] as const

/** The alerts that are raised. Those without a name at Cloudflare begin with `sluice_`. */
export const alertTypes = [
  {
    type: 'failing_logpush_job_disabled_alert',
    family: 'Logs',
    displayName: 'Failing Logpush Job Disabled',
    description: 'A Logpush job has stopped after a failure that needs a change of the job.',
    filters: [],
  },
  {
    type: 'sluice_logpush_job_lag_alert',
    family: 'Logs',
    displayName: 'Logpush Job Behind',
    description:
      'Log records have waited for a job for more than ten minutes, because it fails or is too slow.',
    filters: [],
  },
  {
    type: 'clickhouse_alert_fw_anomaly',
    family: 'Web Application Firewall',
    displayName: 'Security Events Alert',
    description: 'A zone has far more security events than in the six hours before.',
    filters: ['zones'],
  },
  {
    type: 'http_alert_edge_error',
    family: 'Traffic Monitoring',
    displayName: 'Edge Error Rate Alert',
    description:
      'So many responses of a zone have a status of 5xx that its service-level objective is at risk.',
    filters: ['zones', 'slo'],
  },
  {
    type: 'universal_ssl_event_type',
    family: 'SSL/TLS',
    displayName: 'Universal SSL Alert',
    description: 'A certificate that clients get expires soon, or has expired.',
    filters: [],
  },
  {
    type: 'sluice_crs_release_alert',
    family: 'Web Application Firewall',
    displayName: 'CRS Release Available',
    description: 'The OWASP CRS project has published a newer release than the active one.',
    filters: [],
  },
  {
    type: 'sluice_edge_silent_alert',
    family: 'Traffic Monitoring',
    displayName: 'Edge Out of Touch',
    description: 'An edge has neither reached the database for more than 90 seconds nor ended.',
    filters: [],
  },
] as const satisfies readonly AlertType[]

export type AlertName = (typeof alertTypes)[number]['type']

/** @returns undefined for an alert that is never raised */
export function alertTypeOf(name: string): (AlertType & { readonly type: AlertName }) | undefined {
  return alertTypes.find(({ type }) => type === name)
}
