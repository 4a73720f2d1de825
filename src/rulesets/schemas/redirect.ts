import { type Static, Type } from 'typebox'
import { oneOf, strict, valueExpression } from './parts.ts'
import { Shape } from './shape.ts'

/** @source Cloudflare API, redirect rule */
export const redirectShape = new Shape(
  Type.Object(
    {
      from_value: Type.Object(
        {
          target_url: Type.Object(
            {
              value: Type.Optional(
                Type.String({
                  pattern:
                    '^([Hh][Tt][Tt][Pp][Ss]?://(?![/?#\\\\])[\\x21-\\x7e]|/(?![/\\\\]))[\\x21-\\x7e]*$',
                  description: 'an http or https URL or a path, in visible ASCII characters',
                }),
              ),
              expression: Type.Optional(valueExpression),
            },
            oneOf,
          ),
          status_code: Type.Optional(Type.Enum([301, 302, 303, 307, 308])),
          preserve_query_string: Type.Optional(Type.Boolean()),
        },
        strict,
      ),
    },
    strict,
  ),
  { meaningless: { from_list: 'there is no phase for bulk redirects; use from_value' } },
)

export type RedirectParameters = Static<typeof redirectShape.schema>
