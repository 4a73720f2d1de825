import { type Static, Type } from 'typebox'
import { integer, name, strict } from './parts.ts'
import { Shape } from './shape.ts'

/**
 * `serve_error`: `content` with its type, or the name of an asset. Cloudflare takes a status up to 999; HTTP defines none
 * above 599 (RFC 9110 15), and Node's HTTP/2 sends none.
 * @source Cloudflare docs, "Custom errors parameters"
 */
export const serveErrorShape = new Shape(
  Type.Object(
    {
      content: Type.Optional(name),
      content_type: Type.Optional(Type.Enum(['text/html', 'text/plain', 'application/json', 'text/xml'])),
      asset_name: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9_]{1,200}$',
          description: 'at most 200 letters, digits and underscores',
        }),
      ),
      status_code: Type.Optional(integer(400, 599)),
    },
    strict,
  ),
)

export type ServeErrorParameters = Static<typeof serveErrorShape.schema>
