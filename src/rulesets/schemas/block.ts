import { type Static, Type } from 'typebox'
import { integer, name, strict } from './parts.ts'
import { Shape } from './shape.ts'

/** `block`: all three members of `response` are needed when it is there. @source Cloudflare API, block rule */
export const blockShape = new Shape(
  Type.Object(
    {
      response: Type.Optional(
        Type.Object(
          {
            status_code: integer(400, 499),
            content: name,
            content_type: Type.Enum(['text/html', 'text/plain', 'application/json', 'text/xml']),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
)

export type BlockParameters = Static<typeof blockShape.schema>
