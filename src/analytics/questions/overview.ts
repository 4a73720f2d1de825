import type { TimeRange } from '../positions.ts'
import type { RecordStore } from '../records/port.ts'
import { sql, trusted } from '../records/sql.ts'
import type { CountedBy, RuleHits, ZoneOverview, ZoneTraffic } from '../types.ts'
import { between, exact, hourMs, minuteMs, rowsOf, ruleNamed, wholeSteps } from './rows.ts'

interface Sums {
  readonly requests: number
  readonly held: number
  readonly bytes: number
  readonly received: number
  readonly s1: number
  readonly s2: number
  readonly s3: number
  readonly s4: number
  readonly s5: number
}

const classes = [1, 2, 3, 4, 5].map(
  first =>
    `countIf("EdgeResponseStatus" >= ${first}00 and "EdgeResponseStatus" < ${first + 1}00) as s${first}`,
)

export async function zoneOverview(
  store: RecordStore,
  zoneId: string,
  asked: TimeRange,
): Promise<ZoneOverview> {
  const range = wholeSteps(asked, minuteMs)
  const requestsIn = rowsOf('http_requests', zoneId, range)
  const [sums, events, mitigated] = await Promise.all([
    store.rows<Sums>(
      sql`select count(*) as requests, countIf(mitigated) as held, coalesce(sum("EdgeResponseBytes"), 0) as bytes,
        coalesce(sum("ClientRequestBytes"), 0) as received, ${trusted(classes.join())} ${requestsIn}`,
    ),
    store.rows<{ n: number }>(sql`select count(*) as n ${rowsOf('firewall_events', zoneId, range)}`),
    store.rows<Mitigated>(
      sql`select mitigated_by as source, lower("SecurityAction") as action, count(*) as requests
        ${requestsIn} and mitigated group by source, action`,
    ),
  ])
  const { requests, held, bytes, received, s1, s2, s3, s4, s5 } = sums[0]!
  return {
    range,
    requests,
    mitigated: held,
    events: events[0]!.n,
    bytes: exact(bytes),
    requestBytes: exact(received),
    statuses: [requests - s1 - s2 - s3 - s4 - s5, s1, s2, s3, s4, s5],
    mitigatedByAction: countedBy(mitigated, 'action'),
    mitigatedBySource: countedBy(mitigated, 'source'),
  }
}

interface Mitigated {
  readonly source: string
  readonly action: string
  readonly requests: number
}

/** Most requests first. */
function countedBy(mitigated: readonly Mitigated[], by: 'source' | 'action'): readonly CountedBy[] {
  const counts = new Map<string, number>()
  for (const row of mitigated) counts.set(row[by], (counts.get(row[by]) ?? 0) + row.requests)
  return [...counts]
    .map(([value, requests]) => ({ value, requests }))
    .sort((a, b) => b.requests - a.requests || (a.value < b.value ? -1 : 1))
}

interface ZoneSums {
  readonly value: string
  readonly n: number
  readonly held: number
  readonly recent: number
  readonly recently_held: number
}

export async function accountOverview(
  store: RecordStore,
  accountId: string,
  nowMs: number,
): Promise<readonly ZoneTraffic[]> {
  const hour = Math.floor(nowMs / hourMs)
  const minute = Math.floor(nowMs / minuteMs)
  const day = { sinceMs: (hour - 23) * hourMs, untilMs: (hour + 1) * hourMs }
  const lastHour = between({ sinceMs: (minute - 59) * minuteMs, untilMs: (minute + 1) * minuteMs })
  const zones = await store.rows<ZoneSums>(
    sql`select zone as value, count(*) as n, countIf(mitigated) as held, countIf(${lastHour}) as recent,
        countIf(mitigated and ${lastHour}) as recently_held
      from http_requests where account = ${accountId} and ${between(day)} group by value`,
  )
  return zones.map(({ value, n, held, recent, recently_held }) => ({
    zoneId: value,
    day: { requests: n, mitigated: held },
    hour: { requests: recent, mitigated: recently_held },
  }))
}

interface RuleSums {
  readonly value: string
  readonly hits: number
  readonly held: number
  readonly passed: number
}

const passedWell = `not mitigated and "OriginResponseStatus" >= 100 and "OriginResponseStatus" < 400
  and "EdgeResponseStatus" >= 100 and "EdgeResponseStatus" < 400`

export async function ruleHits(
  store: RecordStore,
  zoneId: string,
  range: TimeRange,
): Promise<readonly RuleHits[]> {
  const requestsIn = rowsOf('http_requests', zoneId, wholeSteps(range, hourMs))
  const rows = await store.rows<RuleSums>(
    sql`select value, count(*) as hits, countIf(held) as held, countIf(well) as passed
      from (select arrayJoin(rules) as value, mitigated as held, ${trusted(passedWell)} as well ${requestsIn}) as matched
      group by value order by hits desc, value`,
  )
  return rows.map(({ value, hits, held, passed }) => {
    const { value: rule, ref } = ruleNamed(value)
    return { rule, ref, hits, mitigated: held, passedWell: passed }
  })
}
