import { Type } from '@fastify/type-provider-typebox'
import type { PreviewExample, PreviewOutcome, PreviewPage, TimeRange } from '../../../analytics/index.ts'
import { timestampOf } from '../../../kit/clock.ts'
import { count, describedCount, describedText, text, time, type Wire } from '../../http/schemas.ts'
import { exampleRequest, matchedRule } from './wire.ts'

/** Most relevant outcome first. */
const order = [
  'let_through',
  'possibly_let_through',
  'undecided',
  'still_held_up',
  'not_held_up',
  'unaffected',
] as const satisfies readonly PreviewOutcome[]

const example = Type.Object({
  outcome: Type.Enum([...order], { description: 'Named after the counts of the response' }),
  ...exampleRequest,
  rule_id: describedText('The rule that acted; for a managed ruleset, its last rule'),
  score: count,
  remaining_score: describedCount('Score without the skipped rules'),
  threshold: count,
  rules: Type.Array(
    Type.Object({
      ...matchedRule,
      target: describedText('First matched target, such as ARGS:q; never the value'),
      skipped: Type.Boolean(),
    }),
  ),
  unknown_fields: Type.Array(text),
})

export const previewSchema = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Start of the replayed range' }),
  until: time,
  complete: Type.Boolean({
    description: 'False if there were too many events: only the newest, back to since, were replayed',
  }),
  events: describedCount('Recorded events of the range'),
  matched: describedCount('Events that the expression matches'),
  let_through: describedCount('Matched events that were mitigated and would pass'),
  possibly_let_through: describedCount(
    'Would pass if each rule has no match besides its first; events name only the first match',
  ),
  undecided: describedCount(
    'Events that would pass if the expression matched; it uses fields that events do not record',
  ),
  still_held_up: describedCount('Matched events whose remaining score still reaches the threshold'),
  not_held_up: describedCount('Matched events that were only logged, or whose challenge was passed'),
  unaffected: describedCount('Matched events of rules outside the exception'),
  unknown_fields: Type.Array(Type.Object({ name: text, events: count }), {
    description: 'Missing fields of the undecided events',
  }),
  examples: Type.Array(example, { description: 'The newest examples of each outcome' }),
})

export interface Replayed extends Omit<PreviewPage, 'next'> {
  /** Start of the replayed part, if a limit ended the replay. */
  readonly stoppedMs: number | undefined
}

export function previewToWire(
  replayed: Replayed,
  { sinceMs, untilMs }: TimeRange,
): Wire<typeof previewSchema> {
  const { events, matched, outcomes, unknownFields, examples, stoppedMs } = replayed
  return {
    since: timestampOf(stoppedMs ?? sinceMs),
    until: timestampOf(untilMs),
    complete: stoppedMs === undefined,
    events,
    matched,
    ...outcomes,
    unknown_fields: Object.entries(unknownFields)
      .map(([name, count]) => ({ name, events: count }))
      .sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1)),
    examples: order.flatMap(outcome => examples.filter(one => one.outcome === outcome).map(exampleToWire)),
  }
}

function exampleToWire(preview: PreviewExample): Wire<typeof example> {
  return {
    outcome: preview.outcome,
    datetime: timestampOf(preview.timeMs),
    ray_id: preview.ray,
    client_ip: preview.client,
    client_country: preview.country,
    host: preview.host,
    method: preview.method,
    path: preview.path,
    action: preview.action,
    rule_id: preview.rule,
    score: preview.score,
    remaining_score: preview.remainingScore,
    threshold: preview.threshold,
    rules: preview.rules,
    unknown_fields: preview.unknownFields,
  }
}
