import { analyticsLimits } from '../limits.ts'
import type { TimeRange } from '../positions.ts'
import { dimensionNumbers, hourMs, minuteMs } from '../schema.ts'
import type { Dimension, EventFilter, Series, SeriesQuestion, TimeSeries } from '../types.ts'
import { boundTo, countsExactly, eventValues, isEmpty, newestPart, passing } from './exact.ts'
import { minutesOf, type Reader, wholeSteps } from './reader.ts'

/** Whole steps of one zone. */
interface Steps {
  readonly zone: number
  readonly range: TimeRange
  readonly stepMs: number
  /** Counts the events themselves. */
  readonly exact: boolean
}

/** Numbers are bound as floating point, so the results of divisions are truncated. */
interface Bucket {
  readonly step: number
  /** -1 for the sum of all values. */
  readonly value: number
  readonly n: number
}

const everyValue = -1

export function timeSeries(reader: Reader, zoneId: string, question: SeriesQuestion): TimeSeries {
  return reader.atOnce(() => {
    const { groupBy, filter = {} } = question
    // No zone has the id 0.
    const zone = reader.texts.find(zoneId) ?? 0
    const steps = isEmpty(filter) ? stepsFor(reader, zone, question) : stepsOfPart(reader, zone, question)
    const { range, stepMs } = steps
    if (groupBy === 'none') {
      const series = isEmpty(filter) ? requestSeries(reader, steps) : [passingSeries(reader, steps, filter)]
      return { range, stepMs, series, other: undefined }
    }
    const buckets =
      groupBy === 'action' && isEmpty(filter)
        ? actionBuckets(reader, steps)
        : valueBuckets(reader, steps, groupBy, filter)
    const counts = countsByValue(buckets, pointsOf(steps))
    const all = counts.get(everyValue)
    counts.delete(everyValue)
    const series = [...counts]
      .map(([value, own]) => seriesOf(reader.named(value, groupBy), own))
      .sort((a, b) => b.total - a.total || (a.value < b.value ? -1 : 1))
    return { range, stepMs, series, other: groupBy === 'action' ? undefined : otherThan(series, all, steps) }
  })
}

function stepsFor(reader: Reader, zone: number, { range: asked, stepMs, groupBy }: SeriesQuestion): Steps {
  const range = wholeSteps(asked, stepMs)
  if (groupBy === 'none' || groupBy === 'action') return { zone, range, stepMs, exact: false }
  if (countsExactly(reader, zone, range)) return { zone, range, stepMs, exact: true }
  const hours = Math.max(1, Math.floor(stepMs / hourMs)) * hourMs
  return { zone, range: wholeSteps(asked, hours), stepMs: hours, exact: false }
}

/** Covers the newest part of the range; its first step is complete. */
function stepsOfPart(reader: Reader, zone: number, { range: asked, stepMs }: SeriesQuestion): Steps {
  const { sinceMs, untilMs } = wholeSteps(asked, stepMs)
  const part = newestPart(reader, zone, { sinceMs, untilMs })
  const first = Math.min(Math.ceil(part.sinceMs / stepMs) * stepMs, untilMs - stepMs)
  return { zone, range: { sinceMs: first, untilMs }, stepMs, exact: true }
}

function pointsOf({ range, stepMs }: Steps): number {
  return (range.untilMs - range.sinceMs) / stepMs
}

function requestSeries(reader: Reader, steps: Steps): readonly Series[] {
  const rows = reader.all<{ step: number; requests: number; mitigated: number }>(
    `select cast((minute - ?1) / ?2 as integer) as step, sum(requests) as requests, sum(mitigated) as mitigated
     from minutes where zone = ?3 and minute >= ?1 and minute < ?4 group by step`,
    ...minuteSteps(steps),
  )
  const requests = zeros(steps)
  const mitigated = zeros(steps)
  const events = zeros(steps)
  for (const row of rows) {
    requests[row.step] = row.requests
    mitigated[row.step] = row.mitigated
  }
  for (const { step, n } of actionBuckets(reader, steps)) events[step]! += n
  return Object.entries({ requests, mitigated, events }).map(([value, counts]) =>
    seriesOf({ value, ref: '' }, counts),
  )
}

function zeros(steps: Steps): number[] {
  return new Array<number>(pointsOf(steps)).fill(0)
}

function actionBuckets(reader: Reader, steps: Steps): readonly Bucket[] {
  return reader.all<Bucket>(
    `select cast((minute - ?1) / ?2 as integer) as step, action as value, sum(count) as n
     from actions where zone = ?3 and minute >= ?1 and minute < ?4 and kind = 1 group by step, action`,
    ...minuteSteps(steps),
  )
}

function minuteSteps({ zone, range, stepMs }: Steps): [number, number, number, number] {
  const [first, end] = minutesOf(range)
  return [first, stepMs / minuteMs, zone, end]
}

/** Series of the most frequent values, and of all together. */
function valueBuckets(
  reader: Reader,
  { zone, range, stepMs, exact }: Steps,
  by: Dimension | 'action',
  filter: EventFilter,
): readonly Bucket[] {
  const { sinceMs, untilMs } = range
  if (exact) {
    const wanted = passing(filter, reader)
    if (wanted === undefined) return []
    const own = [zone, sinceMs, untilMs, stepMs, analyticsLimits.seriesMax]
    return reader.all<Bucket>(
      `with steps as materialized (
         select cast((time - ?2) / ?4 as integer) as step, value, count(*) as n
         from (${eventValues(by, wanted)}) group by step, value
       ) ${largestAndAll}`,
      ...boundTo(own, wanted),
    )
  }
  return reader.all<Bucket>(
    `with steps as materialized (
       select cast((hour - ?2) / ?4 as integer) as step, value, sum(events) as n
       from values_hours where zone = ?1 and dimension = ?6 and hour >= ?2 and hour < ?3 group by step, value
     ) ${largestAndAll}`,
    zone,
    sinceMs / hourMs,
    untilMs / hourMs,
    stepMs / hourMs,
    analyticsLimits.seriesMax,
    dimensionNumbers[by as Dimension],
  )
}

function passingSeries(reader: Reader, steps: Steps, filter: EventFilter): Series {
  const counts = countsByValue(valueBuckets(reader, steps, 'action', filter), pointsOf(steps))
  return seriesOf({ value: 'events', ref: '' }, counts.get(everyValue) ?? zeros(steps))
}

/** Series of `steps`, which have a `step`, a `value` and a count `n`. Value 0 is a sum of many. */
const largestAndAll = `
  select step, value, n from steps where value in (
    select value from steps where value <> 0 group by value order by sum(n) desc, value limit ?5)
  union all select step, ${everyValue} as value, sum(n) as n from steps group by step`

function countsByValue(buckets: readonly Bucket[], points: number): Map<number, number[]> {
  const byValue = new Map<number, number[]>()
  for (const { step, value, n } of buckets) {
    let counts = byValue.get(value)
    if (counts === undefined) {
      counts = new Array<number>(points).fill(0)
      byValue.set(value, counts)
    }
    counts[step] = n
  }
  return byValue
}

function otherThan(series: readonly Series[], all: readonly number[] | undefined, steps: Steps): Series {
  const rest = (all ?? zeros(steps)).map((count, step) =>
    series.reduce((left, { counts }) => left - counts[step]!, count),
  )
  return seriesOf({ value: '', ref: '' }, rest)
}

function seriesOf({ value, ref }: Pick<Series, 'value' | 'ref'>, counts: readonly number[]): Series {
  return { value, ref, total: counts.reduce((sum, count) => sum + count, 0), counts }
}
