import { Type } from '@fastify/type-provider-typebox'
import { describedText, json, optional, text } from './schemas.ts'

export const errorEntrySchema = Type.Object({
  code: optional(
    Type.Integer({
      description: 'docs/reference/api.md lists the codes; only `request is not authorized` has none',
    }),
  ),
  message: text,
  source: optional(Type.Object({ pointer: describedText('JSON pointer into the request body') })),
  error_chain: optional(Type.Array(Type.Object({ code: optional(Type.Integer()), message: text }))),
  meta: optional(
    Type.Record(Type.String(), json, {
      description: 'details for programs; docs/reference/rulesets.md describes those of a stale write',
    }),
  ),
})

export const messageSchema = Type.Object({
  code: Type.Integer(),
  message: text,
  type: Type.Null(),
})

/** Of pages by number and of pages by cursor. The cursor has both spellings: clients read one or the other. */
export const pageInfoSchema = Type.Object({
  page: optional(Type.Integer()),
  per_page: optional(Type.Integer()),
  count: optional(Type.Integer()),
  total_count: optional(Type.Integer()),
  total_pages: optional(Type.Integer()),
  cursor: optional(text),
  cursors: optional(Type.Object({ before: optional(text), after: optional(text) })),
})

export const failureSchema = Type.Object({
  result: Type.Null(),
  success: Type.Literal(false),
  errors: Type.Array(errorEntrySchema),
  messages: Type.Array(json),
})
