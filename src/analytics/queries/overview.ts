import type { TimeRange } from '../positions.ts'
import { hourMs, minuteMs } from '../schema.ts'
import type { CountedBy, ZoneOverview, ZoneTraffic } from '../types.ts'
import { minutesOf, type Reader, sumOf, wholeSteps } from './reader.ts'

interface MinuteSums {
  readonly requests: number
  readonly mitigated: number
  readonly bytes: number
  readonly request_bytes: number
  readonly s0: number
  readonly s1: number
  readonly s2: number
  readonly s3: number
  readonly s4: number
  readonly s5: number
}

const sums = ['requests', 'mitigated', 'bytes', 'request_bytes', 's0', 's1', 's2', 's3', 's4', 's5']
  .map(sumOf)
  .join()

export function zoneOverview(reader: Reader, zoneId: string, asked: TimeRange): ZoneOverview {
  return reader.atOnce(() => {
    // No zone has the id 0.
    const zone = reader.texts.find(zoneId) ?? 0
    const range = wholeSteps(asked, minuteMs)
    const sql = `select ${sums} from minutes where zone = ? and minute >= ? and minute < ?`
    const row = reader.get<MinuteSums>(sql, zone, ...minutesOf(range))!
    const { requests, mitigated, bytes, request_bytes: requestBytes, s0, s1, s2, s3, s4, s5 } = row
    return {
      range,
      requests,
      mitigated,
      events: reader.eventsIn(zone, range),
      bytes,
      requestBytes,
      statuses: [s0, s1, s2, s3, s4, s5],
      mitigatedByAction: mitigatedBy(reader, zone, range, 'action'),
      mitigatedBySource: mitigatedBy(reader, zone, range, 'source'),
    }
  })
}

function mitigatedBy(
  reader: Reader,
  zone: number,
  range: TimeRange,
  column: 'action' | 'source',
): readonly CountedBy[] {
  const rows = reader.all<{ value: number; requests: number }>(
    `select ${column} as value, sum(count) as requests from actions
     where zone = ? and minute >= ? and minute < ? and kind = 0 group by ${column} order by sum(count) desc`,
    zone,
    ...minutesOf(range),
  )
  return rows.map(({ value, requests }) => ({ value: reader.texts.get(value), requests }))
}

interface ZoneSums {
  readonly zone: number
  readonly requests: number
  readonly mitigated: number
  readonly newest: number
}

export function accountOverview(reader: Reader, accountId: string, nowMs: number): readonly ZoneTraffic[] {
  return reader.atOnce(() => {
    const hour = Math.floor(nowMs / hourMs)
    const zones = reader.all<ZoneSums>(
      `select zone, sum(requests) as requests, sum(mitigated) as mitigated, max(hour) as newest
       from zone_hours where account = ? and hour > ? and hour <= ? group by zone`,
      reader.texts.find(accountId) ?? 0,
      hour - 24,
      hour,
    )
    return zones.map(({ zone, requests, mitigated, newest }) => ({
      zoneId: reader.texts.get(zone),
      day: { requests, mitigated },
      hour: newest >= hour - 1 ? lastHour(reader, zone, nowMs) : { requests: 0, mitigated: 0 },
    }))
  })
}

function lastHour(reader: Reader, zone: number, nowMs: number): ZoneTraffic['hour'] {
  const minute = Math.floor(nowMs / minuteMs)
  const { requests, mitigated } = reader.get<ZoneTraffic['hour']>(
    `select coalesce(sum(requests), 0) as requests, coalesce(sum(mitigated), 0) as mitigated
     from minutes where zone = ? and minute > ? and minute <= ?`,
    zone,
    minute - 60,
    minute,
  )!
  return { requests, mitigated }
}
