import { type Static, Type } from '@fastify/type-provider-typebox'
import { traceLimits } from '../kit/limits.ts'

const strict = { additionalProperties: false }
const text = Type.String({ maxLength: 4096 })
const optional = Type.Optional

const geoloc = Type.Object(
  {
    city: optional(text),
    continent: optional(Type.String({ description: 'Follows from the country; not used' })),
    is_eu_country: optional(Type.Boolean({ description: 'Follows from the country; not used' })),
    iso_code: optional(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]$', description: 'Country, such as DE' })),
    latitude: optional(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: optional(Type.Number({ minimum: -180, maximum: 180 })),
    postal_code: optional(text),
    region_code: optional(text),
    subdivision_2_iso_code: optional(text),
    timezone: optional(text),
  },
  strict,
)

const context = Type.Object(
  {
    bot_score: optional(Type.Number({ description: 'Not used: the edge works it out from the headers' })),
    client_ip: optional(
      Type.String({
        maxLength: 45,
        description: 'Who asks; 192.0.2.1 without it. Sluice’s own',
      }),
    ),
    geoloc: optional(geoloc),
    skip_challenge: optional(Type.Boolean({ description: 'The client has solved its challenge' })),
    threat_score: optional(Type.Number({ description: 'Not used: no rule can ask for it' })),
  },
  strict,
)

/** One line, or several of the same name. */
const headerValue = Type.Union([Type.String(), Type.Array(Type.String())])

/** @source Cloudflare API, Request Trace; what is said to be Sluice’s own is not in it */
export const traceBody = Type.Object(
  {
    method: Type.String({ minLength: 1, maxLength: 32 }),
    url: Type.String({ minLength: 1, maxLength: traceLimits.urlCharactersMax }),
    body: optional(
      Type.Object(
        {
          base64: optional(Type.String()),
          json: optional(Type.Unknown()),
          plain_text: optional(Type.String()),
        },
        { ...strict, description: 'At most one of the three' },
      ),
    ),
    context: optional(context),
    cookies: optional(Type.Record(Type.String(), Type.String())),
    headers: optional(
      Type.Record(Type.String(), headerValue, {
        description: 'In this order; an array stands for several lines of the name, which is Sluice’s own',
      }),
    ),
    protocol: optional(Type.Enum(['HTTP/1.0', 'HTTP/1.1'])),
    skip_response: optional(Type.Boolean({ description: 'The origin is not asked in any case' })),
  },
  strict,
)

export type TraceBody = Static<typeof traceBody>
export type TraceContext = Static<typeof context>
