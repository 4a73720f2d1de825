import { Type } from '@fastify/type-provider-typebox'
import { count, describedCount, describedShare, describedText, nullable, text } from '../http/schemas.ts'
import { dimensions, groupings } from './query.ts'

const range = {
  since: Type.String({
    format: 'date-time',
    description:
      'Inclusive, aligned to steps. If the range has too many events for a filter, the start of its newest part',
  }),
  until: Type.String({ format: 'date-time', description: 'Exclusive' }),
}

export const seriesSchema = Type.Object({
  value: describedText(
    'Value of the group_by dimension; for none: requests, mitigated or events, and with a filter only events',
  ),
  ref: describedText('For matched_rule_id the CRS rule number; otherwise empty'),
  total: count,
  counts: Type.Array(count, { description: 'One count per step' }),
})

export const timeseriesSchema = Type.Object({
  ...range,
  step: Type.Integer({
    minimum: 60,
    description:
      'Step of the response in seconds: an hour if the dimension has too many events for smaller steps',
  }),
  group_by: Type.Enum([...groupings]),
  series: Type.Array(seriesSchema, { description: 'The largest series, in descending order' }),
  other: nullable(seriesSchema),
})

export const topSchema = Type.Object({
  ...range,
  by: Type.Enum([...dimensions]),
  values: Type.Array(
    Type.Object({
      value: text,
      ref: describedText('For matched_rule_id the CRS rule number; otherwise empty'),
      events: count,
      mitigated: describedCount('Events among them whose action mitigated the request'),
    }),
  ),
  other_events: describedCount('Events of all other values; an event counts once per matched rule'),
  total_events: count,
})

export const hitsSchema = Type.Object({
  hits: describedCount('Requests that the rule matched, with or without an action'),
  mitigated: describedCount('Hits that were mitigated, by this rule or another'),
  passed_well: describedCount('Hits that reached the origin and got a status below 400'),
  false_positive_share: nullable(
    describedShare(
      'passed_well / hits: an upper estimate of the false positives if the rule decided alone. Mitigated requests count as attacks, requests that the origin answered with a status below 400 as legitimate. null without hits',
    ),
  ),
})

export const ruleHitsSchema = Type.Object({
  day: Type.Object(range),
  week: Type.Object(range),
  rules: Type.Array(Type.Object({ rule_id: text, ref: text, day: hitsSchema, week: hitsSchema }), {
    description: 'Rules with hits in the week, in descending order of hits',
  }),
})

const byName = Type.Array(Type.Object({ value: text, requests: count }))

export const overviewSchema = Type.Object({
  ...range,
  requests: count,
  mitigated: count,
  events: count,
  bytes: describedCount('Sent to clients'),
  request_bytes: describedCount('Sent by clients'),
  statuses: Type.Object({
    none: describedCount('A rule dropped the connection'),
    '1xx': count,
    '2xx': count,
    '3xx': count,
    '4xx': count,
    '5xx': count,
  }),
  mitigated_by_action: byName,
  mitigated_by_source: byName,
})

const traffic = Type.Object({ requests: count, mitigated: count })

export const accountOverviewSchema = Type.Object({
  hour: traffic,
  day: traffic,
  zones: Type.Array(Type.Object({ id: text, name: text, hour: traffic, day: traffic }), {
    description: 'Zones with requests in the last day, in descending order of requests',
  }),
  zones_total: describedCount('Number of zones with requests, listed or not'),
})
