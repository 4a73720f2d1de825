import { type Static, Type } from '@fastify/type-provider-typebox'
import { optional, strict } from '../http/schemas.ts'
import { traceRequestLimits } from './limits.ts'

const text = Type.String({ maxLength: traceRequestLimits.textCharactersMax })

const geoloc = Type.Object(
  {
    city: optional(text),
    continent: optional(Type.String({ description: 'Not used: derived from the country' })),
    is_eu_country: optional(Type.Boolean({ description: 'Not used: derived from the country' })),
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
    bot_score: optional(Type.Number({ description: 'Not used: the edge computes it from the headers' })),
    client_ip: optional(
      Type.String({
        maxLength: 45,
        description: 'Address of the client; by default 192.0.2.1. Sluice’s own',
      }),
    ),
    geoloc: optional(geoloc),
    skip_challenge: optional(Type.Boolean({ description: 'The client has solved its challenge' })),
    threat_score: optional(Type.Number({ description: 'Not used: no rule can read it' })),
  },
  strict,
)

/** One line, or several of the same name. */
const headerValue = Type.Union([Type.String(), Type.Array(Type.String())])

/** @source Cloudflare API, Request Trace; members marked as Sluice's own are extensions */
export const traceBody = Type.Object(
  {
    method: Type.String({ minLength: 1, maxLength: 32 }),
    url: Type.String({ minLength: 1, maxLength: traceRequestLimits.urlCharactersMax }),
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
        description: 'Sent in this order; an array makes several lines of one name, which is Sluice’s own',
      }),
    ),
    protocol: optional(Type.Enum(['HTTP/1.0', 'HTTP/1.1'])),
    skip_response: optional(Type.Boolean({ description: 'Has no effect: the origin is never contacted' })),
  },
  strict,
)

export type TraceBody = Static<typeof traceBody>
export type TraceContext = Static<typeof context>
