import type { LogRecord } from '../model/dataset.ts'
import type { EventPosition, TimeRange } from './positions.ts'
import type { PreviewPage, PreviewQuery } from './preview/types.ts'
import type { SearchExport, SearchPage, SearchQuery } from './search/types.ts'
import type { SqlFailure } from './sql/protocol.ts'
import type { SqlAnswer, SqlQuery } from './sql/types.ts'
import type { Cell, CellQuery, Matrix, MatrixQuery } from './what-if/types.ts'

/** Conditions on events, each an exact value; absent ones match every event. */
export interface EventFilter {
  /** In lower case, as `firewall_events` has it. */
  readonly action?: string
  readonly source?: string
  /** The rule that acted; for managed rulesets their last rule. */
  readonly rule?: string
  /** A matched rule of a managed ruleset. */
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

/** The properties that events can be counted by. */
export type Dimension = 'rule' | 'matched_rule' | 'path' | 'client' | 'country' | 'user_agent' | 'host'

export interface StoredEvent {
  readonly position: EventPosition
  /** A `firewall_events` record. */
  readonly fields: LogRecord
}

export interface EventQuery {
  readonly range: TimeRange
  readonly filter: EventFilter
  readonly limit: number
  /** Only events before this position. */
  readonly before?: EventPosition
}

/** Newest first. A page may hold fewer events than requested, even none, and still have a next one. */
export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** Where the next page begins; undefined when there is none. */
  readonly next: EventPosition | undefined
}

export type Grouping = 'none' | 'action' | Exclude<Dimension, 'user_agent' | 'host'>

export interface SeriesQuery {
  readonly range: TimeRange
  /** Counts the matching events, one by one. */
  readonly filter?: EventFilter
  readonly groupBy: Grouping
  readonly stepMs: number
}

export interface Series {
  readonly value: string
  /** For `matched_rule`: number of the rule in its sources, such as 942100; empty for others, and when unknown. */
  readonly ref: string
  readonly total: number
  /** One for each step. */
  readonly counts: readonly number[]
}

export interface TimeSeries {
  /** The answered range: whole steps; with a filter, the newest part whose events are few enough to examine. */
  readonly range: TimeRange
  /** The answered step: an hour when there are too many events to count them in smaller steps. */
  readonly stepMs: number
  /** Largest first; for `none`: `requests`, `mitigated` and `events`, with a filter `events`. */
  readonly series: readonly Series[]
  /** Events of values without a separate series; undefined where there are none. */
  readonly other: Series | undefined
}

export interface TopQuery {
  readonly range: TimeRange
  /** As in `SeriesQuery`. */
  readonly filter?: EventFilter
  readonly by: Dimension
  readonly limit: number
}

export interface TopValue {
  readonly value: string
  /** As in `Series`. */
  readonly ref: string
  readonly events: number
  /** Events with a mitigating action: block, challenges, closed connections. */
  readonly mitigated: number
}

export interface Top {
  /** The answered range: whole hours where there are many events; with a filter as in `TimeSeries`. */
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
  /** Requests that it matched, regardless of the action. */
  readonly hits: number
  /** Mitigated requests among them. */
  readonly mitigated: number
  /** Requests among them that the origin answered with a status below 400. */
  readonly passedWell: number
}

export interface CountedBy {
  readonly value: string
  readonly requests: number
}

export interface ZoneOverview {
  /** The answered range: whole minutes. */
  readonly range: TimeRange
  readonly requests: number
  readonly mitigated: number
  readonly events: number
  /** Bytes sent to clients. */
  readonly bytes: number
  /** Bytes received from clients. */
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
  /** In the last 24 clock hours, including the current one. */
  readonly day: { readonly requests: number; readonly mitigated: number }
}

export type ExportedSearch = { readonly path: string } | { readonly tooMany: number }

export type SqlOutcome =
  | { readonly ok: true; readonly answer: SqlAnswer }
  | { readonly ok: false; readonly code: SqlFailure; readonly message: string }

/** Queries about the requests of a zone or an account. */
export interface Answers {
  events(zoneId: string, query: EventQuery): Promise<EventPage>
  /** All events of one request, in the order in which they happened. */
  eventsOfRay(zoneId: string, rayId: string): Promise<readonly StoredEvent[]>
  timeseries(zoneId: string, query: SeriesQuery): Promise<TimeSeries>
  top(zoneId: string, query: TopQuery): Promise<Top>
  /** Hits of every rule that has any, most hits first. The range covers whole hours. */
  ruleHits(zoneId: string, range: TimeRange): Promise<readonly RuleHits[]>
  zoneOverview(zoneId: string, range: TimeRange): Promise<ZoneOverview>
  /** Zones with traffic in the last day, in no order. */
  accountOverview(accountId: string, nowMs: number): Promise<readonly ZoneTraffic[]>
  /** How many sampled requests each paranoia level and threshold would have acted on. */
  whatIf(zoneId: string, query: MatrixQuery): Promise<Matrix>
  whatIfCell(zoneId: string, query: CellQuery): Promise<Cell>
  /** The records of a zone that pass a filter. */
  search(zoneId: string, query: SearchQuery): Promise<SearchPage>
  /** The same as a Parquet file, which the caller removes. */
  exportSearch(zoneId: string, query: SearchExport): Promise<ExportedSearch>
  /** A statement of a user over the rows of one account. */
  sql(query: SqlQuery): Promise<SqlOutcome>
  /** Replays some recorded events against a proposed skip rule. */
  previewPage(zoneId: string, query: PreviewQuery): Promise<PreviewPage>
}

/** The same, answered by a dedicated thread. */
export interface Analytics extends Answers {
  close(): Promise<void>
}

/** The query queue is full, or the thread with the store has not begun, has failed or has ended; try again. */
export class AnalyticsAwayError extends Error {
  override readonly name = 'AnalyticsAwayError'
}

/** How far the record log is read, and how far it extends. */
export interface IngestProgress {
  readonly partitions: readonly {
    readonly partition: string
    /** Sequence of the last record that was read. */
    readonly sequence: number
    /** Sequence of the newest record. */
    readonly head: number
    /** Records that were gone before they were read. */
    readonly missing: number
  }[]
  /** Size of the rows. */
  readonly bytes: number
  /** Rounds that failed since the start. */
  readonly failures: number
}

/** How much data is kept. */
export interface Kept {
  readonly ageMs: number
  /** Size of the rows; when it is used up, the oldest are deleted. */
  readonly bytes: number
}
