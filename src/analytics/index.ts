export { answersOf } from './answers.ts'
export { type Answered, answerCall, type Call, Calls } from './calls.ts'
export { type IngestDeps, runIngest } from './ingest/ingest.ts'
export type { EventPosition, TimeRange } from './positions.ts'
export type {
  PreviewExample,
  PreviewedSkip,
  PreviewOutcome,
  PreviewPage,
  PreviewQuery,
} from './preview/types.ts'
export type { ClickHouseServer } from './records/clickhouse/connect.ts'
export { type ClickHouseState, clickHouseState } from './records/clickhouse/state.ts'
export { openClickHouseStore } from './records/clickhouse/store.ts'
export { openDuckDBStore } from './records/duckdb/store.ts'
export { openWhenUsed } from './records/open-when-used.ts'
export { type RecordStore, RecordStoreError } from './records/port.ts'
export { expressionCondition } from './search/expression.ts'
export { type SearchExport, type SearchQuery, searchedDatasets } from './search/types.ts'
export type { SqlAnswer, SqlQuery } from './sql/types.ts'
export {
  type Analytics,
  AnalyticsAwayError,
  type Answers,
  type CountedBy,
  type Dimension,
  type EventFilter,
  type EventPage,
  type EventQuery,
  type Grouping,
  type IngestProgress,
  type Kept,
  type RuleHits,
  type Series,
  type SeriesQuery,
  type StoredEvent,
  type TimeSeries,
  type Top,
  type TopQuery,
  type TopValue,
  type ZoneOverview,
  type ZoneTraffic,
} from './types.ts'
export type {
  Cell,
  CellQuery,
  Matrix,
  MatrixQuery,
  SampleExample,
} from './what-if/types.ts'
