import { Type } from '@fastify/type-provider-typebox'
import { type AlertFilter, alertObjectives, alertTypes } from '../../model/notification.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf } from '../http/context.ts'
import { pageOf, success } from '../http/envelope.ts'
import { apiLimits } from '../http/limits.ts'
import { pageQuery, readTime } from '../http/list-query.ts'
import { notificationOperation as operation } from './operation.ts'
import { availableAlertsSchema, eligibleSchema, sentSchema, sentToWire } from './wire.ts'

const read = ['notifications', 'read'] as const
const described = {
  available: operation('listAvailableAlerts', 'List the alerts that are raised', read, {
    result: availableAlertsSchema,
  }),
  eligible: operation('listEligibleMechanisms', 'List the ways in which notifications are sent', read, {
    result: eligibleSchema,
  }),
  pagerduty: operation('listPagerduty', 'List the PagerDuty services: none', read, {
    result: Type.Array(Type.Object({})),
  }),
  history: operation('listNotificationHistory', 'List the sent notifications, newest first', read, {
    result: Type.Array(sentSchema),
  }),
}

const moment = Type.Optional(Type.String({ maxLength: 40 }))
const historyQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  per_page: pageQuery.per_page,
  since: moment,
  before: moment,
})

/** @source Cloudflare API, notification alert types, mechanism eligibility and history */
export function alertRoutes(app: Api, { store, sendsEmail }: ApiDeps): void {
  app.get('/alerting/v3/available_alerts', { config: described.available }, async () => {
    const families = Map.groupBy(alertTypes, ({ family }) => family)
    const toWire = ({ type, displayName, description, filters }: (typeof alertTypes)[number]) => ({
      type,
      display_name: displayName,
      description,
      filter_options: filters.map(filter => filterOptions[filter]),
    })
    return success(Object.fromEntries([...families].map(([family, types]) => [family, types.map(toWire)])))
  })

  app.get('/alerting/v3/destinations/eligible', { config: described.eligible }, async () => {
    const way = (type: string, isReady: boolean) => [{ type, eligible: isReady, ready: isReady }]
    return success({
      email: way('email', sendsEmail),
      pagerduty: way('pagerduty', false),
      webhooks: way('webhook', true),
    })
  })

  app.get('/alerting/v3/destinations/pagerduty', { config: described.pagerduty }, async () => success([]))

  const history = { config: described.history, schema: { querystring: historyQuery } }
  app.get('/alerting/v3/history', history, async request => {
    const { page = 1, per_page: size = apiLimits.perPageDefault, since, before } = request.query
    const { total, notifications } = await store.notifications.sent(accountOf(request).id, {
      offset: (page - 1) * size,
      limit: size,
      ...(since === undefined ? {} : { since: readTime(since, 'since') }),
      ...(before === undefined ? {} : { before: readTime(before, 'before') }),
    })
    return pageOf(notifications.map(sentToWire), page, size, total)
  })
}

const filterOptions: Readonly<Record<AlertFilter, object>> = {
  zones: { Key: 'zones', Optional: true, Range: '0-n', ComparisonOperator: '==', AvailableValues: null },
  slo: {
    Key: 'slo',
    Optional: true,
    Range: '0-1',
    ComparisonOperator: '==',
    AvailableValues: alertObjectives.map(value => ({
      ID: value,
      Description: `Service-level objective of ${value} %`,
    })),
  },
}
