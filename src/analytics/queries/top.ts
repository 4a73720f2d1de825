import type { TimeRange } from '../positions.ts'
import { dimensionNumbers, hourMs } from '../schema.ts'
import type { RuleHits, Top, TopQuestion } from '../types.ts'
import { boundTo, countsExactly, eventValues, isEmpty, newestPart, type Passing, passing } from './exact.ts'
import { type Reader, ruleNamed, wholeSteps } from './reader.ts'

interface Counted {
  /** 0 for values that were too many to count separately. */
  readonly value: number
  readonly events: number
  readonly mitigated: number
  /** Of all values. */
  readonly total: number
}

export function topValues(reader: Reader, zoneId: string, question: TopQuestion): Top {
  return reader.atOnce(() => {
    const { by, filter = {} } = question
    // No zone has the id 0.
    const zone = reader.texts.find(zoneId) ?? 0
    const filtered = !isEmpty(filter)
    const exact = filtered || countsExactly(reader, zone, question.range)
    const range = filtered
      ? newestPart(reader, zone, question.range)
      : exact
        ? question.range
        : wholeSteps(question.range, hourMs)
    const wanted = exact ? passing(filter, reader) : undefined
    if (exact && wanted === undefined) return { range, values: [], otherEvents: 0, totalEvents: 0 }
    const rows =
      wanted === undefined
        ? ofHours(reader, zone, range, question)
        : ofEvents(reader, zone, range, question, wanted)
    const values = rows
      .filter(({ value }) => value !== 0)
      .map(({ value, events, mitigated }) => ({ ...reader.named(value, by), events, mitigated }))
    return {
      range,
      values,
      otherEvents: values.reduce((rest, { events }) => rest - events, rows[0]?.total ?? 0),
      totalEvents:
        wanted === undefined ? reader.eventsIn(zone, range) : eventsBetween(reader, zone, range, wanted),
    }
  })
}

const largest = 'group by value order by value = 0, events desc, value limit'

function ofEvents(
  reader: Reader,
  zone: number,
  { sinceMs, untilMs }: TimeRange,
  { by, limit }: TopQuestion,
  wanted: Passing,
): readonly Counted[] {
  return reader.all<Counted>(
    `select value, count(*) as events, sum(held) as mitigated, sum(count(*)) over () as total
     from (${eventValues(by, wanted)}) ${largest} ?4`,
    ...boundTo([zone, sinceMs, untilMs, limit], wanted),
  )
}

function eventsBetween(
  reader: Reader,
  zone: number,
  { sinceMs, untilMs }: TimeRange,
  wanted: Passing,
): number {
  const sql = `select count(*) as n from (${eventValues('action', wanted)})`
  return reader.get<{ n: number }>(sql, ...boundTo([zone, sinceMs, untilMs], wanted))!.n
}

function ofHours(
  reader: Reader,
  zone: number,
  range: TimeRange,
  { by, limit }: TopQuestion,
): readonly Counted[] {
  return reader.all<Counted>(
    `select value, sum(events) as events, sum(mitigated) as mitigated, sum(sum(events)) over () as total
     from values_hours where zone = ? and dimension = ? and hour >= ? and hour < ? ${largest} ?`,
    zone,
    dimensionNumbers[by],
    range.sinceMs / hourMs,
    range.untilMs / hourMs,
    limit,
  )
}

interface RuleSums {
  readonly rule: number
  readonly hits: number
  readonly mitigated: number
  readonly passed: number
}

export function ruleHits(reader: Reader, zoneId: string, range: TimeRange): readonly RuleHits[] {
  return reader.atOnce(() => {
    const rows = reader.all<RuleSums>(
      `select rule, sum(hits) as hits, sum(mitigated) as mitigated, sum(passed) as passed
       from rule_hours where zone = ? and hour >= ? and hour < ? group by rule order by sum(hits) desc, rule`,
      reader.texts.find(zoneId) ?? 0,
      Math.floor(range.sinceMs / hourMs),
      Math.ceil(range.untilMs / hourMs),
    )
    return rows.map(({ rule: number, hits, mitigated, passed: passedWell }) => {
      const { value: rule, ref } = ruleNamed(reader.texts.rule(number))
      return { rule, ref, hits, mitigated, passedWell }
    })
  })
}
