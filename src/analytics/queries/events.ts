import { unpackBlock } from '../blocks.ts'
import { analyticsLimits } from '../limits.ts'
import type { EventPosition, TimeRange } from '../positions.ts'
import { hourMs, minuteMs } from '../schema.ts'
import type { EventQuestion } from '../types.ts'
import { rayNumber } from '../values.ts'
import { type Conditions, conditionsOf } from './filter.ts'
import type { Reader } from './reader.ts'

/** An event in the form that is sent to the calling thread. */
export interface RawEvent {
  readonly position: EventPosition
  /** The record as in the log. */
  readonly record: string
}

export interface RawPage {
  readonly events: readonly RawEvent[]
  readonly next: EventPosition | undefined
}

interface Found {
  readonly time: number
  readonly id: number
  readonly block: number
  readonly slot: number
}

interface Search {
  readonly zone: number
  readonly sinceMs: number
  /** Before this position only. */
  readonly before: EventPosition
  readonly limit: number
  readonly conditions: Conditions
}

const columns = 'time, id, block, slot'
const none: RawPage = { events: [], next: undefined }

export function findEvents(reader: Reader, zoneId: string, question: EventQuestion): RawPage {
  return reader.atOnce(() => {
    const zone = reader.texts.find(zoneId)
    const conditions = conditionsOf(question.filter, reader)
    if (zone === undefined || conditions === undefined) return none
    const { sinceMs, untilMs } = question.range
    const search: Search = {
      zone,
      sinceMs: Math.max(sinceMs, reader.eventsSinceMs()),
      before: firstOf(question.before, { timeMs: untilMs, id: 0 }),
      // One more shows whether there is another page.
      limit: question.limit + 1,
      conditions,
    }
    const { found, next } = conditions.index === undefined ? walk(reader, search) : lookUp(reader, search)
    const shown = found.slice(0, question.limit)
    const last = shown.at(-1)
    return {
      events: load(reader, shown),
      next: found.length > shown.length && last !== undefined ? { timeMs: last.time, id: last.id } : next,
    }
  })
}

/** In the order of writing, which is the order of the rules. */
export function findRay(reader: Reader, zoneId: string, rayId: string): readonly RawEvent[] {
  return reader.atOnce(() => {
    const zone = reader.texts.find(zoneId)
    const ray = rayNumber(rayId)
    if (zone === undefined || ray === undefined) return []
    const found = reader.all<Found>(
      `select ${columns} from events indexed by events_by_ray where zone = ? and ray = ? order by time, id limit ?`,
      zone,
      ray,
      analyticsLimits.pageMax,
    )
    return load(reader, found)
  })
}

function firstOf(one: EventPosition | undefined, other: EventPosition): EventPosition {
  if (one === undefined) return other
  return one.timeMs < other.timeMs || (one.timeMs === other.timeMs && one.id < other.id) ? one : other
}

interface Findings {
  readonly found: readonly Found[]
  readonly next: EventPosition | undefined
}

/** Searches by an index; the other conditions are checked for each event found. */
function lookUp(reader: Reader, { zone, sinceMs, before, limit, conditions }: Search): Findings {
  const { sql, values, index } = conditions
  const range = 'zone = ? and time >= ? and (time, id) < (?, ?)'
  const named = `from events indexed by ${index!.name} where ${range} and ${index!.column} = ? order by time desc, id desc`
  const key = [zone, sinceMs, before.timeMs, before.id, index!.value]
  const found = reader.all<Found>(
    `select ${columns} from (select * ${named} limit ?) where ${sql} order by time desc, id desc limit ?`,
    ...key,
    analyticsLimits.lookedUpMax,
    ...values,
    limit,
  )
  if (found.length === limit) return { found, next: undefined }
  const last = reader.get<Found>(
    `select ${columns} ${named} limit 1 offset ?`,
    ...key,
    analyticsLimits.lookedUpMax - 1,
  )
  return { found, next: last === undefined ? undefined : { timeMs: last.time, id: last.id } }
}

