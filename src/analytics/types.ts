import type { LogRecord } from '../model/dataset.ts'
import type { PreviewPage, PreviewQuestion } from './preview/types.ts'
import type { Cell, CellQuestion, Matrix, MatrixQuestion } from './what-if/types.ts'

/** From `sinceMs` (included) to `untilMs` (not included), ms since the epoch. */
export interface TimeRange {
  readonly sinceMs: number
  readonly untilMs: number
}

/** What events have to be, each member exactly; those that are absent do not matter. */
export interface EventFilter {
  /** In lower case, as `firewall_events` has it. */
  readonly action?: string
  readonly source?: string
  /** Of the rule that acted; of managed rulesets their last rule. */
  readonly rule?: string
  /** Of a rule of a managed ruleset that matched. */
  readonly matchedRule?: string
  /** 16 lower-case hex digits. */
  readonly ray?: string
  readonly client?: string
  readonly country?: string
  readonly path?: string
  readonly method?: string
  readonly host?: string
  readonly userAgent?: string
}

/** What events can be counted by. */
export type Dimension = 'rule' | 'matched_rule' | 'path' | 'client' | 'country' | 'user_agent' | 'host'

/** A place among the events of a zone, which are in the order of their times. */
export interface EventPlace {
  readonly timeMs: number
  readonly id: number
}

export interface StoredEvent {
  readonly place: EventPlace
  /** A `firewall_events` record. */
  readonly fields: LogRecord
}

export interface EventQuestion {
  readonly range: TimeRange
  readonly filter: EventFilter
  readonly limit: number
  /** Events before this place only. */
  readonly before?: EventPlace
}

/** Newest first. A page may hold fewer than asked, or none, and yet have a next one. */
export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Where the next page begins; undefined when there is none. */
  readonly next: EventPlace | undefined
}

export type Grouping = 'none' | 'action' | Exclude<Dimension, 'user_agent' | 'host'>

export interface SeriesQuestion {
  readonly range: TimeRange
  /** Counts the events that pass, one by one. */
  readonly filter?: EventFilter
  readonly groupBy: Grouping
  readonly stepMs: number
}

export interface Series {
  readonly value: string
  /** Of `matched_rule`: number of the rule in its sources, such as 942100; empty of others, and when unknown. */
  readonly ref: string
  readonly total: number
  /** One for each step. */
  readonly counts: readonly number[]
}

export interface TimeSeries {
  /** As answered: whole steps; with a filter the newest part that has not too many events to look at. */
  readonly range: TimeRange
  /** As answered: an hour when there are too many events to count them in smaller steps by what was asked. */
  readonly stepMs: number
  /** Largest first; of `none`: `requests`, `mitigated` and `events`, with a filter `events`. */
  readonly series: readonly Series[]
  /** Events of values without a series of their own; undefined where there can be none. */
  readonly other: Series | undefined
}

export interface TopQuestion {
  readonly range: TimeRange
  /** As in `SeriesQuestion`. */
  readonly filter?: EventFilter
  readonly by: Dimension
  readonly limit: number
}

export interface TopValue {
  readonly value: string
  /** As in `Series`. */
  readonly ref: string
  readonly events: number
  /** Those whose action held the request up: block, challenges, closed connections. */
  readonly mitigated: number
}

export interface Top {
  /** As answered: whole hours where there are many events; with a filter as in `TimeSeries`. */
  readonly range: TimeRange
  readonly values: readonly TopValue[]
  /** Events of all the other values; of `matched_rule` an event counts for each of its rules. */
  readonly otherEvents: number
  readonly totalEvents: number
}

export interface RuleHits {
  readonly rule: string
  /** Number of the rule in its sources, such as 942100; empty when unknown. */
  readonly ref: string
  /** Requests that it matched, whatever was done to them. */
  readonly hits: number
  /** Of these, those that were held up. */
  readonly mitigated: number
  /** Of these, those that the origin answered with a status below 400. */
  readonly passedWell: number
}

export interface CountedBy {
  readonly value: string
  readonly requests: number
}

export interface ZoneOverview {
  /** As answered: whole minutes. */
  readonly range: TimeRange
  readonly requests: number
  readonly mitigated: number
  readonly events: number
  /** Bytes sent to clients. */
  readonly bytes: number
  /** Bytes that clients sent. */
  readonly requestBytes: number
  /** Requests by the first digit of their status, 1 to 5; 0 for those without one. */
  readonly statuses: readonly number[]
  readonly mitigatedByAction: readonly CountedBy[]
  readonly mitigatedBySource: readonly CountedBy[]
}

export interface ZoneTraffic {
  readonly zoneId: string
  /** In the last 60 minutes. */
  readonly hour: { readonly requests: number; readonly mitigated: number }
  /** In the last 24 hours of the clock, the present one included. */
  readonly day: { readonly requests: number; readonly mitigated: number }
}

/** What was seen of a zone's or an account's requests. Everything is answered by a thread of its own. */
export interface Analytics {
  events(zoneId: string, question: EventQuestion): Promise<EventPage>
  /** All of one request, in the order in which they happened. */
  eventsOfRay(zoneId: string, rayId: string): Promise<readonly StoredEvent[]>
  timeseries(zoneId: string, question: SeriesQuestion): Promise<TimeSeries>
  top(zoneId: string, question: TopQuestion): Promise<Top>
  /** Of every rule that has any, most hits first. The range is of whole hours. */
  ruleHits(zoneId: string, range: TimeRange): Promise<readonly RuleHits[]>
  zoneOverview(zoneId: string, range: TimeRange): Promise<ZoneOverview>
  /** Zones with traffic in the last day, in no order. */
  accountOverview(accountId: string, nowMs: number): Promise<readonly ZoneTraffic[]>
  /** How many sampled requests each paranoia level and threshold would have acted on. */
  whatIf(zoneId: string, question: MatrixQuestion): Promise<Matrix>
  whatIfCell(zoneId: string, question: CellQuestion): Promise<Cell>
  /** Replays some recorded events against a skip rule that is not there yet. */
  previewPage(zoneId: string, question: PreviewQuestion): Promise<PreviewPage>
  close(): Promise<void>
}

/** The queue of questions is full, or the thread that answers has ended; ask again. */
export class AnalyticsAwayError extends Error {
  override readonly name = 'AnalyticsAwayError'
}

/** How far the record log is read, and what there is of it. */
export interface IngestProgress {
  readonly partitions: readonly {
    readonly partition: string
    /** Of the last record that was read. */
    readonly sequence: number
    /** Of the newest record. */
    readonly head: number
    /** Records that were gone before they were read. */
    readonly missing: number
  }[]
  /** That the database takes. */
  readonly bytes: number
  /** Rounds that failed since the start. */
  readonly failures: number
}

/** How much is kept. */
export interface Kept {
  readonly ageMs: number
  /** Of the database; when they are used up the oldest events go, then the oldest counts. */
  readonly bytes: number
}
