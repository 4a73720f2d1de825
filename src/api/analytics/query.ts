import { type Static, Type } from '@fastify/type-provider-typebox'
import type { EventFilter, EventPosition, TimeRange } from '../../analytics/index.ts'
import { analyticsLimits } from '../../analytics/limits.ts'
import { momentForms, momentOf } from '../../logpush/index.ts'
import { type ApiError, refusal } from '../http/errors.ts'
import { optional, strict } from '../http/schemas.ts'
import { analyticsRequestLimits } from './limits.ts'

const dayMs = 86_400_000

/** Text of an event filter. */
const text = (description: string, example: string) =>
  optional(
    Type.String({
      minLength: 1,
      maxLength: analyticsRequestLimits.filterCharactersMax,
      description,
      examples: [example],
    }),
  )

const moment = (description: string, example: string) =>
  optional(Type.String({ maxLength: 64, description, examples: [example] }))

export const rangeQuery = {
  since: moment(`Inclusive; by default a day before \`until\`. ${momentForms}`, '2026-01-02T00:00:00Z'),
  until: moment('Exclusive; by default now', '2026-01-03T00:00:00Z'),
}

export const filterQuery = {
  action: text('Action, in lower case', 'block'),
  source: text(
    'Product that acted: firewallcustom, firewallmanaged, ratelimit, securitylevel, bic or hot',
    'ratelimit',
  ),
  rule_id: text(
    'The rule that acted; for a managed ruleset, its last rule',
    '6179ae15870a4bb7b2d480d4843b323c',
  ),
  matched_rule_id: text('A rule of a managed ruleset that matched', '5de7edfa648c4d6891dc3e7f84534ffa'),
  ray_id: optional(Type.String({ pattern: '^[0-9a-f]{16}$', examples: ['9f2d61e0c3a4b587'] })),
  client_ip: text('Address of the client, as events show it', '198.51.100.7'),
  country: text('Country of the client, in lower case; xx if unknown', 'nz'),
  method: text('Method of the request', 'POST'),
  host: text('Host of the request', 'shop.example'),
  path: text('Path of the request', '/search'),
  user_agent: text('User-Agent of the request', 'curl/8'),
}

export const eventsQuery = Type.Object(
  {
    ...rangeQuery,
    ...filterQuery,
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: analyticsLimits.pageMax,
        description: `By default ${analyticsLimits.pageDefault}. A page can hold fewer events, or none, and still have a next page`,
      }),
    ),
    cursor: optional(Type.String({ maxLength: 64, description: 'Cursor of the previous page' })),
  },
  strict,
)

export const exportQuery = Type.Object(
  {
    ...rangeQuery,
    ...filterQuery,
    format: optional(Type.Enum(['ndjson', 'csv'], { description: 'By default ndjson' })),
  },
  strict,
)

/** Dimensions of event counts, in their wire form. */
export const dimensions = [
  'rule_id',
  'matched_rule_id',
  'path',
  'client_ip',
  'country',
  'user_agent',
  'host',
] as const

export const groupings = [
  'none',
  'action',
  'rule_id',
  'matched_rule_id',
  'path',
  'client_ip',
  'country',
] as const

export const seriesQuery = Type.Object(
  {
    ...rangeQuery,
    ...filterQuery,
    group_by: optional(
      Type.Enum([...groupings], {
        description:
          'none: all requests, mitigated requests, and events; with a filter only the events that match. Otherwise events by this dimension, with a series for each of the largest values',
      }),
    ),
    step: optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        multipleOf: 60,
        description: 'Seconds, a multiple of 60. By default the range has at most 300 steps',
        examples: [3600],
      }),
    ),
  },
  strict,
)

export const topQuery = Type.Object(
  {
    ...rangeQuery,
    ...filterQuery,
    by: Type.Enum([...dimensions]),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: analyticsRequestLimits.topMax,
        description: `By default ${analyticsRequestLimits.topDefault}`,
      }),
    ),
  },
  strict,
)

export const rangeOnlyQuery = Type.Object(rangeQuery, strict)

