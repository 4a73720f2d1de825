import type { TimeRange } from '../positions.ts'
import type { RecordStore } from '../records/port.ts'
import { sql, trusted } from '../records/sql.ts'
import type { CountedBy, RuleHits, ZoneOverview, ZoneTraffic } from '../types.ts'
import { between, exact, hourMs, minuteMs, rowsOf, ruleNamed, wholeSteps } from './rows.ts'

/** Requests of one status, or the mitigated ones of one action and source. */
interface Group {
  readonly held: boolean
  readonly status: number
  readonly action: string
  readonly source: string
  readonly requests: number
  readonly bytes: number
  readonly received: number
}

/** One query, so that all counts are of the same rows. Only mitigated requests are grouped by texts, which takes longer. */
export async function zoneOverview(
  store: RecordStore,
  zoneId: string,
  asked: TimeRange,
): Promise<ZoneOverview> {
  const range = wholeSteps(asked, minuteMs)
  const requestsIn = rowsOf('http_requests', zoneId, range)
  const [groups, events] = await Promise.all([
    store.rows<Group>(
      sql`select false as held, "EdgeResponseStatus" as status, '' as action, '' as source, count(*) as requests,
          sum("EdgeResponseBytes") as bytes, sum("ClientRequestBytes") as received ${requestsIn} group by status
        union all select true as held, 0 as status, "SecurityAction" as action, mitigated_by as source,
          count(*) as requests, 0 as bytes, 0 as received ${requestsIn} and mitigated group by action, source`,
    ),
    store.rows<{ n: number }>(sql`select count(*) as n ${rowsOf('firewall_events', zoneId, range)}`),
  ])
  const all = groups.filter(({ held }) => !held)
  const mitigated = groups.filter(({ held }) => held)
  const statuses = [0, 0, 0, 0, 0, 0]
  for (const { status, requests } of all) {
    const first = Math.floor(status / 100)
    const at = first >= 1 && first <= 5 ? first : 0
    statuses[at] = statuses[at]! + requests
  }
  return {
    range,
    requests: sumOf(all, 'requests'),
    mitigated: sumOf(mitigated, 'requests'),
    events: events[0]!.n,
    bytes: exact(sumOf(all, 'bytes')),
    requestBytes: exact(sumOf(all, 'received')),
    statuses,
    mitigatedByAction: countedBy(mitigated, ({ action }) => action.toLowerCase()),
    mitigatedBySource: countedBy(mitigated, ({ source }) => source),
  }
}

function sumOf(groups: readonly Group[], of: 'requests' | 'bytes' | 'received'): number {
  return groups.reduce((total, group) => total + group[of], 0)
}

/** Requests by a value, most first. */
function countedBy(groups: readonly Group[], valueIn: (group: Group) => string): readonly CountedBy[] {
  const counts = new Map<string, number>()
  for (const group of groups) {
    const value = valueIn(group)
    counts.set(value, (counts.get(value) ?? 0) + group.requests)
  }
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
      from (select arrayJoin(rules) as value, mitigated as held, ${trusted(passedWell)} as well ${requestsIn}
          and length(rules) > 0) as matched
      group by value order by hits desc, value`,
  )
  return rows.map(({ value, hits, held, passed }) => {
    const { value: rule, ref } = ruleNamed(value)
    return { rule, ref, hits, mitigated: held, passedWell: passed }
  })
}
