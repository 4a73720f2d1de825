import { type Static, Type } from 'typebox'
import { name, strict } from './parts.ts'
import { Shape } from './shape.ts'

const fields = Type.Optional(Type.Array(Type.Object({ name }, strict)))
const responseFields = Type.Optional(
  Type.Array(Type.Object({ name, preserve_duplicates: Type.Optional(Type.Boolean()) }, strict)),
)

/** Header names in lower case. @source Cloudflare API, log custom field rule */
export const logCustomFieldShape = new Shape(
  Type.Object(
    {
      request_fields: fields,
      transformed_request_fields: fields,
      response_fields: responseFields,
      raw_response_fields: responseFields,
      cookie_fields: fields,
    },
    strict,
  ),
)

export type LogCustomFieldParameters = Static<typeof logCustomFieldShape.schema>
