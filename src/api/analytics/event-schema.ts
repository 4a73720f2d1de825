import { Type } from '@fastify/type-provider-typebox'
import { count, describedCount, describedText, optional, text, time, type Wire } from '../http/schemas.ts'

export const matchedRuleSchema = Type.Object({
  id: describedText('ID of the rule in the managed ruleset'),
  ref: describedText('CRS rule number'),
  score: Type.Integer(),
  total: Type.Integer({ description: 'Score after this rule' }),
  target: describedText('Matched target, such as ARGS:q; never the value'),
})

const managedFacts = {
  score: optional(Type.Integer({ description: 'Score of the request' })),
  threshold: optional(Type.Integer({ description: 'Threshold of the last rule' })),
  rules: optional(Type.Array(matchedRuleSchema)),
  rules_omitted: optional(describedCount('Further matched rules that are not listed')),
}

const example = {
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
}

export const eventSchema = Type.Object(
  {
    id: describedText('Unique within the zone'),
    datetime: time,
    ray_id: text,
    action: describedText('In lower case: block, managedchallenge, log, skip, …'),
    source: describedText(
      'firewallcustom, firewallmanaged, ratelimit, securitylevel, bic, hot, ip, iprange, asn, country, uablock or zonelockdown',
    ),
    rule_id: describedText('The rule that acted; for a managed ruleset, its last rule'),
    ref: text,
    description: text,
    match_index: describedCount('Index among the events of the request, from 0 for the last'),
    client_ip: text,
    client_asn: count,
    client_country: text,
    method: text,
    scheme: text,
    host: text,
    path: text,
    query: describedText('With its question mark'),
    protocol: text,
    user_agent: text,
    referer: text,
    edge_status: count,
    origin_status: describedCount('0 if the origin was not contacted'),
    metadata: Type.Object(
      {
        type: optional(Type.Enum(['customer', 'managed'])),
        ruleset_id: optional(text),
        ruleset_version: optional(text),
        version: optional(text),
        ...managedFacts,
        encrypted_matched_data: optional(describedText('The encrypted payload; see docs/reference/zones.md')),
        shadow: optional(Type.Object({}, { description: 'Findings of the zone’s shadow' })),
      },
      { additionalProperties: true },
    ),
  },
  { examples: [example] },
)

export type WireEvent = Wire<typeof eventSchema>
