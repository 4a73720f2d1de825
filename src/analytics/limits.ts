import { limit, limits, tuning } from '../kit/limits.ts'

export const previewLimits = limits('Previews of exceptions', {
  pageEvents: tuning(2000, 'count', 'Events of one turn; other queries run between turns.'),
  pageMs: tuning(200, 'ms', 'A turn ends after this long.'),
  examplesPerOutcome: limit(5, 'count', 'Examples of each outcome.'),
})

export const searchLimits = limits('Search', {
  pageBytes: limit(
    4 * 1024 * 1024,
    'bytes',
    'Records of a page; a page that has reached it ends, and names the next.',
  ),
  partRows: tuning(250, 'count', 'Records that a page reads at once.'),
  exportRowsMax: limit(1_000_000, 'count', 'Records of a Parquet file; more → 400.'),
  expressionPartsMax: limit(
    100,
    'count',
    'Comparisons, items of sets of numbers or addresses, and calls of functions in an expression of a search; more → 400.',
  ),
})

export const sqlLimits = limits('SQL', {
  msMax: limit(30_000, 'ms', 'Time of a statement, with the export of its rows; then → 400.'),
  memoryMib: limit(512, 'count', 'MiB of memory of the process that runs a statement; beyond it → 400.'),
  engineMemoryMib: tuning(256, 'count', 'MiB of them that its engine takes for rows.'),
  rowsReadMax: limit(5_000_000, 'count', 'Rows of a table in the range of a statement; more → 400.'),
  fileBytesMax: limit(256 * 1024 * 1024, 'bytes', 'Answer of a statement as Parquet; a larger one → 400.'),
  answerBytesMax: limit(16 * 1024 * 1024, 'bytes', 'Answer of a statement as JSON; a longer one → 400.'),
})

export const analyticsLimits = limits('Analytics', {
  matchedRulesMax: limit(500, 'count', 'Matched rules of one record that are counted.'),
  batchRecords: tuning(10_000, 'count', 'Records of one partition that are written at once.'),
  batchBytes: tuning(8 * 1024 * 1024, 'bytes', 'Bytes of records that are written at once.'),
  pollMs: tuning(500, 'ms', 'Pause of reading after the end of the log.'),
  retryMs: tuning(5000, 'ms', 'Pause of reading after a failure.'),
  keepMs: tuning(600_000, 'ms', 'Interval between deletions of old rows.'),
  surplusRemoved: tuning(
    0.05,
    'share',
    'Part of the kept time whose rows are removed at once when the space is used up.',
  ),
  beginMsMax: limit(
    30_000,
    'ms',
    'Time that queries wait while the store passes from a process to the one that replaces it; then → 503.',
  ),
  queryMsMax: limit(30_000, 'ms', 'Time of an answer from the column store; longer → 503.'),
  queriesAtOnce: tuning(2, 'count', 'Queries that the column store answers at the same time; others wait.'),
  engineMemoryMib: tuning(
    256,
    'count',
    'MiB of memory that DuckDB uses; beyond it, it writes temporary files.',
  ),
  engineTemporaryMib: tuning(1024, 'count', 'MiB of temporary files of queries; beyond it, a query fails.'),
  exportedGroupBytes: tuning(
    16 * 1024 * 1024,
    'bytes',
    'Rows of an exported file that DuckDB collects before it writes them.',
  ),
  checkpointMib: tuning(
    64,
    'count',
    'MiB of the write-ahead log from which DuckDB writes rows to the tables.',
  ),
  serverConnections: tuning(10, 'count', 'Connections to ClickHouse; further statements wait.'),
  serverAnswerMsMax: limit(60_000, 'ms', 'Time in which ClickHouse stores a batch.'),
  waitingMax: limit(200, 'count', 'Queries that wait to run; one more → 503.'),
  pageMax: limit(1000, 'count', 'Events of a page; more asked → 400.'),
  pageDefault: limit(100, 'count', 'Events of a page when `limit` is not given.'),
  ruleSetsMax: limit(
    2000,
    'count',
    'Different sets of matched rules of a what-if cell; its rules are counted in the most frequent ones.',
  ),
  seriesMax: limit(10, 'count', 'Series with a name in one answer; the rest is `other`.'),
})
