import { type Static, Type } from 'typebox'
import { rulesetLimits } from '../limits.ts'
import { oneOf, someOf, strict, valueExpression } from './parts.ts'
import { Shape } from './shape.ts'

/** `rewrite` in `http_request_transform`. @source Cloudflare API, rewrite rule */
export const rewriteUriShape = new Shape(
  Type.Object(
    {
      uri: Type.Object(
        {
          path: Type.Optional(
            Type.Object(
              {
                value: Type.Optional(
                  Type.String({
                    pattern: '^/[\\x21\\x22\\x24-\\x3e\\x40-\\x7e]*$',
                    description: 'a path: / and visible ASCII characters without ? and #',
                  }),
                ),
                expression: Type.Optional(valueExpression),
              },
              oneOf,
            ),
          ),
          query: Type.Optional(
            Type.Object(
              {
                value: Type.Optional(
                  Type.String({
                    pattern: '^[\\x21\\x22\\x24-\\x7e]*$',
                    description: 'a query: visible ASCII characters without #',
                  }),
                ),
                expression: Type.Optional(valueExpression),
              },
              oneOf,
            ),
          ),
        },
        someOf,
      ),
    },
    strict,
  ),
  {
    meaningless: { origin: 'the URI from the client and the URI to the origin are always the same' },
    misplaced: {
      headers: 'headers are rewritten in http_request_late_transform and http_response_headers_transform',
    },
  },
)

const value = Type.Optional(
  Type.String({
    pattern: '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$',
    description: 'a text without control characters',
  }),
)

const headerChange = Type.Object(
  {
    operation: Type.Enum(['add', 'set', 'remove']),
    value,
    expression: Type.Optional(valueExpression),
  },
  { ...strict, description: '`add` and `set` take one of `value` and `expression`, `remove` neither' },
)

/** `rewrite` in `http_request_late_transform` and `http_response_headers_transform`. */
export const rewriteHeadersShape = new Shape(
  Type.Object(
    {
      headers: Type.Record(Type.String(), headerChange, {
        minProperties: 1,
        maxProperties: rulesetLimits.headerChangesMax,
      }),
    },
    strict,
  ),
  { misplaced: { uri: 'paths and queries are rewritten in http_request_transform' } },
)

export type RewriteUriParameters = Static<typeof rewriteUriShape.schema>
export type RewriteHeadersParameters = Static<typeof rewriteHeadersShape.schema>
export type HeaderChangeParameters = Static<typeof headerChange>
