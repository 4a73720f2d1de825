import { limit, limits, tuning } from '../kit/limits.ts'

export const keptSampleLimits = limits('Shadow and What if', {
  keptPerZoneMax: limit(
    100_000,
    'count',
    'Samples that are kept for one zone, of requests that some setting would act on; beyond it, the oldest are deleted.',
  ),
  keptMax: limit(1_000_000, 'count', 'Such samples of all zones together.'),
  keepMs: tuning(60_000, 'ms', 'Interval between deletions of samples that are too old or too many.'),
})

export const previewLimits = limits('Previews of exceptions', {
  pageEvents: tuning(2000, 'count', 'Events of one turn; other queries run between turns.'),
  pageMs: tuning(200, 'ms', 'A turn ends after this long.'),
  examplesPerOutcome: limit(5, 'count', 'Examples of each outcome.'),
})

export const analyticsLimits = limits('Analytics', {
  textCharactersMax: limit(
    1024,
    'characters',
    'Part of a path, User-Agent or other text that is indexed and counted.',
  ),
  textsKnownMax: tuning(
    50_000,
    'count',
    'Texts whose ids the writing thread caches; then the cache is cleared.',
  ),
  textsShare: limit(
    4,
    'count',
    'Texts may use one part in this many of `SLUICE_ANALYTICS_BYTES`; beyond it, new texts that clients choose are counted together.',
  ),
  matchedRulesMax: limit(500, 'count', 'Matched rules of one record that are counted.'),
  ruleListsKnownMax: tuning(
    256,
    'count',
    'Lists of matched rules that the writing thread caches; then the cache is cleared.',
  ),
  ruleListCharacters: tuning(4096, 'characters', 'Length of the lists of matched rules that are cached.'),
  blockRecords: tuning(64, 'count', 'Events that are compressed together.'),
  blockCharacters: tuning(
    256 * 1024,
    'characters',
    'Length from which fewer events are compressed together.',
  ),
  blockBytesMax: tuning(64 * 1024 * 1024, 'bytes', 'Bytes of a block that is read.'),
  batchRecords: tuning(5000, 'count', 'Records of one partition that are written at once.'),
  batchBytes: tuning(8 * 1024 * 1024, 'bytes', 'Bytes of records that are written at once.'),
  pollMs: tuning(500, 'ms', 'Pause of reading after the end of the log.'),
  retryMs: tuning(5000, 'ms', 'Pause of reading after a failure.'),
  blockedMsMax: tuning(5000, 'ms', 'Time that a process waits for another writer.'),
  cacheKib: tuning(64 * 1024, 'KiB', 'Memory of each of the two threads for pages of the database.'),
  keepMs: tuning(60_000, 'ms', 'Interval between deletions of old and surplus data.'),
  eventsRemoved: tuning(20_000, 'count', 'Events of one zone that are removed at once.'),
  blocksRemoved: tuning(500, 'count', 'Blocks of events that are removed at once when the space is used up.'),
  hoursRemoved: tuning(
    6,
    'count',
    'Hours of counts that are removed at once when the space is used up and no event is left.',
  ),
  vacuumPages: tuning(1000, 'count', 'Pages of the file that are released at once.'),
  valuesPerHour: limit(
    1000,
    'count',
    'Paths, clients, hosts and User-Agents of a zone that are counted separately in an hour; the others are one sum.',
  ),
  foldAfterMs: limit(3_600_000, 'ms', 'Time after the end of an hour until the others become one sum.'),
  foldedAgainHours: tuning(25, 'hours', 'Hours that are folded again, because records may arrive late.'),
  questionsAtOnce: tuning(
    2,
    'count',
    'Questions that the column store answers at the same time; others wait.',
  ),
  engineMemoryMib: tuning(
    256,
    'count',
    'MiB of memory that DuckDB uses; beyond it, it writes temporary files.',
  ),
  engineTemporaryMib: tuning(
    1024,
    'count',
    'MiB of temporary files of questions; beyond it, a question fails.',
  ),
  checkpointMib: tuning(
    64,
    'count',
    'MiB of the write-ahead log from which DuckDB writes rows to their place.',
  ),
  serverConnections: tuning(10, 'count', 'Connections to ClickHouse; further statements wait.'),
  serverAnswerMsMax: limit(60_000, 'ms', 'Time in which ClickHouse answers a question or stores a batch.'),
  threadIdleMs: tuning(60_000, 'ms', 'Time without a query after which the thread that answers ends.'),
  waitingMax: limit(200, 'count', 'Queries that wait to run; one more → 503.'),
  pageMax: limit(1000, 'count', 'Events of a page; more asked → 400.'),
  pageDefault: limit(100, 'count', 'Events of a page when `limit` is not given.'),
  scannedMax: limit(
    1_000_000,
    'count',
    'Events that are searched for one page; then the page ends, and its cursor continues.',
  ),
  lookedUpMax: limit(
    100_000,
    'count',
    'The same for a filter by one client or path, whose events lie apart.',
  ),
  windowEvents: tuning(50_000, 'count', 'Events that are read before the page is checked.'),
  seriesMax: limit(10, 'count', 'Series with a name in one answer; the rest is `other`.'),
  exactEventsMax: limit(
    300_000,
    'count',
    'Events up to which a range is counted exactly. A larger range is counted by whole hours, or with a filter from its newest part.',
  ),
})
