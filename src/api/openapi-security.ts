import { Type } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import type { Operation } from './openapi-operation.ts'
import { dimensions, groupings } from './security-query.ts'

const optional = Type.Optional
const text = Type.String()
const count = Type.Integer({ minimum: 0 })
const time = Type.String({ format: 'date-time' })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const counted = (description: string) => Type.Integer({ minimum: 0, description })
const said = (description: string) => Type.String({ description })

const range = {
  since: Type.String({
    format: 'date-time',
    description:
      'Included. As answered: of whole steps; with a filter the newest part of a range with very many events',
  }),
  until: Type.String({ format: 'date-time', description: 'Not included' }),
}

const matchedRule = Type.Object({
  id: said('Of the rule in the managed ruleset'),
  ref: said('Its number in the CRS'),
  score: Type.Integer(),
  total: Type.Integer({ description: 'The score up to here' }),
  target: said('What matched, such as ARGS:q; never the value'),
})

const managedFacts = {
  score: optional(Type.Integer({ description: 'What the request came to' })),
  threshold: optional(Type.Integer({ description: 'What the last rule acts at' })),
  rules: optional(Type.Array(matchedRule)),
  rules_omitted: optional(counted('How many more matched than are listed')),
}

const event = Type.Object(
  {
    id: said('Of the event; no other event of the zone has it'),
    datetime: time,
    ray_id: text,
    action: said('In lower case: block, managedchallenge, log, skip, …'),
    source: said('firewallcustom, firewallmanaged, ratelimit or securitylevel'),
    rule_id: said('The rule that acted; of a managed ruleset its last rule'),
    ref: text,
    description: text,
    match_index: counted('Place among the events of the request, counted from the last, which has 0'),
    client_ip: text,
    client_asn: count,
    client_country: text,
    method: text,
    scheme: text,
    host: text,
    path: text,
    query: said('With its question mark'),
    protocol: text,
    user_agent: text,
    referer: text,
    edge_status: count,
    origin_status: counted('0 when the origin was not asked'),
    metadata: Type.Object(
      {
        type: optional(Type.Enum(['customer', 'managed'])),
        ruleset_id: optional(text),
        ruleset_version: optional(text),
        version: optional(text),
        ...managedFacts,
        encrypted_matched_data: optional(said('The payload; docs/payload-logging.md')),
        shadow: optional(Type.Object({}, { description: 'What the shadow of the zone found' })),
      },
      { additionalProperties: true },
    ),
  },
  {
    examples: [
      {
        id: '1767323045123-42',
        datetime: '2026-01-02T03:04:05.123000Z',
        ray_id: '9f2d61e0c3a4b587',
        action: 'block',
        source: 'firewallmanaged',
        rule_id: '6179ae15870a4bb7b2d480d4843b323c',
        ref: '',
        description: 'OWASP Core Ruleset',
        match_index: 0,
        client_ip: '198.51.100.7',
        client_asn: 64500,
        client_country: 'nz',
        method: 'GET',
        scheme: 'https',
        host: 'shop.example',
        path: '/search',
        query: '?q=1%27%20or%201=1',
        protocol: 'HTTP/1.1',
        user_agent: 'curl/8',
        referer: '',
        edge_status: 403,
        origin_status: 0,
        metadata: {
          type: 'managed',
          ruleset_id: '4814384a9e5d4991b9815dcfc25d2f1f',
          ruleset_version: '3',
          version: '3',
          score: 5,
          threshold: 5,
          rules: [
            {
              id: '5de7edfa648c4d6891dc3e7f84534ffa',
              ref: '942100',
              score: 5,
              total: 5,
              target: 'ARGS:q',
            },
          ],
        },
      },
    ],
  },
)

const rayRule = Type.Object({
  action: nullable(said('What it did; null when it did nothing')),
  rule_id: said('Empty where the record does not say: managed rules that did nothing'),
  ref: text,
  description: text,
  ruleset_id: text,
  score: nullable(Type.Integer({ description: 'Of managed rulesets' })),
  threshold: nullable(Type.Integer({ description: 'Of managed rulesets; null when they did nothing' })),
  matched: Type.Array(matchedRule),
  matched_omitted: count,
})

const ray = Type.Object({
  ray_id: text,
  datetime: time,
  phases: Type.Array(
    Type.Object({
      phase: text,
      outcome: Type.Enum(['ended', 'acted', 'matched', 'passed', 'not_reached', 'unknown'], {
        description:
          'ended: a rule here answered the request; acted: rules did something and it went on; matched: managed rules matched and nothing was done; passed: nothing matched; not_reached: an earlier phase ended it; unknown: the request record, which would say, is not kept any more',
      }),
      rules: Type.Array(rayRule),
    }),
    { description: 'Those with security rules, in the order in which a request goes through them' },
  ),
  events: Type.Array(event),
  request: nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The record of http_requests, as log push would deliver it with every field; null when it was not found in the record log',
      },
    ),
  ),
  request_search: Type.Enum(['found', 'not_kept', 'unfinished'], {
    description:
      'not_kept: the record log was searched whole; unfinished: it was not, for it is too long, or too many search it',
  }),
})

