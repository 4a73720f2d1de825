import { type Static, Type } from 'typebox'
import { name, oneOf, strict, valueExpression } from './parts.ts'
import { Shape } from './shape.ts'

/** @source Cloudflare API, redirect rule: `from_value` of dynamic redirects, `from_list` of bulk redirects */
export const redirectShape = new Shape(
  Type.Object(
    {
      from_value: Type.Optional(
        Type.Object(
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
      ),
      from_list: Type.Optional(Type.Object({ name, key: valueExpression }, strict)),
    },
    oneOf,
  ),
)

export type RedirectParameters = Static<typeof redirectShape.schema>
