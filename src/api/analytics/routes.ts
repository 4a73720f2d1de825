import { Type } from '@fastify/type-provider-typebox'
import { analyticsLimits } from '../../analytics/limits.ts'
import type { ApiDeps } from '../deps.ts'
import { type Api, accountOf, zoneOf } from '../http/context.ts'
import { cursorPage, success } from '../http/envelope.ts'
import { operationsOf } from '../openapi/operation.ts'
import { eventSchema } from './event-schema.ts'
import { securityExportRoutes } from './export.ts'
import { analyticsRequestLimits } from './limits.ts'
import {
  accountOverviewQuery,
  eventCursor,
  eventsQuery,
  filterOf,
  rangeOf,
  rangeOnlyQuery,
  readEventCursor,
  readZoneIds,
  seriesQuery,
  stepOf,
  topQuery,
} from './query.ts'
import type { QueryQueue } from './query-queue.ts'
import { securityRayRoutes } from './ray.ts'
import type { RunningExports } from './running-exports.ts'
import {
  accountOverviewSchema,
  overviewSchema,
  ruleHitsSchema,
  timeseriesSchema,
  topSchema,
} from './schemas.ts'
import {
  accountOverviewToWire,
  dimensionOf,
  eventToWire,
  groupingOf,
  overviewToWire,
  rangeToWire,
  ruleHitsToWire,
  seriesToWire,
  topToWire,
} from './wire.ts'

const operation = operationsOf('Security analytics')
/** Events and counts show the same people as log records. */
const need = ['zoneLogs', 'read'] as const
const described = {
  events: operation('listSecurityEvents', 'List the security events of a zone, newest first', need, {
    result: Type.Array(eventSchema),
  }),
  timeseries: operation('getSecurityTimeseries', 'Get requests or events over time', need, {
    result: timeseriesSchema,
  }),
  top: operation('getSecurityTop', 'Get the values with the most events', need, { result: topSchema }),
  rules: operation(
    'listSecurityRuleHits',
    'List the hits of every rule in the last 24 hours and 7 days',
    need,
    {
      result: ruleHitsSchema,
    },
  ),
  overview: operation('getSecurityOverview', 'Get the request totals of a zone', need, {
    result: overviewSchema,
  }),
  accountOverview: operation(
    'getSecurityAccountOverview',
    'Get the request totals of the zones of an account',
    ['accountLogs', 'read'],
    { result: accountOverviewSchema },
  ),
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Sluice's own: the security events of a zone, one by one and aggregated. */
export function securityRoutes(app: Api, deps: ApiDeps, queue: QueryQueue, running: RunningExports): void {
  const { clock, analytics } = deps

  const list = { config: described.events, schema: { querystring: eventsQuery } }
  app.get('/security/events', list, async (request, reply) => {
    const { limit = analyticsLimits.pageDefault, cursor } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const before = cursor === undefined ? {} : { before: readEventCursor(cursor) }
    const query = { range, filter: filterOf(request.query), limit, ...before }
    const { id } = zoneOf(request)
    const { events, next } = await queue.run(reply, () => analytics.events(id, query))
    return cursorPage(events.map(eventToWire), next === undefined ? undefined : eventCursor(next))
  })

  const timeseries = { config: described.timeseries, schema: { querystring: seriesQuery } }
  app.get('/security/timeseries', timeseries, async (request, reply) => {
    const { group_by: groupBy = 'none', step } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const filter = filterOf(request.query)
    const query = { range, filter, groupBy: groupingOf(groupBy), stepMs: stepOf(step, range) }
    const { id } = zoneOf(request)
    const series = await queue.run(reply, () => analytics.timeseries(id, query))
    return success(seriesToWire(series, groupBy))
  })

  app.get(
    '/security/top',
    { config: described.top, schema: { querystring: topQuery } },
    async (request, reply) => {
      const { by, limit = analyticsRequestLimits.topDefault } = request.query
      const range = rangeOf(request.query, clock.nowMs())
      const query = { range, filter: filterOf(request.query), by: dimensionOf(by), limit }
      const { id } = zoneOf(request)
      const top = await queue.run(reply, () => analytics.top(id, query))
      return success(topToWire(top, by))
    },
  )

  app.get('/security/rules', { config: described.rules }, async (request, reply) => {
    // Hits are counted by the hour; the current hour is the last.
    const untilMs = Math.floor(clock.nowMs() / hourMs) * hourMs + hourMs
    const day = { sinceMs: untilMs - dayMs, untilMs }
    const week = { sinceMs: untilMs - 7 * dayMs, untilMs }
    const { id } = zoneOf(request)
    const [ofDay, ofWeek] = await queue.run(reply, () =>
      Promise.all([analytics.ruleHits(id, day), analytics.ruleHits(id, week)]),
    )
    return success({ day: rangeToWire(day), week: rangeToWire(week), rules: ruleHitsToWire(ofDay, ofWeek) })
  })

  const overview = { config: described.overview, schema: { querystring: rangeOnlyQuery } }
  app.get('/security/overview', overview, async (request, reply) => {
    const range = rangeOf(request.query, clock.nowMs())
    const { id } = zoneOf(request)
    return success(overviewToWire(await queue.run(reply, () => analytics.zoneOverview(id, range))))
  })

  securityRayRoutes(app, deps, queue)
  securityExportRoutes(app, deps, running)
}

/** Sluice's own: the traffic of the zones of an account. */
export function accountSecurityRoutes(
  app: Api,
  { store, clock, analytics }: ApiDeps,
  queue: QueryQueue,
): void {
  const overview = { config: described.accountOverview, schema: { querystring: accountOverviewQuery } }
  app.get('/security/overview', overview, async (request, reply) => {
    const { limit = analyticsRequestLimits.overviewZonesDefault } = request.query
    const wanted = readZoneIds(request.query.zone_ids)
    const { id } = accountOf(request)
    const traffic = await queue.run(reply, () => analytics.accountOverview(id, clock.nowMs()))
    const zones = await store.zones.list()
    const own = zones.filter(zone => zone.accountId === id && wanted?.has(zone.id) !== false)
    return success(accountOverviewToWire(traffic, new Map(own.map(zone => [zone.id, zone.name])), limit))
  })
}
