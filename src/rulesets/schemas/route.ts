import { type Static, Type } from 'typebox'
import { integer, someOf, strict } from './parts.ts'
import { Shape } from './shape.ts'

const host = Type.String({
  maxLength: 255,
  pattern: '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])$',
  description: 'a host name or an address, IPv6 in brackets',
})

/** @source Cloudflare API, route rule */
export const routeShape = new Shape(
  Type.Object(
    {
      host_header: Type.Optional(
        Type.String({
          maxLength: 255,
          pattern: '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?$',
          description: 'a host name or an address, with a port or without',
        }),
      ),
      origin: Type.Optional(
        Type.Object({ host: Type.Optional(host), port: Type.Optional(integer(1, 65535)) }, someOf),
      ),
      sni: Type.Optional(
        Type.Object(
          {
            value: Type.String({ maxLength: 255, pattern: '^[A-Za-z0-9._-]+$', description: 'a host name' }),
          },
          strict,
        ),
      ),
    },
    someOf,
  ),
)

export type RouteParameters = Static<typeof routeShape.schema>