const series = Type.Object({
  value: said('Of group_by; of none requests, mitigated and events, with a filter events'),
  ref: said('Of matched_rule_id: the number in the CRS; else empty'),
  total: count,
  counts: Type.Array(count, { description: 'One for each step' }),
})

const traffic = Type.Object({ requests: count, mitigated: count })
const byName = Type.Array(Type.Object({ value: text, requests: count }))

const hits = Type.Object({
  hits: counted('Requests that the rule matched, acted on or not'),
  mitigated: counted('Of these, those that were held up, by this rule or another'),
  passed_well: counted(
    'Of these, those that went on to the origin and were answered with a status below 400',
  ),
  false_positive_share: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'passed_well / hits: an upper estimate of what the rule would hold up wrongly if it decided alone. Nobody knows the intent of a request: those that were held up count as attacks, those that the origin answered well as none. null without hits',
    }),
  ),
})

/** Schemas of what the routes about security answer, by their names in the OpenAPI document. */
export const securitySchemas: Readonly<Record<string, TSchema>> = {
  SecurityEvent: event,
  SecurityRay: ray,
  SecuritySeries: series,
  SecurityTimeseries: Type.Object({
    ...range,
    step: Type.Integer({
      minimum: 60,
      description:
        'Seconds, as answered: an hour when there are too many events to count them by the dimension in smaller steps',
    }),
    group_by: Type.Enum([...groupings]),
    series: Type.Array(series, { description: 'The largest, largest first' }),
    other: nullable(series),
  }),
  SecurityTop: Type.Object({
    ...range,
    by: Type.Enum([...dimensions]),
    values: Type.Array(
      Type.Object({
        value: text,
        ref: said('Of matched_rule_id: the number in the CRS; else empty'),
        events: count,
        mitigated: counted('Of these, those whose action held the request up'),
      }),
    ),
    other_events: counted('Events of all other values; an event with several matched rules counts for each'),
    total_events: count,
  }),
  SecurityRuleHits: Type.Object({
    day: Type.Object(range),
    week: Type.Object(range),
    rules: Type.Array(Type.Object({ rule_id: text, ref: text, day: hits, week: hits }), {
      description: 'Every rule with hits in the week, most hits first',
    }),
  }),
  SecurityOverview: Type.Object({
    ...range,
    requests: count,
    mitigated: count,
    events: count,
    bytes: counted('Sent to clients'),
    request_bytes: counted('Sent by clients'),
    statuses: Type.Object({
      none: counted('A rule dropped the connection'),
      '1xx': count,
      '2xx': count,
      '3xx': count,
      '4xx': count,
      '5xx': count,
    }),
    mitigated_by_action: byName,
    mitigated_by_source: byName,
  }),
  SecurityAccountOverview: Type.Object({
    hour: traffic,
    day: traffic,
    zones: Type.Array(Type.Object({ id: text, name: text, hour: traffic, day: traffic }), {
      description: 'Those with requests in the last day, most requests first',
    }),
    zones_total: counted('How many zones had requests, listed or not'),
  }),
}

/** @param account path of an account @param zone path of a zone */
export function securityOperations(account: string, zone: string): Record<string, Operation> {
  const base = `${zone}/security`
  const one = (id: string, summary: string, result?: string): Operation => ({
    id,
    tag: 'Security analytics',
    summary,
    // They tell of people what records tell.
    need: ['zoneLogs', 'read'],
    ...(result === undefined ? {} : { result }),
  })
  return {
    [`GET ${base}/events`]: one(
      'listSecurityEvents',
      'List what security rules did to the requests of a zone, newest first',
      'list:SecurityEvent',
    ),
    [`GET ${base}/events/export`]: one(
      'exportSecurityEvents',
      'Every event that passes the filter, newest first, as lines of JSON or CSV',
    ),
    [`GET ${base}/rays/:ray_id`]: one(
      'getSecurityRay',
      'Why a request was answered as it was: every phase and rule in order',
      'SecurityRay',
    ),
    [`GET ${base}/timeseries`]: one(
      'getSecurityTimeseries',
      'Requests or events over time',
      'SecurityTimeseries',
    ),
    [`GET ${base}/top`]: one('getSecurityTop', 'Where most events come from', 'SecurityTop'),
    [`GET ${base}/rules`]: one(
      'listSecurityRuleHits',
      'Hits of every rule in the last 24 hours and 7 days',
      'SecurityRuleHits',
    ),
    [`GET ${base}/overview`]: one('getSecurityOverview', 'Requests of a zone in sums', 'SecurityOverview'),
    [`GET ${account}/security/overview`]: {
      ...one('getSecurityAccountOverview', 'Requests of the zones of an account', 'SecurityAccountOverview'),
      need: ['accountLogs', 'read'],
    },
  }
}
