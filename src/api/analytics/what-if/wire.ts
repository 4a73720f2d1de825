import { Type } from '@fastify/type-provider-typebox'
import type { Cell, Matrix, SampleExample } from '../../../analytics/index.ts'
import { timestampOf } from '../../../kit/clock.ts'
import {
  count,
  describedCount,
  describedShare,
  describedText,
  text,
  time,
  type Wire,
} from '../../http/schemas.ts'
import { rangeToWire } from '../wire.ts'

const level = Type.Integer({ minimum: 1, maximum: 4 })

const range = {
  since: Type.String({
    format: 'date-time',
    description: 'Inclusive, aligned to minutes, and not before the oldest stored sample',
  }),
  until: Type.String({ format: 'date-time', description: 'Exclusive' }),
}

/** A request, in examples. */
export const exampleRequest = {
  datetime: time,
  ray_id: text,
  client_ip: text,
  client_country: text,
  host: text,
  method: text,
  path: text,
  action: describedText('Action taken, in lower case; empty if none'),
}

export const matchedRule = {
  id: describedText('ID of the rule in the managed ruleset'),
  ref: describedText('CRS rule number'),
  score: count,
}

const cell = {
  threshold: count,
  acted_on: describedCount('Samples whose score reaches the threshold, or that a rule stops by itself'),
  share: describedShare('acted_on / samples'),
}

export const matrixSchema = Type.Object({
  ...range,
  sample_rate: describedShare('Current setting'),
  samples: describedCount('Sampled requests'),
  requests: describedCount('All requests of the zone'),
  sample_share: describedShare('samples / requests'),
  held_up: describedCount('Samples of mitigated requests: block, challenges, closed connections'),
  left_out: describedCount('Selected requests that were skipped for lack of CPU time or memory'),
  incomplete: describedCount('Samples whose rules were not all evaluated'),
  cost: Type.Object({
    evaluated: describedCount('Samples that needed a second evaluation; none if the zone runs every level'),
    cpu_ms: Type.Number({ minimum: 0 }),
    cpu_ms_per_sample: Type.Number({
      minimum: 0,
      description: 'CPU milliseconds of each additional evaluation',
    }),
  }),
  thresholds: Type.Array(count, { description: 'Highest first' }),
  levels: Type.Array(Type.Object({ paranoia_level: level, cells: Type.Array(Type.Object(cell)) })),
})

const valueCount = Type.Array(Type.Object({ value: text, samples: count }), {
  description: 'In descending order',
})

const cellExample = Type.Object({
  ...exampleRequest,
  score: describedCount('At the level'),
  scores: Type.Array(count, { description: 'At levels 1 to 4' }),
  stopped_by_rule: Type.Boolean({ description: 'A rule stops the request by itself, at any score' }),
  rules: Type.Array(
    Type.Object({
      ...matchedRule,
      description: text,
      paranoia_level: Type.Integer({ description: 'Lowest level at which the rule is enabled in this zone' }),
      counts: Type.Boolean({ description: 'Whether the rule is enabled at the level' }),
    }),
  ),
})

export const cellSchema = Type.Object({
  ...range,
  paranoia_level: level,
  samples: count,
  ...cell,
  acted_on_anew: describedCount('Part of acted_on: requests that the zone did not mitigate'),
  let_through: describedCount('Samples of mitigated requests that would pass'),
  paths: valueCount,
  clients: valueCount,
  rules: Type.Array(
    Type.Object({ id: matchedRule.id, ref: matchedRule.ref, description: text, samples: count }),
    { description: 'Rules that score at the level, in descending order of samples' },
  ),
  examples: Type.Array(cellExample, { description: 'The newest samples' }),
})

/** Descriptions of the rules of the managed ruleset, by rule id. */
export type Descriptions = ReadonlyMap<string, string>

export function matrixToWire(matrix: Matrix, rate: number): Wire<typeof matrixSchema> {
  const { samples, requests, evaluated, cpuMs } = matrix
  return {
    ...rangeToWire(matrix.range),
    sample_rate: rate,
    samples,
    requests,
    sample_share: requests === 0 ? 0 : rounded(samples / requests, 6),
    held_up: matrix.heldUp,
    left_out: matrix.leftOut,
    incomplete: matrix.incomplete,
    cost: {
      evaluated,
      cpu_ms: rounded(cpuMs, 3),
      cpu_ms_per_sample: evaluated === 0 ? 0 : rounded(cpuMs / evaluated, 3),
    },
    thresholds: matrix.thresholds,
    levels: matrix.levels.map((counts, at) => ({
      paranoia_level: at + 1,
      cells: counts.map((acted, index) => ({
        threshold: matrix.thresholds[index] ?? 0,
        acted_on: acted,
        share: samples === 0 ? 0 : rounded(acted / samples, 6),
      })),
    })),
  }
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

export function cellToWire(
  cell: Cell,
  level: number,
  threshold: number,
  descriptions: Descriptions,
): Wire<typeof cellSchema> {
  const { samples, acted } = cell
  return {
    ...rangeToWire(cell.range),
    paranoia_level: level,
    threshold,
    samples,
    acted_on: acted,
    share: samples === 0 ? 0 : rounded(acted / samples, 6),
    acted_on_anew: cell.actedAnew,
    let_through: cell.letThrough,
    paths: cell.paths,
    clients: cell.clients,
    rules: cell.rules.map(({ value, samples: count }) => {
      const [id = '', ref = ''] = value.split(' ', 2)
      return { id, ref, description: descriptions.get(id) ?? '', samples: count }
    }),
    examples: cell.examples.map(example => exampleToWire(example, level, descriptions)),
  }
}

function exampleToWire(
  example: SampleExample,
  level: number,
  descriptions: Descriptions,
): Wire<typeof cellExample> {
  return {
    datetime: timestampOf(example.time),
    ray_id: example.ray,
    client_ip: example.client,
    client_country: example.country,
    host: example.host,
    method: example.method,
    path: example.path,
    action: example.action,
    score: example.scores[level - 1] ?? 0,
    scores: example.scores,
    stopped_by_rule: example.stops > 0 && example.stops <= level,
    rules: example.rules.map(([id, ref, ruleLevel, score]) => ({
      id,
      ref,
      description: descriptions.get(id) ?? '',
      paranoia_level: ruleLevel,
      score,
      counts: ruleLevel <= level,
    })),
  }
}
