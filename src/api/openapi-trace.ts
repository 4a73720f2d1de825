import { Type } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import type { Operation } from './openapi-operation.ts'
import { traceBody } from './trace-body.ts'

const optional = Type.Optional
const text = Type.String()
const said = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })
const number = (description: string) => Type.Integer({ description })
const record = Type.Record(Type.String(), Type.Unknown())

/** One that refers to itself. */
const items = Type.Unsafe<object[]>({ type: 'array', items: { $ref: '#/components/schemas/TraceItem' } })

const condition = Type.Object({
  operator: said('Such as @rx or !@within; empty when the rule asks nothing'),
  parameter: text,
  values: Type.Array(
    Type.Object({
      target: text,
      original: said('As it came'),
      steps: Type.Array(Type.Object({ transformation: text, value: text }), {
        description: 'Transformations that changed it',
      }),
      found: said('The part that matched; empty for operators that know none'),
    }),
  ),
})

const match = Type.Object(
  {
    target: said('What matched, such as ARGS:q'),
    value: said('What matched there, after transformations; bytes that are not printable as \\xHH'),
    data: said('What the rule says of it'),
    score: number('Points that it added'),
    total: number('The score up to here'),
    score_threshold: Type.Integer(),
    phase: number('Of the rule engine, 1 to 5'),
    paranoia_level: number('0 for none'),
    severity: text,
    tags: Type.Array(text),
    conditions: Type.Array(condition, {
      description: 'What the rule asks, and of which values; empty when the body is longer than 64 KB',
    }),
  },
  { description: 'Of a rule of a managed ruleset; Sluice’s own' },
)

const item = Type.Object({
  type: Type.Enum(['phase', 'ruleset', 'rule']),
  step_name: said('Name of the phase, id of the ruleset or rule'),
  matched: flag('Did it, or anything below it, match?'),
  trace: optional(items),
  name: optional(said('Of a ruleset')),
  kind: optional(said('Of a ruleset')),
  description: optional(text),
  expression: optional(said('Of a rule')),
  action: optional(said('Of a rule')),
  action_parameters: optional(Type.Unknown()),
  reached: optional(
    flag('Of a phase: false when the request was over before. Sluice’s own, as all that follow'),
  ),
  version: optional(said('Of a ruleset')),
  level: optional(Type.Enum(['account', 'zone'])),
  ref: optional(said('Of a rule; of the OWASP ruleset its number, such as 942100')),
  evaluation: optional(
    Type.Enum(['matched', 'not_matched', 'skipped', 'not_reached', 'failed'], {
      description: 'failed: its expression costs too much on this request',
    }),
  ),
  skipped_by: optional(said('The skip rule that left it, or what it executes, out')),
  did: optional(said('What it did, as records spell actions')),
  score: optional(number('Of a managed ruleset: what the request came to')),
  score_threshold: optional(number('Of a managed ruleset: what its last rule acts at')),
  acts: optional(flag('Of a managed ruleset: false when its last rule is switched off or skipped')),
  acted: optional(flag('Of a managed ruleset: its last rule took the action')),
  incomplete: optional(flag('Of a managed ruleset: not all of its rules were evaluated')),
  rules_on: optional(number('Of a managed ruleset: rules that are switched on')),
  matches_omitted: optional(number('Of a managed ruleset: how many more matched than are listed')),
  match: optional(match),
})

const outcome = Type.Object({
  kind: Type.Enum(['forward', 'answer', 'drop'], {
    description: 'To the origin; answered by the edge itself; closed without an answer',
  }),
  action: optional(said('What ended the request, as records spell it')),
  rule_id: optional(said('The rule that ended it')),
  reason: optional(said('Why the edge refuses it, where no rule does')),
  location: optional(said('Where the answer leads to')),
  uri: optional(said('Path and query as the origin gets them')),
  host: optional(said('The Host header that the origin gets')),
})

export const traceSchemas: Readonly<Record<string, TSchema>> = {
  TraceInput: traceBody,
  TraceItem: item,
  RequestTrace: Type.Object({
    status_code: optional(number('Of the edge’s own answer; absent when the request goes to the origin')),
    trace: items,
    zone: Type.Object({ id: text, name: text }, { description: 'Sluice’s own, as all that follow' }),
    ray_id: said('Of this trace; no record has it'),
    outcome,
    records: Type.Object(
      {
        http_requests: record,
        firewall_events: Type.Array(record),
        not_known: Type.Array(text, { description: 'Fields that only a real request fills' }),
      },
      { description: 'What would be logged, secrets taken out' },
    ),
  }),
}

export function requestTracerOperations(account: string): Record<string, Operation> {
  return {
    [`POST ${account}/request-tracer/trace`]: {
      id: 'traceRequest',
      tag: 'Request tracer',
      summary: 'What the edge would do with a request; the origin is not asked',
      need: ['requestTracer', 'read'],
      result: 'RequestTrace',
    },
  }
}
