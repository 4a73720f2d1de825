import { limit, limits, tuning } from '../../kit/limits.ts'

export const instantSocketLimits = limits('Instant Logs', {
  fieldsCharactersMax: limit(
    8192,
    'characters',
    'Characters of `fields`; more → 400. All names of the dataset take about 2,300.',
  ),
  filterCharactersMax: limit(4096, 'characters', '`filter` of a session; longer → 400.'),
  attemptsMax: limit(60, 'count', 'Attempts to listen from one address in a minute; more → 429.'),
  addressesKept: tuning(
    10_000,
    'count',
    'Addresses whose attempts are counted; of more, the one counted longest is forgotten.',
  ),
  messageBytesMax: limit(1024, 'bytes', 'A message from a listener; longer → the connection is closed.'),
  messagesMax: limit(
    1000,
    'count',
    'Messages and pings of one listener in all; more → the connection is closed.',
  ),
  pingMs: limit(
    30_000,
    'ms',
    'Interval of pings to a listener; without a reply by the next ping the connection is closed.',
  ),
  farewellMs: tuning(2000, 'ms', 'Time for a listener to close when a session ends or the process stops.'),
})

export const logpullRequestLimits = limits('Logpull', {
  zoneRequestsMax: limit(15, 'count', 'Requests for records of one zone in a minute; more → 429.'),
  userRequestsMax: limit(180, 'count', 'Requests for records by one user in a minute; more → 429.'),
  countersKept: tuning(
    1000,
    'count',
    'Zones and users whose requests are counted; of more, the one counted longest is forgotten.',
  ),
  readersMax: limit(4, 'count', 'Answers that are being written at the same time; one more → 429.'),
  answerMsMax: limit(
    600_000,
    'ms',
    'Time to write one answer; longer → the answer is broken off with a message.',
  ),
  answerBytesMax: limit(
    10 * 1024 * 1024 * 1024,
    'bytes',
    'Uncompressed size of one answer; larger → the answer is broken off with a message.',
  ),
  stalledMs: limit(
    30_000,
    'ms',
    'Time in which a client must accept a chunk; longer → the connection is closed.',
  ),
})

export const logSampleLimits = limits('Samples of the log', {
  countMax: limit(1000, 'count', 'Records of an answer; more → 400.'),
  countDefault: limit(100, 'count', 'Records of an answer when `count` is not given.'),
  recordsMax: limit(
    200_000,
    'count',
    'Records of all zones that are searched for one answer; then the answer ends with the records found.',
  ),
  bytesMax: limit(
    4 * 1024 * 1024,
    'bytes',
    'Stored size of the records of one answer; then the answer ends with the records found.',
  ),
  readMsMax: limit(
    2000,
    'ms',
    'Time to search records for one answer; then the answer ends with the records found.',
  ),
  chunkRecords: tuning(250, 'count', 'Records that are read at once.'),
  chunkBytes: tuning(256 * 1024, 'bytes', 'Bytes of records that are read at once.'),
  zoneRequestsMax: limit(60, 'count', 'Requests for samples of one zone in a minute; more → 429.'),
  countersKept: tuning(
    1000,
    'count',
    'Zones whose requests are counted; of more, the one counted longest is forgotten.',
  ),
  readersMax: limit(4, 'count', 'Answers that are being read at the same time; one more → 429.'),
})
