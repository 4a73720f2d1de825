import { type Static, Type } from 'typebox'
import { rulesetLimits } from '../limits.ts'
import { rulesetCodes } from '../problems.ts'
import { filled, integer, name, strict } from './parts.ts'
import { Shape } from './shape.ts'

/** `ratelimit` of a rule in `http_ratelimit`. @source Cloudflare API, rate limiting rules */
export const rateLimitShape = new Shape(
  Type.Object(
    {
      characteristics: Type.Array(name, {
        ...filled,
        maxItems: rulesetLimits.rateLimitCharacteristicsMax,
      }),
      period: integer(1, 86_400),
      requests_per_period: Type.Optional(integer(1)),
      mitigation_timeout: Type.Optional(integer(0, 86_400)),
      counting_expression: Type.Optional(Type.String()),
      requests_to_origin: Type.Optional(Type.Boolean()),
      score_per_period: Type.Optional(integer(1)),
      score_response_header_name: Type.Optional(
        Type.String({
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
          description: 'the name of a header',
        }),
      ),
    },
    strict,
  ),
  { code: rulesetCodes.rateLimitInvalid },
)

export type RateLimitParameters = Static<typeof rateLimitShape.schema>
