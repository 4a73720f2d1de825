import type { Analytics, EventFilter } from '../../src/analytics/index.ts'
import { account, busyZone } from './traffic.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Asked = Omit<Analytics, 'previewPage' | 'close'>

/** Values of one event. */
interface Row {
  readonly client: string
  readonly path: string
  readonly ray: string
}

/** Every query of the dashboard about the busy zone, for the last day and the last week. */
export function queriesOf(
  row: Row,
  endMs: number,
): readonly { readonly query: string; readonly range: string; readonly run: Run }[] {
  const ranges = { '24 h': dayMs, '7 days': 7 * dayMs }
  return Object.entries(ranges).flatMap(([range, rangeMs]) =>
    queries(row, { sinceMs: endMs - rangeMs, untilMs: endMs }).map(([query, run]) => ({
      query,
      range,
      run,
    })),
  )
}

export type Run = (analytics: Asked) => Promise<unknown>

function queries(row: Row, range: { sinceMs: number; untilMs: number }): readonly (readonly [string, Run])[] {
  const events =
    (filter: object): Run =>
    analytics =>
      analytics.events(busyZone, { range, filter, limit: 100 })
  const series = (
    groupBy: 'none' | 'action' | 'rule' | 'matched_rule' | 'path' | 'client' | 'country',
  ): Run => {
    const stepMs = range.untilMs - range.sinceMs > dayMs ? hourMs : 300_000
    return analytics => analytics.timeseries(busyZone, { range, groupBy, stepMs })
  }
  const top =
    (by: 'rule' | 'matched_rule' | 'path' | 'client' | 'country' | 'user_agent'): Run =>
    analytics =>
      analytics.top(busyZone, { range, by, limit: 10 })
  const topOf =
    (filter: EventFilter): Run =>
    analytics =>
      analytics.top(busyZone, { range, filter, by: 'path', limit: 10 })
  const seriesOf =
    (filter: EventFilter): Run =>
    analytics =>
      analytics.timeseries(busyZone, { range, filter, groupBy: 'path', stepMs: hourMs })
  return [
    ['overview', analytics => analytics.zoneOverview(busyZone, range)],
    ['account overview', analytics => analytics.accountOverview(account, range.untilMs - 1)],
    ['rule hits', analytics => analytics.ruleHits(busyZone, range)],
    ['timeseries', series('none')],
    ['timeseries by action', series('action')],
    ['timeseries by rule', series('rule')],
    ['timeseries by matched rule', series('matched_rule')],
    ['timeseries by path', series('path')],
    ['timeseries by client', series('client')],
    ['timeseries by country', series('country')],
    ['top rules', top('rule')],
    ['top matched rules', top('matched_rule')],
    ['top paths', top('path')],
    ['top clients', top('client')],
    ['top countries', top('country')],
    ['top user agents', top('user_agent')],
    ['top paths of an action', topOf({ action: 'managedchallenge' })],
    ['timeseries by path of an action', seriesOf({ action: 'managedchallenge' })],
    ['events', events({})],
    ['events of an action', events({ action: 'managedchallenge' })],
    ['events of a rule', events({ rule: '7'.padStart(32, 'c') })],
    ['events of a matched rule', events({ matchedRule: (0x9000 + 290).toString(16).padStart(32, '5') })],
    ['events of a client', events({ client: row.client })],
    ['events of a path', events({ path: row.path })],
    ['events of a rare pair', events({ country: 'xx', method: 'POST', rule: '7'.padStart(32, 'c') })],
    ['events of an unknown client', events({ method: 'POST', path: '/p/1', client: row.client })],
    ['events of a ray', analytics => analytics.eventsOfRay(busyZone, row.ray)],
  ]
}
