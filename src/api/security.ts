import { analyticsLimits } from '../kit/limits.ts'
import { type Api, accountOf, zoneOf } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { cursorPage, success } from './envelope.ts'
import type { Questions } from './questions.ts'
import { securityExportRoutes } from './security-export.ts'
import {
  accountOverviewQuery,
  eventsQuery,
  filterOf,
  placeText,
  rangeOf,
  rangeOnlyQuery,
  readPlace,
  readZoneIds,
  seriesQuery,
  stepOf,
  topQuery,
} from './security-query.ts'
import { securityRayRoutes } from './security-ray.ts'
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
} from './security-wire.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Sluice's own: what rules did to the requests of a zone, event by event and in sums. */
export function securityRoutes(app: Api, deps: ApiDeps, questions: Questions): void {
  const { clock, analytics } = deps

  app.get('/security/events', { schema: { querystring: eventsQuery } }, async (request, reply) => {
    const { limit = analyticsLimits.pageDefault, cursor } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const before = cursor === undefined ? {} : { before: readPlace(cursor) }
    const question = { range, filter: filterOf(request.query), limit, ...before }
    const { id } = zoneOf(request)
    const { events, next } = await questions.ask(reply, () => analytics.events(id, question))
    return cursorPage(events.map(eventToWire), next === undefined ? undefined : placeText(next))
  })

  app.get('/security/timeseries', { schema: { querystring: seriesQuery } }, async (request, reply) => {
    const { group_by: groupBy = 'none', step } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const filter = filterOf(request.query)
    const question = { range, filter, groupBy: groupingOf(groupBy), stepMs: stepOf(step, range) }
    const { id } = zoneOf(request)
    const series = await questions.ask(reply, () => analytics.timeseries(id, question))
    return success(seriesToWire(series, groupBy))
  })

  app.get('/security/top', { schema: { querystring: topQuery } }, async (request, reply) => {
    const { by, limit = analyticsLimits.topDefault } = request.query
    const range = rangeOf(request.query, clock.nowMs())
    const question = { range, filter: filterOf(request.query), by: dimensionOf(by), limit }
    const { id } = zoneOf(request)
    const top = await questions.ask(reply, () => analytics.top(id, question))
    return success(topToWire(top, by))
  })

  app.get('/security/rules', async (request, reply) => {
    // Hits are counted in hours; the present one is the last.
    const untilMs = Math.floor(clock.nowMs() / hourMs) * hourMs + hourMs
    const day = { sinceMs: untilMs - dayMs, untilMs }
    const week = { sinceMs: untilMs - 7 * dayMs, untilMs }
    const { id } = zoneOf(request)
    const [ofDay, ofWeek] = await questions.ask(reply, () =>
      Promise.all([analytics.ruleHits(id, day), analytics.ruleHits(id, week)]),
    )
    return success({ day: rangeToWire(day), week: rangeToWire(week), rules: ruleHitsToWire(ofDay, ofWeek) })
  })

  app.get('/security/overview', { schema: { querystring: rangeOnlyQuery } }, async (request, reply) => {
    const range = rangeOf(request.query, clock.nowMs())
    const { id } = zoneOf(request)
    return success(overviewToWire(await questions.ask(reply, () => analytics.zoneOverview(id, range))))
  })

  securityRayRoutes(app, deps, questions)
  securityExportRoutes(app, deps)
}

/** Sluice's own: the traffic of the zones of an account. */
export function accountSecurityRoutes(
  app: Api,
  { store, clock, analytics }: ApiDeps,
  questions: Questions,
): void {
  app.get('/security/overview', { schema: { querystring: accountOverviewQuery } }, async (request, reply) => {
    const { limit = analyticsLimits.overviewZonesDefault } = request.query
    const wanted = readZoneIds(request.query.zone_ids)
    const { id } = accountOf(request)
    const traffic = await questions.ask(reply, () => analytics.accountOverview(id, clock.nowMs()))
    const zones = await store.zones.list()
    const own = zones.filter(zone => zone.accountId === id && wanted?.has(zone.id) !== false)
    return success(accountOverviewToWire(traffic, new Map(own.map(zone => [zone.id, zone.name])), limit))
  })
}
