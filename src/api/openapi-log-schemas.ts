import { Type } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import { redactionLimits } from '../kit/limits.ts'

const time = Type.String({ format: 'date-time' })
const optional = Type.Optional
const text = Type.String()
const count = Type.Integer({ minimum: 0 })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const bytesMax = { minimum: 0, maximum: 1_000_000_000, description: '0 or from 5,000,000' }
const secondsMax = { minimum: 0, maximum: 300, description: '0 or from 30' }
const recordsMax = { minimum: 0, maximum: 1_000_000, description: '0 or from 1,000' }

const settings = {
  name: optional(nullable(Type.String({ pattern: '^[a-zA-Z0-9._-]*$', maxLength: 512 }))),
  enabled: optional(Type.Boolean()),
  frequency: optional(nullable(Type.Enum(['high', 'low']))),
  kind: optional(nullable(Type.Enum(['', 'edge']))),
  logpull_options: optional(nullable(text)),
  output_options: optional(nullable(Type.Object({}))),
  filter: optional(nullable(Type.String({ description: 'JSON text: {"where": …}' }))),
  filter_attack_traffic: optional(nullable(Type.Boolean())),
  max_upload_bytes: optional(nullable(Type.Integer(bytesMax))),
  max_upload_interval_seconds: optional(nullable(Type.Integer(secondsMax))),
  max_upload_records: optional(nullable(Type.Integer(recordsMax))),
}

const destination_conf = Type.String({ maxLength: 4096 })

const written = {
  ...settings,
  dataset: optional(nullable(text)),
  ownership_challenge: optional(nullable(Type.String({ maxLength: 4096 }))),
  start: optional(
    nullable(
      Type.Union([text, Type.Integer()], {
        description:
          'The job begins with records that were received from this time on; when it becomes enabled. Sluice’s own',
      }),
    ),
  ),
}

const amounts = { uploads: count, lines: count, bytes: count, bytes_compressed: count }
const total = Type.Object(amounts)

/** Schemas of what the routes about logs answer and take, by their names in the OpenAPI document. */
export const logSchemas: Readonly<Record<string, TSchema>> = {
  LogpushJobInput: Type.Object({ ...written, destination_conf }),
  LogpushJobUpdate: Type.Object({ ...written, destination_conf: optional(destination_conf) }),
  LogpushJob: Type.Object({
    id: Type.Integer(),
    dataset: text,
    ...settings,
    destination_conf: Type.String({ description: 'masked for credentials that may not change it' }),
    last_complete: nullable(time),
    last_error: nullable(time),
    error_message: nullable(text),
  }),
  JobId: Type.Object({ id: Type.Integer() }),
  LogpushReplay: Type.Object({
    id: Type.Integer({ minimum: 1 }),
    job_id: Type.Integer({ minimum: 1 }),
    start: Type.String({ format: 'date-time', description: 'included' }),
    end: Type.String({ format: 'date-time', description: 'not included' }),
    retained_since: nullable(
      Type.String({
        format: 'date-time',
        description: 'records before this were not kept any more; null when none was missing',
      }),
    ),
    status: Type.Enum(['running', 'completed', 'failed', 'canceled']),
    created_on: time,
    completed_on: nullable(time),
    lines: count,
    objects: count,
    error_message: nullable(text),
  }),
  LogpushHealth: Type.Object({
    state: Type.Enum(['disabled', 'running', 'retrying', 'paused']),
    lag_seconds: count,
    oldest_undelivered: nullable(time),
    last_complete: nullable(time),
    last_error: nullable(time),
    error_message: nullable(text),
    retained_since: nullable(
      Type.String({
        format: 'date-time',
        description: 'when the oldest record that is kept was received: as far as replays can go back',
      }),
    ),
    totals: Type.Object({ successful: total, retry: total, failed: total, missing: total }),
    hours: Type.Array(
      Type.Object({
        hour: time,
        outcome: Type.Enum(['successful', 'retry', 'failed', 'missing']),
        status: Type.String({ description: 'HTTP status, or what went wrong in a word' }),
        ...amounts,
      }),
    ),
    lags: Type.Array(Type.Object({ hour: time, lag_seconds_max: count }), {
      description: 'how far the job was behind at worst in each hour that it ran in',
    }),
  }),
  Redaction: Type.Object({
    authorization: Type.Boolean(),
    cookies: Type.Boolean(),
    query_credentials: Type.Boolean(),
    card_numbers: Type.Boolean(),
    query_parameters: Type.Array(text, { maxItems: redactionLimits.parametersMax }),
  }),
  InstantSession: Type.Object({
    session_id: text,
    destination_conf: Type.String({ description: 'Address of the WebSocket' }),
    kind: Type.Enum(['instant-logs']),
    fields: text,
    filter: text,
    sample: Type.Integer(),
  }),
  LogSample: Type.Object({
    records: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'newest first, with the fields that have a value; times are nanoseconds as text',
    }),
    newest: nullable(Type.String({ format: 'date-time', description: 'when the first was received' })),
    oldest: nullable(Type.String({ format: 'date-time', description: 'when the last was received' })),
    looked_at: Type.Integer({ minimum: 0, description: 'records of all zones and datasets that were read' }),
    limited: Type.Boolean({
      description: 'fewer than were asked for, though older records are kept that were not looked at',
    }),
  }),
  LogRetention: Type.Object({ flag: Type.Boolean() }),
  Fields: Type.Object(
    {},
    { description: 'Name of a field → its type and meaning', additionalProperties: text },
  ),
  Ownership: Type.Object({ filename: text, valid: Type.Boolean(), message: text }),
  Valid: Type.Object({ valid: Type.Boolean(), message: optional(text) }),
  Exists: Type.Object({ exists: Type.Boolean() }),
}
