import { analyticsLimits } from '../limits.ts'
import type { TimeRange } from '../positions.ts'
import type { RecordStore } from '../records/port.ts'
import { type Sql, sql } from '../records/sql.ts'
import type { Dimension, Series, SeriesQuery, TimeSeries, Top, TopQuery } from '../types.ts'
import { eventsOf, named, rowsOf, stepOf, valueOfEvent, wholeSteps } from './rows.ts'

interface Counted {
  readonly value: string
  readonly n: number
  readonly held: number
  /** Of all values. */
  readonly total: number
}

export async function topValues(store: RecordStore, zoneId: string, query: TopQuery): Promise<Top> {
  const { range, by, limit, filter = {} } = query
  const events = eventsOf(zoneId, range, filter)
  const [rows, all] = await Promise.all([
    store.rows<Counted>(
      sql`select value, count(*) as n, countIf(held) as held, sum(count(*)) over () as total
        from (select ${valueOfEvent(by)} as value, mitigated as held ${events}) as counted
        group by value order by n desc, value limit ${limit}`,
    ),
    store.rows<{ n: number }>(sql`select count(*) as n ${events}`),
  ])
  return {
    range,
    values: rows.map(({ value, n, held }) => ({ ...named(value, by), events: n, mitigated: held })),
    otherEvents: rows.reduce((rest, { n }) => rest - n, rows[0]?.total ?? 0),
    totalEvents: all[0]!.n,
  }
}

interface Steps {
  readonly range: TimeRange
  readonly stepMs: number
}

export async function timeSeries(
  store: RecordStore,
  zoneId: string,
  query: SeriesQuery,
): Promise<TimeSeries> {
  const { groupBy, filter = {}, stepMs } = query
  const steps = { range: wholeSteps(query.range, stepMs), stepMs }
  if (groupBy !== 'none') return { ...steps, ...(await seriesOfValues(store, zoneId, steps, query, groupBy)) }
  const events = await inSteps(store, steps, eventsOf(zoneId, steps.range, filter))
  const counted = { value: 'events', ref: '' }
  const filtered = Object.keys(filter).length > 0
  const own = filtered ? [] : await requestSeries(store, zoneId, steps)
  return { ...steps, series: [...own, seriesOf(counted, events.all)], other: undefined }
}

async function requestSeries(store: RecordStore, zoneId: string, steps: Steps): Promise<readonly Series[]> {
  const { all, held } = await inSteps(store, steps, rowsOf('http_requests', zoneId, steps.range))
  return [seriesOf({ value: 'requests', ref: '' }, all), seriesOf({ value: 'mitigated', ref: '' }, held)]
}

interface StepCount {
  readonly step: number
  readonly n: number
  readonly held: number
}

async function inSteps(
  store: RecordStore,
  steps: Steps,
  rows: Sql,
): Promise<{ readonly all: readonly number[]; readonly held: readonly number[] }> {
  const counts = await store.rows<StepCount>(
    sql`select ${stepOf(steps.range, steps.stepMs)} as step, count(*) as n, countIf(mitigated) as held
      ${rows} group by step`,
  )
  const [all, mitigated] = [zeros(steps), zeros(steps)]
  for (const { step, n, held } of counts) {
    all[step] = n
    mitigated[step] = held
  }
  return { all, held: mitigated }
}

interface Bucket {
  readonly step: number
  readonly value: string
  readonly n: number
  readonly every: number
}

/** Series of the most frequent values, and of all others together. */
async function seriesOfValues(
  store: RecordStore,
  zoneId: string,
  steps: Steps,
  { filter = {} }: SeriesQuery,
  by: Dimension | 'action',
): Promise<Pick<TimeSeries, 'series' | 'other'>> {
  const events = eventsOf(zoneId, steps.range, filter)
  const most = by === 'action' ? analyticsLimits.pageMax : analyticsLimits.seriesMax
  const buckets = await store.rows<Bucket>(
    sql`with steps as (
        select step, value, count(*) as n
        from (select ${stepOf(steps.range, steps.stepMs)} as step, ${valueOfEvent(by)} as value ${events}) as counted
        group by step, value
      )
      select step, value, n, 0 as every from steps where value in (
        select value from steps group by value order by sum(n) desc, value limit ${most})
      union all select step, '' as value, sum(n) as n, 1 as every from steps group by step`,
  )
  const counts = new Map<string, number[]>()
  const all = zeros(steps)
  for (const { step, value, n, every } of buckets) {
    if (every === 1) {
      all[step] = n
      continue
    }
    const own = counts.get(value) ?? zeros(steps)
    own[step] = n
    counts.set(value, own)
  }
  const series = [...counts]
    .map(([value, own]) => seriesOf(named(value, by), own))
    .sort((a, b) => b.total - a.total || (a.value < b.value ? -1 : 1))
  return { series, other: by === 'action' ? undefined : otherThan(series, all) }
}

function zeros({ range, stepMs }: Steps): number[] {
  return new Array<number>((range.untilMs - range.sinceMs) / stepMs).fill(0)
}

function otherThan(series: readonly Series[], all: readonly number[]): Series {
  const rest = all.map((count, step) => series.reduce((left, { counts }) => left - counts[step]!, count))
  return seriesOf({ value: '', ref: '' }, rest)
}

function seriesOf({ value, ref }: Pick<Series, 'value' | 'ref'>, counts: readonly number[]): Series {
  return { value, ref, total: counts.reduce((sum, count) => sum + count, 0), counts }
}