/** Searches all events from the newest on, some minutes at a time, and skips minutes without possible matches. */
function walk(reader: Reader, search: Search): Findings {
  const { zone, before, limit, conditions } = search
  const found: Found[] = []
  let scanned = 0
  for (const window of windows(reader, search)) {
    found.push(
      ...reader.all<Found>(
        `select ${columns} from events where zone = ? and time >= ? and (time, id) < (?, ?) and ${conditions.sql}
         order by time desc, id desc limit ?`,
        zone,
        window.sinceMs,
        ...(window.untilMs < before.timeMs ? [window.untilMs, 0] : [before.timeMs, before.id]),
        ...conditions.values,
        limit - found.length,
      ),
    )
    scanned += window.events
    if (found.length >= limit) break
    if (scanned >= analyticsLimits.scannedMax) return { found, next: { timeMs: window.sinceMs, id: 0 } }
  }
  return { found, next: undefined }
}

interface Window extends TimeRange {
  readonly events: number
}

/** Newest first; neighbouring minutes together while they have few events. */
function* windows(reader: Reader, search: Search): Generator<Window, void> {
  const { sinceMs, before, conditions } = search
  const endMs = before.timeMs + 1
  for (let hour = Math.floor((endMs - 1) / hourMs); hour >= Math.floor(sinceMs / hourMs); hour--) {
    if (!mayHave(reader, search.zone, conditions, hour)) continue
    let open: Window | undefined
    for (const { minute, events, wanted } of minutesOfHour(reader, search, hour)) {
      if (wanted === 0) continue
      const startMs = Math.max(minute * minuteMs, sinceMs)
      const stopMs = Math.min((minute + 1) * minuteMs, endMs)
      if (startMs >= stopMs) continue
      const joins = open !== undefined && open.sinceMs === stopMs
      if (open !== undefined && (!joins || open.events + events > analyticsLimits.windowEvents)) {
        yield open
        open = undefined
      }
      open = { sinceMs: startMs, untilMs: open?.untilMs ?? stopMs, events: (open?.events ?? 0) + events }
    }
    if (open !== undefined) yield open
  }
}

function mayHave(reader: Reader, zone: number, { counted }: Conditions, hour: number): boolean {
  return counted.every(({ dimension, anyOf }) =>
    anyOf.some(
      value =>
        reader.get(
          'select 1 from values_hours where zone = ? and dimension = ? and hour = ? and value = ?',
          zone,
          dimension,
          hour,
          value,
        ) !== undefined,
    ),
  )
}

interface MinuteCount {
  readonly minute: number
  readonly events: number
  /** Minutes with the wanted action and source. */
  readonly wanted: number
}

function minutesOfHour(reader: Reader, { zone, conditions }: Search, hour: number): readonly MinuteCount[] {
  const { action = null, source = null } = conditions
  return reader.all<MinuteCount>(
    `select minute, sum(count) as events,
       sum(case when (?1 is null or action = ?1) and (?2 is null or source = ?2) then count else 0 end) as wanted
     from actions where zone = ?3 and minute >= ?4 and minute < ?5 and kind = 1
     group by minute order by minute desc`,
    action,
    source,
    zone,
    hour * 60,
    (hour + 1) * 60,
  )
}

/** Each block is read once. */
function load(reader: Reader, found: readonly Found[]): readonly RawEvent[] {
  const records = new Array<string>(found.length)
  const byBlock = new Map<number, number[]>()
  for (const [at, { block }] of found.entries()) {
    const slots = byBlock.get(block)
    if (slots === undefined) byBlock.set(block, [at])
    else slots.push(at)
  }
  for (const [block, slots] of byBlock) {
    const row = reader.get<{ data: Uint8Array }>('select data from blocks where id = ?', block)
    const texts = row === undefined ? [] : unpackBlock(row.data)
    for (const at of slots) records[at] = texts[found[at]!.slot] ?? ''
  }
  return found.map(({ time, id }, at) => ({ position: { timeMs: time, id }, record: records[at]! }))
}