export const accountOverviewQuery = Type.Object(
  {
    zone_ids: optional(
      Type.String({
        maxLength: 33 * analyticsRequestLimits.zonesAskedMax,
        description: `Only these zones: at most ${analyticsRequestLimits.zonesAskedMax} comma-separated ids`,
        examples: ['023e105f4ecef8ad9ca31a8372d0c353'],
      }),
    ),
    limit: optional(
      Type.Integer({
        minimum: 1,
        maximum: analyticsRequestLimits.overviewZonesMax,
        description: `By default ${analyticsRequestLimits.overviewZonesDefault}`,
      }),
    ),
  },
  strict,
)

interface RangeText {
  readonly since?: string
  readonly until?: string
}

/** @throws ApiError 400 */
export function rangeOf({ since, until }: RangeText, nowMs: number): TimeRange {
  const untilMs = until === undefined ? nowMs : readMoment('until', until)
  const sinceMs = since === undefined ? untilMs - dayMs : readMoment('since', since)
  if (sinceMs >= untilMs) throw badTime('since', since ?? '', 'it is not before until')
  if (untilMs - sinceMs > analyticsRequestLimits.rangeMsMax) {
    const days = analyticsRequestLimits.rangeMsMax / dayMs
    throw badTime('since', since ?? '', `it is more than ${days} days before until`)
  }
  return { sinceMs, untilMs }
}

function readMoment(field: string, value: string): number {
  const ms = momentOf(value)
  if (ms === undefined) throw badTime(field, value, `it has to be ${momentForms} (write + as %2B)`)
  return ms
}

function badTime(field: string, value: string, reason: string): ApiError {
  return refusal('badValue', { value: value.slice(0, 64), field, reason })
}

type FilterText = Static<ReturnType<typeof Type.Object<typeof filterQuery>>>

/** Actions, sources and countries match in any letter case: events have them in lower case. */
export function filterOf(query: FilterText): EventFilter {
  return {
    ...has('action', query.action?.toLowerCase()),
    ...has('source', query.source?.toLowerCase()),
    ...has('rule', query.rule_id),
    ...has('matchedRule', query.matched_rule_id),
    ...has('ray', query.ray_id),
    ...has('client', query.client_ip),
    ...has('country', query.country?.toLowerCase()),
    ...has('path', query.path),
    ...has('method', query.method),
    ...has('host', query.host),
    ...has('userAgent', query.user_agent),
  }
}

function has<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string }
}

/** Opaque to clients. */
export function eventCursor({ timeMs, id }: EventPosition): string {
  return Buffer.from(`${timeMs}.${id}`).toString('base64url')
}

/** @throws ApiError 400 for a text that no page gave out */
export function readEventCursor(cursor: string): EventPosition {
  const [, time, id] = /^(\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const position = { timeMs: Number(time), id: Number(id) }
  if (id !== undefined && eventCursor(position) === cursor) return position
  const reason = 'no page has this cursor; start again without one'
  throw refusal('badValue', { value: cursor, field: 'cursor', reason })
}

const minuteMs = 60_000
/** Steps that read well on an axis. */
const roundSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map(minutes => minutes * minuteMs)

/**
 * @param seconds as requested; without it, a step that gives the range few points
 * @throws ApiError 400
 */
export function stepOf(seconds: number | undefined, { sinceMs, untilMs }: TimeRange): number {
  const rangeMs = untilMs - sinceMs
  if (seconds === undefined)
    return (
      roundSteps.find(step => rangeMs / step <= analyticsRequestLimits.pointsDefault) ?? roundSteps.at(-1)!
    )
  if (rangeMs / (seconds * 1000) <= analyticsRequestLimits.pointsMax) return seconds * 1000
  const reason = `the range has more than ${analyticsRequestLimits.pointsMax} such steps`
  throw refusal('badValue', { value: String(seconds), field: 'step', reason })
}

/** @throws ApiError 400 */
export function readZoneIds(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const ids = text.split(',')
  if (ids.length <= analyticsRequestLimits.zonesAskedMax && ids.every(id => /^[0-9a-f]{32}$/.test(id)))
    return new Set(ids)
  const reason = `it has to be at most ${analyticsRequestLimits.zonesAskedMax} comma-separated zone ids`
  throw refusal('badValue', { value: text.slice(0, 100), field: 'zone_ids', reason })
}
