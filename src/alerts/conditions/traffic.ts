import type { ZoneOverview } from '../../analytics/index.ts'
import { alertObjectives, type NotificationPolicy } from '../../model/notification.ts'
import type { Zone } from '../../model/resource.ts'
import { alertLimits } from '../limits.ts'
import type { Condition, Finding, Look, Sight } from '../look.ts'

const windowMinutes = 5
/** A spike is this many standard deviations above the mean. @source Cloudflare blog, Security Event Alerts */
const spikeScore = 3.5
const spikeWindows = (6 * 60) / windowMinutes

/** Zones with far more security events in the last five minutes than in the six hours before. */
export const attackSpikes: Condition = (policy, look) =>
  ofZones(policy, look, alertLimits.spikeEvents / 2, async zone => {
    const { untilMs } = look.rangeOf(windowMinutes)
    const counts = await look.once(`events of ${zone.id}`, () => eventsOf(zone, look))
    const now = counts.at(-1)!
    const { mean, deviation } = spread(counts.slice(0, -1))
    if (now < alertLimits.spikeEvents / 2) return undefined
    const isSpike = now >= alertLimits.spikeEvents && now - mean > spikeScore * deviation
    const isOver = now - mean <= deviation
    if (isOver) return undefined
    return {
      subject: zoneSubject(zone.id),
      text: `${zone.name} had ${now} security events in five minutes; before, it had ${Math.round(mean)} on average.`,
      endText: `The spike of security events on ${zone.name} is over.`,
      data: {
        zone_tag: zone.id,
        zone_name: zone.name,
        alert_start_time: new Date(untilMs - windowMinutes * 60_000).toISOString(),
        events_count: now,
      },
      isFading: !isSpike,
    }
  })

/** Security events of each window, the newest last. Series in larger steps would end in the middle of one. */
async function eventsOf({ id }: Zone, look: Look): Promise<readonly number[]> {
  const range = look.rangeOf(windowMinutes * (spikeWindows + 1))
  const { series } = await look.sources.analytics.timeseries(id, { range, groupBy: 'none', stepMs: 60_000 })
  const minutes = series.find(({ value }) => value === 'events')?.counts ?? []
  return Array.from({ length: spikeWindows + 1 }, (_, at) =>
    minutes.slice(at * windowMinutes, (at + 1) * windowMinutes).reduce((sum, count) => sum + count, 0),
  )
}

/** Uses up 2 % of the errors of a month in an hour. @source Google, The Site Reliability Workbook, Alerting on SLOs */
const alertingBurnRate = 14.4

/** Zones whose responses of 5xx use up the errors of their objective, over five minutes and over an hour. */
export const errorSpikes: Condition = async (policy, look) => {
  const objective = policy.filters?.['slo']?.[0] ?? alertObjectives[0]
  const { findings, absenceOf } = await ofZones(policy, look, alertLimits.errorResponses, async zone => {
    const allowed = (100 - Number(objective)) / 100
    const [short, long] = await Promise.all([
      overviewOf(zone, look, windowMinutes),
      overviewOf(zone, look, 60),
    ])
    const [shortRate, longRate] = [errorShare(short) / allowed, errorShare(long) / allowed]
    const errors = short.statuses[5]!
    if (errors === 0 || shortRate < 1) return undefined
    const isAlert =
      errors >= alertLimits.errorResponses && shortRate >= alertingBurnRate && longRate >= alertingBurnRate
    const percent = (errorShare(short) * 100).toFixed(1)
    return {
      subject: zoneSubject(zone.id),
      text: `${errors} of ${short.requests} responses of ${zone.name} (${percent} %) had a status of 5xx in five minutes.`,
      endText: `The error rate of ${zone.name} is back within its objective of ${objective} %.`,
      data: {
        zone_tag: zone.id,
        zone_name: zone.name,
        slo: objective,
        errors,
        requests: short.requests,
        burn_rate_short: Number(shortRate.toFixed(1)),
        burn_rate_long: Number(longRate.toFixed(1)),
      },
      isFading: !isAlert,
    }
  })
  // Another objective says nothing about the one before.
  return {
    findings,
    absenceOf: occasion => (occasion.data['slo'] === objective ? absenceOf(occasion) : 'gone'),
  }
}

/** @param requestsMin zones with fewer in the last hour are left out */
async function ofZones(
  { accountId, filters }: NotificationPolicy,
  look: Look,
  requestsMin: number,
  findingOf: (zone: Zone) => Promise<Finding | undefined>,
): Promise<Sight> {
  const wanted = filters?.['zones']
  const isWanted = (zoneId: string) => wanted?.includes(zoneId) ?? true
  const [zones, busiest] = await Promise.all([look.zones(accountId), look.busiest(accountId)])
  const busy = busiest
    .filter(({ zoneId, hour }) => hour.requests >= requestsMin && isWanted(zoneId))
    .slice(0, alertLimits.zonesMax)
  const findings: Finding[] = []
  for (const { zoneId } of busy) {
    const zone = zones.get(zoneId)
    const finding = zone && (await findingOf(zone))
    if (finding !== undefined) findings.push(finding)
  }
  const watched = new Set([...zones.keys()].filter(isWanted).map(zoneSubject))
  return { findings, absenceOf: ({ subject }) => (watched.has(subject) ? 'recovered' : 'gone') }
}

function zoneSubject(zoneId: string): string {
  return `zone ${zoneId}`
}

function overviewOf({ id }: Zone, look: Look, minutes: number): Promise<ZoneOverview> {
  return look.once(`${minutes} minutes of ${id}`, () =>
    look.sources.analytics.zoneOverview(id, look.rangeOf(minutes)),
  )
}

function errorShare({ statuses, requests }: ZoneOverview): number {
  return requests === 0 ? 0 : statuses[5]! / requests
}

function spread(counts: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const average = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const mean = average(counts)
  return { mean, deviation: Math.sqrt(average(counts.map(count => (count - mean) ** 2))) }
}
