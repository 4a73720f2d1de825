import { Type } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import type { Operation } from './openapi-operation.ts'
import { samplingBody } from './what-if-query.ts'

const text = Type.String()
const count = Type.Integer({ minimum: 0 })
const time = Type.String({ format: 'date-time' })
const said = (description: string) => Type.String({ description })
const counted = (description: string) => Type.Integer({ minimum: 0, description })
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })
const level = Type.Integer({ minimum: 1, maximum: 4 })

const range = {
  since: Type.String({
    format: 'date-time',
    description: 'Included. As answered: whole minutes, and none from before samples are kept',
  }),
  until: Type.String({ format: 'date-time', description: 'Not included' }),
}

const request = {
  datetime: time,
  ray_id: text,
  client_ip: text,
  client_country: text,
  host: text,
  method: text,
  path: text,
  action: said('What was done, in lower case; empty when nothing'),
}

const matchedRule = {
  id: said('Of the rule in the managed ruleset'),
  ref: said('Its number in the CRS'),
  score: count,
}

const valueCount = Type.Array(Type.Object({ value: text, samples: count }), { description: 'Most first' })

const cell = {
  threshold: count,
  acted_on: counted('Samples whose score is at or above the threshold, or that a rule stops by itself'),
  share: share('acted_on / samples'),
}

const outcome = Type.Enum(
  ['let_through', 'possibly_let_through', 'undecided', 'still_held_up', 'not_held_up', 'unaffected'],
  { description: 'As the counts of the answer' },
)

/** Schemas of what the routes answer, by their names in the OpenAPI document. */
export const whatIfSchemas: Readonly<Record<string, TSchema>> = {
  WhatIf: Type.Object({
    ...range,
    sample_rate: share('As set now'),
    samples: counted('Requests that were sampled'),
    requests: counted('Requests of the zone, sampled or not'),
    sample_share: share('samples / requests'),
    held_up: counted('Samples of requests that the zone held up: block, challenges, closed connections'),
    left_out: counted('Requests that were drawn and left out, for want of processor time or room'),
    incomplete: counted('Samples whose rules were not evaluated to the end'),
    cost: Type.Object({
      evaluated: counted(
        'Samples that were evaluated once more; where the zone runs every level, its own run tells all',
      ),
      cpu_ms: Type.Number({ minimum: 0 }),
      cpu_ms_per_sample: Type.Number({ minimum: 0, description: 'Of those that were evaluated once more' }),
    }),
    thresholds: Type.Array(count, { description: 'Highest first' }),
    levels: Type.Array(Type.Object({ paranoia_level: level, cells: Type.Array(Type.Object(cell)) })),
  }),
  WhatIfCell: Type.Object({
    ...range,
    paranoia_level: level,
    samples: count,
    ...cell,
    acted_on_anew: counted('Of acted_on: requests that the zone did not hold up'),
    let_through: counted('Samples of requests that the zone held up, and that would go through'),
    paths: valueCount,
    clients: valueCount,
    rules: Type.Array(
      Type.Object({ id: matchedRule.id, ref: matchedRule.ref, description: text, samples: count }),
      { description: 'Rules that score at the level, most samples first' },
    ),
    examples: Type.Array(
      Type.Object({
        ...request,
        score: counted('At the level'),
        scores: Type.Array(count, { description: 'At levels 1 to 4' }),
        stopped_by_rule: Type.Boolean({ description: 'A rule stops it by itself, whatever the score' }),
        rules: Type.Array(
          Type.Object({
            ...matchedRule,
            description: text,
            paranoia_level: Type.Integer({ description: 'The lowest at which the rule is on in this zone' }),
            counts: Type.Boolean({ description: 'It is on at the level' }),
          }),
        ),
      }),
      { description: 'The newest' },
    ),
  }),
  WhatIfSampling: samplingBody,
  ExceptionPreview: Type.Object({
    since: Type.String({ format: 'date-time', description: 'Events before it were not looked at' }),
    until: time,
    complete: Type.Boolean({
      description: 'False when there are too many events: the newest were looked at, back to since',
    }),
    events: counted('Recorded events of the range'),
    matched: counted('Of these, events that the expression matches'),
    let_through: counted('Matched events that were held up and would not be any more'),
    possibly_let_through: counted(
      'The same, if the rules match nowhere but where the event says: it names the first match of each rule',
    ),
    undecided: counted(
      'Events that would be let through if the expression matched, which depends on fields that events do not record',
    ),
    still_held_up: counted('Matched events whose remaining score is at or above the threshold'),
    not_held_up: counted('Matched events that were only logged, or whose challenge was passed'),
    unaffected: counted('Matched events of rules that the exception does not touch'),
    unknown_fields: Type.Array(Type.Object({ name: text, events: count }), {
      description: 'Fields that would have decided what is undecided',
    }),
    examples: Type.Array(
      Type.Object({
        outcome,
        ...request,
        rule_id: said('The rule that acted; of a managed ruleset its last rule'),
        score: count,
        remaining_score: counted('Without the skipped rules'),
        threshold: count,
        rules: Type.Array(
          Type.Object({
            ...matchedRule,
            target: said('What matched first, such as ARGS:q; never the value'),
            skipped: Type.Boolean(),
          }),
        ),
        unknown_fields: Type.Array(text),
      }),
      { description: 'The newest few of each outcome' },
    ),
  }),
}

/** @param zone path of a zone */
export function whatIfOperations(zone: string): Record<string, Operation> {
  const base = `${zone}/security`
  const tag = 'Security analytics'
  return {
    [`GET ${base}/what_if`]: {
      id: 'getWhatIf',
      tag,
      summary: 'How many sampled requests each paranoia level and threshold would have acted on',
      need: ['zoneLogs', 'read'],
      result: 'WhatIf',
    },
    [`GET ${base}/what_if/cell`]: {
      id: 'getWhatIfCell',
      tag,
      summary: 'What one paranoia level and threshold would have acted on, with examples',
      need: ['zoneLogs', 'read'],
      result: 'WhatIfCell',
    },
    [`GET ${base}/what_if/sampling`]: {
      id: 'getWhatIfSampling',
      tag,
      summary: 'Which share of the requests is sampled',
      need: ['zoneWaf', 'read'],
      result: 'WhatIfSampling',
    },
    [`PUT ${base}/what_if/sampling`]: {
      id: 'updateWhatIfSampling',
      tag,
      summary: 'Set which share of the requests is sampled; 0 is off',
      need: ['zoneWaf', 'write'],
      result: 'WhatIfSampling',
    },
    [`POST ${base}/exceptions/preview`]: {
      id: 'previewException',
      tag,
      summary: 'Replay recorded events against an exception that is not there yet; changes nothing',
      need: ['zoneLogs', 'read'],
      alsoNeeds: 'Account Rule Lists Read or Zone WAF Write where the expression names a list',
      result: 'ExceptionPreview',
    },
  }
}

/** Request bodies for the document, by `operationId`. */
export const whatIfExamples = {
  updateWhatIfSampling: { sample_rate: 0.05 },
  previewException: {
    expression: 'http.host eq "shop.example" and http.request.uri.path eq "/search"',
    action_parameters: { targets: [{ tag: 'attack-sqli', collection: 'ARGS', key: 'q' }] },
    since: '2026-01-02T00:00:00Z',
    until: '2026-01-03T00:00:00Z',
  },
} as const
