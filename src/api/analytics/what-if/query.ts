import { Type } from '@fastify/type-provider-typebox'
import { type ApiError, refusal } from '../../http/errors.ts'
import { optional, strict } from '../../http/schemas.ts'
import { whatIfLimits } from '../limits.ts'
import { rangeQuery } from '../query.ts'

const { thresholdsMax, topMax, topDefault } = whatIfLimits

/** Low, Medium and High, as the dashboard names them. */
const defaultThresholds = [60, 40, 25]

export const matrixQuery = Type.Object(
  {
    ...rangeQuery,
    thresholds: optional(
      Type.String({
        maxLength: 11 * thresholdsMax,
        description: `At most ${thresholdsMax} comma-separated scores; by default ${defaultThresholds.join()}`,
        examples: ['60,40,25,15'],
      }),
    ),
  },
  strict,
)

export const cellQuery = Type.Object(
  {
    ...rangeQuery,
    paranoia_level: Type.Integer({ minimum: 1, maximum: 4, examples: [2] }),
    threshold: Type.Integer({ minimum: 1, maximum: whatIfLimits.thresholdMax, examples: [25] }),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: topMax,
        description: `Number of paths, of clients and of rules; by default ${topDefault}`,
      }),
    ),
  },
  strict,
)

export const samplingBody = Type.Object(
  {
    sample_rate: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the requests, 0 to 1; 0 turns sampling off',
    }),
  },
  strict,
)

export const previewBody = Type.Object(
  {
    expression: Type.String({ description: 'Requests that the exception applies to' }),
    action_parameters: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'Parameters of the skip rule in the entry point of http_request_firewall_managed: ruleset, rulesets, rules or targets',
      },
    ),
    since: rangeQuery.since,
    until: rangeQuery.until,
  },
  strict,
)

/** @throws ApiError 400 */
export function thresholdsOf(text: string | undefined): readonly number[] {
  if (text === undefined) return defaultThresholds
  const parts = text.split(',')
  const numbers = parts.map(part => (/^[1-9]\d{0,9}$/.test(part) ? Number(part) : Number.NaN))
  if (numbers.some(number => !(number <= whatIfLimits.thresholdMax)))
    throw badThresholds(text, 'each has to be a whole number of 1 or more')
  if (numbers.length > thresholdsMax) throw badThresholds(text, `there are at most ${thresholdsMax}`)
  return [...new Set(numbers)].sort((a, b) => b - a)
}

function badThresholds(value: string, reason: string): ApiError {
  return refusal('badValue', { value: value.slice(0, 64), field: 'thresholds', reason })
}
