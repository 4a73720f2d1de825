import { openForQueries } from './database.ts'
import type { TimeRange } from './positions.ts'
import { previewPage } from './preview/page.ts'
import type { PreviewPage, PreviewQuestion } from './preview/types.ts'
import { findEvents, findRay, type RawEvent, type RawPage } from './queries/events.ts'
import { accountOverview, zoneOverview } from './queries/overview.ts'
import { Reader } from './queries/reader.ts'
import { timeSeries } from './queries/timeseries.ts'
import { ruleHits, topValues } from './queries/top.ts'
import type {
  EventQuestion,
  RuleHits,
  SeriesQuestion,
  TimeSeries,
  Top,
  TopQuestion,
  ZoneOverview,
  ZoneTraffic,
} from './types.ts'
import { whatIfCell, whatIfMatrix } from './what-if/answers.ts'
import type { Cell, CellQuestion, Matrix, MatrixQuestion } from './what-if/types.ts'

/** Every query, answered synchronously: each blocks its thread. */
export interface Answers {
  events(zoneId: string, question: EventQuestion): RawPage
  eventsOfRay(zoneId: string, rayId: string): readonly RawEvent[]
  timeseries(zoneId: string, question: SeriesQuestion): TimeSeries
  top(zoneId: string, question: TopQuestion): Top
  ruleHits(zoneId: string, range: TimeRange): readonly RuleHits[]
  zoneOverview(zoneId: string, range: TimeRange): ZoneOverview
  accountOverview(accountId: string, nowMs: number): readonly ZoneTraffic[]
  whatIf(zoneId: string, question: MatrixQuestion): Matrix
  whatIfCell(zoneId: string, question: CellQuestion): Cell
  previewPage(zoneId: string, question: PreviewQuestion): PreviewPage
}

/**
 * @param path of the database; created when absent
 * @throws if its tables are those of another version
 */
export function openAnswers(path: string): Answers & { close(): void } {
  const database = openForQueries(path)
  const reader = new Reader(database)
  return {
    events: (zoneId, question) => findEvents(reader, zoneId, question),
    eventsOfRay: (zoneId, rayId) => findRay(reader, zoneId, rayId),
    timeseries: (zoneId, question) => timeSeries(reader, zoneId, question),
    top: (zoneId, question) => topValues(reader, zoneId, question),
    ruleHits: (zoneId, range) => ruleHits(reader, zoneId, range),
    zoneOverview: (zoneId, range) => zoneOverview(reader, zoneId, range),
    accountOverview: (accountId, nowMs) => accountOverview(reader, accountId, nowMs),
    whatIf: (zoneId, question) => whatIfMatrix(reader, zoneId, question),
    whatIfCell: (zoneId, question) => whatIfCell(reader, zoneId, question),
    previewPage: (zoneId, question) => previewPage(reader, zoneId, question),
    close: () => database.close(),
  }
}
