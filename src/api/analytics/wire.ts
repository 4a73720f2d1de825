import type {
  CountedBy,
  Dimension,
  Grouping,
  RuleHits,
  Series,
  StoredEvent,
  TimeRange,
  TimeSeries,
  Top,
  TopQuery,
  ZoneOverview,
  ZoneTraffic,
} from '../../analytics/index.ts'
import { timestampOf } from '../../kit/clock.ts'
import type { LogRecord } from '../../model/dataset.ts'
import type { Wire } from '../http/schemas.ts'
import type { WireEvent } from './event-schema.ts'
import type { dimensions, groupings } from './query.ts'
import type {
  accountOverviewSchema,
  hitsSchema,
  overviewSchema,
  ruleHitsSchema,
  seriesSchema,
  timeseriesSchema,
  topSchema,
} from './schemas.ts'

type WireDimension = (typeof dimensions)[number]
type WireGrouping = (typeof groupings)[number]

const dimensionOfWire: { readonly [W in WireDimension]: Dimension } = {
  rule_id: 'rule',
  matched_rule_id: 'matched_rule',
  path: 'path',
  client_ip: 'client',
  country: 'country',
  user_agent: 'user_agent',
  host: 'host',
}

export function dimensionOf(wire: WireDimension): TopQuery['by'] {
  return dimensionOfWire[wire]
}

export function groupingOf(wire: WireGrouping): Grouping {
  return wire === 'none' || wire === 'action' ? wire : (dimensionOfWire[wire] as Grouping)
}

export function rangeToWire({ sinceMs, untilMs }: TimeRange): {
  readonly since: string
  readonly until: string
} {
  return { since: timestampOf(sinceMs), until: timestampOf(untilMs) }
}

/** The wire form has every member; missing fields have the empty value of their type. */
export function eventToWire({ position, fields }: StoredEvent): WireEvent {
  return {
    id: `${position.timeMs}-${position.id}`,
    datetime: timestampOf(position.timeMs),
    ray_id: textOf(fields, 'RayID'),
    action: textOf(fields, 'Action').toLowerCase(),
    source: textOf(fields, 'Source').toLowerCase(),
    rule_id: textOf(fields, 'RuleID'),
    ref: textOf(fields, 'Ref'),
    description: textOf(fields, 'Description'),
    match_index: numberOf(fields, 'MatchIndex'),
    client_ip: textOf(fields, 'ClientIP'),
    client_asn: numberOf(fields, 'ClientASN'),
    client_country: textOf(fields, 'ClientCountry'),
    method: textOf(fields, 'ClientRequestMethod'),
    scheme: textOf(fields, 'ClientRequestScheme'),
    host: textOf(fields, 'ClientRequestHost'),
    path: textOf(fields, 'ClientRequestPath'),
    query: textOf(fields, 'ClientRequestQuery'),
    protocol: textOf(fields, 'ClientRequestProtocol'),
    user_agent: textOf(fields, 'ClientRequestUserAgent'),
    referer: refererOf(fields),
    edge_status: numberOf(fields, 'EdgeResponseStatus'),
    origin_status: numberOf(fields, 'OriginResponseStatus'),
    metadata: metadataOf(fields),
  }
}

/** Put together again from the parts that the record has. */
function refererOf(fields: LogRecord): string {
  const scheme = textOf(fields, 'ClientRefererScheme')
  const rest = ['Host', 'Path', 'Query'].map(part => textOf(fields, `ClientReferer${part}`)).join('')
  return scheme === '' || scheme === 'unknown' ? rest : `${scheme}://${rest}`
}

/** Metadata of the edge; a record from another writer may have none. */
function metadataOf(fields: LogRecord): WireEvent['metadata'] {
  const metadata = fields['Metadata']
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {}
}

