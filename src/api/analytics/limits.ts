import { limit, limits, tuning } from '../../kit/limits.ts'

export const whatIfLimits = limits('Shadow and What if', {
  thresholdsMax: limit(10, 'count', 'Thresholds that one matrix may ask about; more → 400.'),
  thresholdMax: limit(2 ** 31 - 1, 'count', 'Highest threshold; higher → 400.'),
  topMax: limit(100, 'count', 'Paths, clients and rules of one cell, each; more asked → 400.'),
  topDefault: limit(10, 'count', 'Paths, clients and rules of one cell, each, when `limit` is not given.'),
  examples: limit(20, 'count', 'Examples of one cell.'),
})

export const previewRequestLimits = limits('Previews of exceptions', {
  eventsMax: limit(
    100_000,
    'count',
    'Events that one preview replays, newest first; then it stops, and says where.',
  ),
  totalMs: limit(4000, 'ms', 'Time of one preview; then it stops, and says where.'),
  runningMax: limit(4, 'count', 'Previews at the same time; one more → 429.'),
})

export const sqlRequestLimits = limits('SQL', {
  charactersMax: limit(20_000, 'characters', 'A statement; longer → 400.'),
  rowsDefault: limit(1000, 'count', 'Rows of an answer as JSON when `limit` is not given.'),
  rowsMax: limit(1_000_000, 'count', 'Rows of an answer; more asked → 400.'),
  runningMax: limit(2, 'count', 'Statements that run at the same time; one more → 429.'),
})

export const analyticsRequestLimits = limits('Analytics', {
  filterCharactersMax: limit(
    4096,
    'characters',
    'A filter by path, User-Agent or another text; longer → 400.',
  ),
  fieldsCharactersMax: limit(8192, 'characters', '`fields` of a search; longer → 400.'),
  askedMax: limit(2, 'count', 'Queries of clients that run at the same time; others wait.'),
  rangeMsMax: limit(31 * 86_400_000, 'ms', 'Time range of one query; longer → 400.'),
  pointsMax: limit(1500, 'count', 'Steps of one time series; more → 400.'),
  pointsDefault: limit(300, 'count', 'Steps that a time series has at most when `step` is not given.'),
  topMax: limit(100, 'count', 'Values of one top list; more asked → 400.'),
  topDefault: limit(10, 'count', 'Values of a top list when `limit` is not given.'),
  overviewZonesMax: limit(
    1000,
    'count',
    'Zones that the overview of an account lists, those with the most requests.',
  ),
  overviewZonesDefault: limit(100, 'count', 'Zones of the overview of an account when `limit` is not given.'),
  zonesAskedMax: limit(50, 'count', 'Zones whose ids one request for the overview may name; more → 400.'),
  raySearchMs: limit(
    5000,
    'ms',
    'Time to search the record log for the request of a ray id; then the answer omits it.',
  ),
  raySearchesMax: limit(
    4,
    'count',
    'Searches for a ray id at the same time; one more → the answer omits it.',
  ),
  exportsMax: limit(4, 'count', 'Exports that are written at the same time; more → 429.'),
  exportPage: tuning(200, 'count', 'Events that an export reads at once.'),
  exportStalledMs: limit(
    30_000,
    'ms',
    'Time that a client may accept nothing of an export; then the connection is closed.',
  ),
})
