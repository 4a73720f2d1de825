import type { SampledRule } from '../../model/what-if-sample.ts'
import { analyticsLimits } from '../limits.ts'
import type { TimeRange } from '../positions.ts'
import type { RecordStore } from '../records/port.ts'
import { joined, type Sql, sql, trusted } from '../records/sql.ts'
import type { Cell, CellQuery, CountedValue, Matrix, MatrixQuery, SampleTotals } from '../what-if/types.ts'
import { exact, minuteMs, rowsOf, wholeSteps } from './rows.ts'

const levels = [1, 2, 3, 4] as const

/** Samples that a cell would mitigate: the sum of the points at its level reaches its threshold. */
function acts(level: number, threshold: number): Sql {
  return sql`(${trusted(`s${level}`)} >= ${threshold} or (stops > 0 and stops <= ${level}))`
}

export async function whatIfMatrix(store: RecordStore, zoneId: string, query: MatrixQuery): Promise<Matrix> {
  const { thresholds } = query
  const totals = await totalsOf(store, zoneId, query.range)
  const cells = levels.flatMap(level =>
    thresholds.map(
      (threshold, at) => sql`countIf(${acts(level, threshold)}) as ${trusted(`l${level}_${at}`)}`,
    ),
  )
  const [row] = await store.rows<Record<string, number>>(
    sql`select ${joined(cells, ', ')} ${rowsOf('what_if_samples', zoneId, totals.range)}`,
  )
  return {
    ...totals,
    thresholds,
    levels: levels.map(level => thresholds.map((_, at) => row![`l${level}_${at}`]!)),
  }
}

interface Sums {
  readonly samples: number
  readonly evaluated: number
  readonly cpu: number
  readonly omitted: number
  readonly partial: number
  readonly held: number
}

async function totalsOf(store: RecordStore, zoneId: string, asked: TimeRange): Promise<SampleTotals> {
  const range = await sampledRange(store, zoneId, asked)
  const [sums, requests] = await Promise.all([
    store.rows<Sums>(
      sql`select count(*) as samples, countIf(cpu_us > 0) as evaluated, coalesce(sum(cpu_us), 0) as cpu,
        coalesce(sum(left_out), 0) as omitted, countIf(incomplete) as partial, countIf(mitigated) as held
        ${rowsOf('what_if_samples', zoneId, range)}`,
    ),
    store.rows<{ n: number }>(sql`select count(*) as n ${rowsOf('http_requests', zoneId, range)}`),
  ])
  const { samples, evaluated, cpu, omitted, partial, held } = sums[0]!
  return {
    range,
    samples,
    requests: requests[0]!.n,
    evaluated,
    cpuMs: exact(cpu) / 1000,
    leftOut: exact(omitted),
    incomplete: partial,
    heldUp: held,
  }
}

/** Whole minutes, from the first minute with samples. */
async function sampledRange(store: RecordStore, zoneId: string, asked: TimeRange): Promise<TimeRange> {
  const { sinceMs, untilMs } = wholeSteps(asked, minuteMs)
  const [first] = await store.rows<{ ms: number }>(
    sql`select toUnixTimestamp64Milli(time) as ms from what_if_samples where zone = ${zoneId} order by time limit 1`,
  )
  const keptSinceMs = first === undefined ? sinceMs : Math.floor(first.ms / minuteMs) * minuteMs
  return { sinceMs: Math.min(Math.max(sinceMs, keptSinceMs), untilMs), untilMs }
}

interface Sample {
  readonly ms: number
  readonly ray: string
  readonly client: string
  readonly country: string
  readonly host: string
  readonly method: string
  readonly path: string
  readonly action: string
  readonly s1: number
  readonly s2: number
  readonly s3: number
  readonly s4: number
  readonly stops: number
  readonly matches: string
}

export async function whatIfCell(store: RecordStore, zoneId: string, query: CellQuery): Promise<Cell> {
  const { level, threshold, limit, examples } = query
  const { range, samples } = await totalsOf(store, zoneId, query.range)
  const acting = acts(level, threshold)
  const inRange = rowsOf('what_if_samples', zoneId, range)
  const top = (column: 'path' | 'client') =>
    store.rows<CountedValue>(
      sql`select ${trusted(column)} as value, count(*) as samples ${inRange} and ${acting}
        group by value order by samples desc, value limit ${limit}`,
    )
  const [counts, paths, clients, sets, newest] = await Promise.all([
    store.rows<{ acted: number; newly: number; through: number }>(
      sql`select countIf(acting) as acted, countIf(acting and not held) as newly, countIf(held and not acting) as through
        from (select mitigated as held, ${acting} as acting ${inRange}) as decided`,
    ),
    top('path'),
    top('client'),
    store.rows<{ value: string; n: number }>(
      sql`select matches as value, count(*) as n ${inRange} and ${acting}
        group by value order by n desc, value limit ${analyticsLimits.ruleSetsMax}`,
    ),
    store.rows<Sample>(
      sql`select toUnixTimestamp64Milli(time) as ms, ray, client, country, host, method, path, action, s1, s2, s3, s4,
        stops, matches ${inRange} and ${acting} order by time desc, id desc limit ${examples}`,
    ),
  ])
  const { acted, newly, through } = counts[0]!
  return {
    range,
    samples,
    acted,
    actedAnew: newly,
    letThrough: through,
    paths,
    clients,
    rules: topRules(sets, level, limit),
    examples: newest.map(({ ms, s1, s2, s3, s4, matches, ...sample }) => ({
      ...sample,
      time: ms,
      scores: [s1, s2, s3, s4],
      rules: rulesIn(matches),
    })),
  }
}

/**
 * Many samples share a set of rules, so sets are counted before they are parsed. Of rules with equal counts, those of lower
 * levels come first, in the order of the sources: they are the surest.
 */
function topRules(
  sets: readonly { readonly value: string; readonly n: number }[],
  level: number,
  limit: number,
): readonly CountedValue[] {
  const counts = new Map<string, { readonly level: number; readonly ref: string; samples: number }>()
  for (const { value, n } of sets)
    for (const [id, ref, ruleLevel, score] of rulesIn(value)) {
      if (ruleLevel > level || score <= 0) continue
      const name = `${id} ${ref}`
      const count = counts.get(name)
      if (count === undefined) counts.set(name, { level: ruleLevel, ref, samples: n })
      else count.samples += n
    }
  return [...counts]
    .sort(([, a], [, b]) => b.samples - a.samples || a.level - b.level || Number(a.ref) - Number(b.ref))
    .slice(0, limit)
    .map(([value, { samples }]) => ({ value, samples }))
}

function rulesIn(matches: string): readonly SampledRule[] {
  return matches === '' ? [] : (JSON.parse(matches) as readonly SampledRule[])
}