export function textOf(fields: LogRecord, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

export function numberOf(fields: LogRecord, name: string): number {
  const value = fields[name]
  return typeof value === 'number' ? value : 0
}

export function seriesToWire(
  { range, stepMs, series, other }: TimeSeries,
  groupBy: WireGrouping,
): Wire<typeof timeseriesSchema> {
  return {
    ...rangeToWire(range),
    step: stepMs / 1000,
    group_by: groupBy,
    series: series.map(oneSeriesToWire),
    other: other === undefined ? null : oneSeriesToWire(other),
  }
}

function oneSeriesToWire({ value, ref, total, counts }: Series): Wire<typeof seriesSchema> {
  return { value, ref, total, counts }
}

export function topToWire(
  { range, values, otherEvents, totalEvents }: Top,
  by: WireDimension,
): Wire<typeof topSchema> {
  return {
    ...rangeToWire(range),
    by,
    values: values.map(({ value, ref, events, mitigated }) => ({ value, ref, events, mitigated })),
    other_events: otherEvents,
    total_events: totalEvents,
  }
}

const noHits: Pick<RuleHits, 'hits' | 'mitigated' | 'passedWell'> = { hits: 0, mitigated: 0, passedWell: 0 }

/** @param week rules with hits in the week, in descending order; it includes the rules of the day */
export function ruleHitsToWire(
  day: readonly RuleHits[],
  week: readonly RuleHits[],
): Wire<typeof ruleHitsSchema>['rules'] {
  const keyOf = ({ rule, ref }: RuleHits) => `${rule} ${ref}`
  const ofDay = new Map(day.map(hits => [keyOf(hits), hits]))
  return week.map(hits => ({
    rule_id: hits.rule,
    ref: hits.ref,
    day: hitsToWire(ofDay.get(keyOf(hits)) ?? noHits),
    week: hitsToWire(hits),
  }))
}

function hitsToWire({ hits, mitigated, passedWell }: typeof noHits): Wire<typeof hitsSchema> {
  return {
    hits,
    mitigated,
    passed_well: passedWell,
    false_positive_share: hits === 0 ? null : Number((passedWell / hits).toFixed(4)),
  }
}

export function overviewToWire(overview: ZoneOverview): Wire<typeof overviewSchema> {
  const { range, requests, mitigated, events, bytes, requestBytes, statuses } = overview
  return {
    ...rangeToWire(range),
    requests,
    mitigated,
    events,
    bytes,
    request_bytes: requestBytes,
    statuses: statusesToWire(statuses),
    mitigated_by_action: overview.mitigatedByAction.map(countedToWire),
    mitigated_by_source: overview.mitigatedBySource.map(countedToWire),
  }
}

function statusesToWire(counts: ZoneOverview['statuses']): Wire<typeof overviewSchema>['statuses'] {
  const [none = 0, informational = 0, success = 0, redirect = 0, client = 0, server = 0] = counts
  return { none, '1xx': informational, '2xx': success, '3xx': redirect, '4xx': client, '5xx': server }
}

function countedToWire({ value, requests }: CountedBy): CountedBy {
  return { value, requests }
}

/** @param names id of a zone → its name; deleted zones have none and are omitted */
export function accountOverviewToWire(
  zones: readonly ZoneTraffic[],
  names: ReadonlyMap<string, string>,
  limit: number,
): Wire<typeof accountOverviewSchema> {
  const present = zones
    .filter(({ zoneId }) => names.has(zoneId))
    .sort((a, b) => b.day.requests - a.day.requests || (a.zoneId < b.zoneId ? -1 : 1))
  return {
    hour: sumOf(present.map(({ hour }) => hour)),
    day: sumOf(present.map(({ day }) => day)),
    zones: present.slice(0, limit).map(({ zoneId, hour, day }) => ({
      id: zoneId,
      name: names.get(zoneId) ?? '',
      hour: { requests: hour.requests, mitigated: hour.mitigated },
      day: { requests: day.requests, mitigated: day.mitigated },
    })),
    zones_total: present.length,
  }
}

function sumOf(parts: readonly ZoneTraffic['day'][]): ZoneTraffic['day'] {
  return parts.reduce(
    (sum, { requests, mitigated }) => ({
      requests: sum.requests + requests,
      mitigated: sum.mitigated + mitigated,
    }),
    { requests: 0, mitigated: 0 },
  )
}
