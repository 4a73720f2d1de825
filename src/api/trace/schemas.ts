import { Type } from '@fastify/type-provider-typebox'
import type { TObject } from 'typebox'
import { describedText, optional, text, type Wire } from '../http/schemas.ts'

const flag = (description: string) => Type.Boolean({ description })
const number = (description: string) => Type.Integer({ description })
const record = Type.Record(Type.String(), Type.Unknown())

const condition = Type.Object({
  operator: describedText('Such as @rx or !@within; empty if the rule has none'),
  parameter: text,
  values: Type.Array(
    Type.Object({
      target: text,
      original: describedText('Before transformations'),
      steps: Type.Array(Type.Object({ transformation: text, value: text }), {
        description: 'Transformations that changed the value',
      }),
      found: describedText('The matched part; empty for operators that report none'),
    }),
  ),
})

const match = Type.Object(
  {
    target: describedText('Matched target, such as ARGS:q'),
    value: describedText('Matched value after transformations; non-printable bytes as \\xHH'),
    data: describedText('Log data of the rule'),
    score: number('Score that the rule added'),
    total: number('Score after this rule'),
    score_threshold: Type.Integer(),
    phase: number('Of the rule engine, 1 to 5'),
    paranoia_level: number('0 for none'),
    severity: text,
    tags: Type.Array(text),
    conditions: Type.Array(condition, {
      description:
        'Conditions of the rule with the values that they tested; empty for bodies longer than 64 KB',
    }),
  },
  { description: 'Of a rule of a managed ruleset; Sluice’s own' },
)

const head = {
  type: Type.Enum(['phase', 'ruleset', 'rule']),
  step_name: describedText(
    'Name of the phase, id of the ruleset or rule; of a check beside the phases the source that records name, such as zoneLockdown',
  ),
  matched: flag('Whether this step or a step below it matched'),
}

const details = {
  name: optional(describedText('Of a ruleset')),
  kind: optional(describedText('Of a ruleset')),
  description: optional(text),
  expression: optional(describedText('Of a rule')),
  action: optional(describedText('Of a rule')),
  action_parameters: optional(Type.Unknown()),
  reached: optional(
    flag('Of a phase: false if the request ended before it. Sluice’s own, like all following members'),
  ),
  version: optional(describedText('Of a ruleset')),
  level: optional(Type.Enum(['account', 'zone'])),
  ref: optional(describedText('Of a rule; for the OWASP ruleset the CRS rule number, such as 942100')),
  evaluation: optional(
    Type.Enum(['matched', 'not_matched', 'skipped', 'not_reached', 'failed'], {
      description: 'failed: the expression is too expensive for this request',
    }),
  ),
  skipped_by: optional(
    describedText('The skip rule or IP access rule that excluded this rule or the ruleset that it executes'),
  ),
  did: optional(describedText('Action taken, as written in records')),
  score: optional(number('Of a managed ruleset: score of the request')),
  score_threshold: optional(number('Of a managed ruleset: threshold of its last rule')),
  acts: optional(flag('Of a managed ruleset: false if its last rule is disabled or skipped')),
  acted: optional(flag('Of a managed ruleset: whether its last rule took its action')),
  incomplete: optional(flag('Of a managed ruleset: whether rules were left unevaluated')),
  rules_on: optional(number('Of a managed ruleset: number of enabled rules')),
  matches_omitted: optional(number('Of a managed ruleset: further matched rules that are not listed')),
  match: optional(match),
}

/** A step as Cloudflare has it: `type`, `step_name`, `matched`, `trace` and the description of a rule or ruleset. The other members are Sluice's own. */
export interface TraceItem extends Wire<TObject<typeof head & typeof details>> {
  readonly trace?: readonly TraceItem[]
}

/** A schema cannot hold itself, so that items refer to their schema by its name. */
const items = Type.Unsafe<readonly TraceItem[]>({
  type: 'array',
  items: { $ref: '#/components/schemas/TraceItem' },
})

export const traceItemSchema = Type.Object({ ...head, trace: optional(items), ...details })

const outcome = Type.Object({
  kind: Type.Enum(['forward', 'answer', 'drop'], {
    description: 'forward: to the origin; answer: by the edge; drop: connection closed without a response',
  }),
  action: optional(describedText('Action that ended the request, as written in records')),
  rule_id: optional(describedText('The rule that ended it')),
  reason: optional(describedText('Reason of a refusal by the edge itself')),
  location: optional(describedText('Target of the redirect')),
  uri: optional(describedText('Path and query that the origin receives')),
  host: optional(describedText('Host header that the origin receives')),
  origin: optional(describedText('Server that receives it; one of several that take turns')),
})

export const traceSchema = Type.Object({
  status_code: optional(number('Of the edge’s own response; absent if the request goes to the origin')),
  trace: items,
  zone: Type.Object({ id: text, name: text }, { description: 'Sluice’s own, like all following members' }),
  ray_id: describedText('Of this trace; no record has this Ray ID'),
  outcome,
  records: Type.Object(
    {
      http_requests: record,
      firewall_events: Type.Array(record),
      not_known: Type.Array(text, { description: 'Fields that only a real request sets' }),
    },
    { description: 'Records that would be logged, after redaction' },
  ),
})
