import type { SampledRule } from '../../model/what-if-sample.ts'
import type { TimeRange } from '../positions.ts'
import { minutesOf, type Reader, sumOf, wholeSteps } from '../queries/reader.ts'
import { minuteMs } from '../schema.ts'
import { otherText } from '../texts.ts'
import type {
  Cell,
  CellQuestion,
  CountedValue,
  Matrix,
  MatrixQuestion,
  SampleExample,
  SampleTotals,
} from './types.ts'

const levels = [1, 2, 3, 4] as const

/** Samples that a cell would mitigate: the sum of the points at its level reaches its threshold. */
function acts(level: number, threshold = '?'): string {
  return `(s${level} >= ${threshold} or (stops > 0 and stops <= ${level}))`
}

export function whatIfMatrix(reader: Reader, zoneId: string, question: MatrixQuestion): Matrix {
  return reader.atOnce(() => {
    const zone = reader.texts.find(zoneId) ?? 0
    const { thresholds } = question
    const totals = totalsOf(reader, zone, question.range)
    const cells = levels.flatMap(level =>
      thresholds.map((_, at) => `coalesce(sum(${acts(level, `?${at + 4}`)}), 0) as l${level}_${at}`),
    )
    const row = reader.get<Record<string, number>>(
      `select ${cells.join()} from what_if_samples where zone = ?1 and time >= ?2 and time < ?3`,
      zone,
      totals.range.sinceMs,
      totals.range.untilMs,
      ...thresholds,
    )!
    return {
      ...totals,
      thresholds,
      levels: levels.map(level => thresholds.map((_, at) => row[`l${level}_${at}`]!)),
    }
  })
}

interface MinuteSums {
  readonly samples: number
  readonly evaluated: number
  readonly cpu_us: number
  readonly left_out: number
  readonly incomplete: number
  readonly held: number
}

const sums = ['samples', 'evaluated', 'cpu_us', 'left_out', 'incomplete', 'held'].map(sumOf).join()

function totalsOf(reader: Reader, zone: number, asked: TimeRange): SampleTotals {
  const range = keptRange(reader, zone, asked)
  const row = reader.get<MinuteSums>(
    `select ${sums} from what_if_minutes where zone = ? and minute >= ? and minute < ?`,
    zone,
    ...minutesOf(range),
  )!
  const requests = reader.get<{ n: number }>(
    'select coalesce(sum(requests), 0) as n from minutes where zone = ? and minute >= ? and minute < ?',
    zone,
    ...minutesOf(range),
  )!.n
  return {
    range,
    samples: row.samples,
    requests,
    evaluated: row.evaluated,
    cpuMs: row.cpu_us / 1000,
    leftOut: row.left_out,
    incomplete: row.incomplete,
    heldUp: row.held,
  }
}

/** Whole minutes, from the first minute with samples. */
function keptRange(reader: Reader, zone: number, asked: TimeRange): TimeRange {
  const { sinceMs, untilMs } = wholeSteps(asked, minuteMs)
  const first = reader.get<{ n: number | null }>(
    'select min(minute) as n from what_if_minutes where zone = ?',
    zone,
  )!.n
  const keptSinceMs = first === null ? sinceMs : first * minuteMs
  return { sinceMs: Math.min(Math.max(sinceMs, keptSinceMs), untilMs), untilMs }
}

interface Sample {
  readonly time: number
  /** A signed 64-bit number. */
  readonly ray: string
  readonly client: number
  readonly country: number
  readonly host: number
  readonly method: number
  readonly path: number
  readonly action: number
  readonly s1: number
  readonly s2: number
  readonly s3: number
  readonly s4: number
  readonly stops: number
  readonly rules: string
}

export function whatIfCell(reader: Reader, zoneId: string, question: CellQuestion): Cell {
  return reader.atOnce(() => {
    const { level, threshold, limit } = question
    const zone = reader.texts.find(zoneId) ?? 0
    const { range, samples } = totalsOf(reader, zone, question.range)
    const inRange = 'from what_if_samples where zone = ? and time >= ? and time < ?'
    const values = [zone, range.sinceMs, range.untilMs] as const
    const counts = reader.get<{ acted: number; newly: number; through: number }>(
      `select coalesce(sum(a), 0) as acted, coalesce(sum(a and not held), 0) as newly,
         coalesce(sum(held and not a), 0) as through from (select held, ${acts(level)} as a ${inRange})`,
      threshold,
      ...values,
    )!
    const top = (column: 'path' | 'client'): readonly CountedValue[] =>
      reader
        .all<{ value: number; samples: number }>(
          `select ${column} as value, count(*) as samples ${inRange} and ${acts(level)} and ${column} <> ${otherText}
           group by ${column} order by count(*) desc, ${column} limit ?`,
          ...values,
          threshold,
          limit,
        )
        .map(row => ({ value: reader.texts.get(row.value), samples: row.samples }))
    const newest = reader.all<Sample>(
      `select time, cast(ray as text) as ray, client, country, host, method, path, action, s1, s2, s3, s4, stops, rules
       ${inRange} and ${acts(level)} order by time desc, ray desc limit ?`,
      ...values,
      threshold,
      question.examples,
    )
    return {
      range,
      samples,
      acted: counts.acted,
      actedAnew: counts.newly,
      letThrough: counts.through,
      paths: top('path'),
      clients: top('client'),
      rules: topRules(
        reader,
        reader.all<{ rules: string; n: number }>(
          `select rules, count(*) as n ${inRange} and ${acts(level)} group by rules`,
          ...values,
          threshold,
        ),
        level,
        limit,
      ),
      examples: newest.map(sample => exampleOf(reader, sample)),
    }
  })
}

/** Many samples share a set of rules, so sets are counted before they are parsed. */
function topRules(
  reader: Reader,
  sets: readonly { readonly rules: string; readonly n: number }[],
  level: number,
  limit: number,
): readonly CountedValue[] {
  const counts = new Map<number, number>()
  for (const { rules, n } of sets)
    for (const [text, ruleLevel, score] of rulesIn(rules))
      if (ruleLevel <= level && score > 0) counts.set(text, (counts.get(text) ?? 0) + n)
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || a - b)
    .slice(0, limit)
    .map(([text, samples]) => ({ value: reader.texts.rule(text), samples }))
}

function rulesIn(written: string): readonly (readonly [text: number, level: number, score: number])[] {
  if (written === '') return []
  return written.split(',').map(rule => {
    const [text = 0, level = 0, score = 0] = rule.split(':').map(Number)
    return [text, level, score]
  })
}

function exampleOf({ texts }: Reader, sample: Sample): SampleExample {
  const { time, ray, client, country, host, method, path, action, s1, s2, s3, s4, stops, rules } = sample
  return {
    time,
    ray: BigInt.asUintN(64, BigInt(ray)).toString(16).padStart(16, '0'),
    client: texts.get(client),
    country: texts.get(country),
    host: texts.get(host),
    method: texts.get(method),
    path: texts.get(path),
    action: texts.get(action),
    scores: [s1, s2, s3, s4],
    stops,
    rules: rulesIn(rules).map(([text, level, score]): SampledRule => {
      const [id = '', ref = ''] = texts.rule(text).split(' ', 2)
      return [id, ref, level, score]
    }),
  }
}
