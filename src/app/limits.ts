import { analyticsLimits } from '../analytics/limits.ts'
import { limit, limits, tuning } from '../kit/limits.ts'

export const planTableLimits = limits('Plans of zones', {
  zonesPerPage: tuning(100, 'count', 'Zones whose documents are read at once while many plans are built.'),
  redirectsPerSlice: tuning(
    500,
    'count',
    'Redirects of a list that are put into its table before other work gets its turn.',
  ),
  accessRulesPerPage: tuning(1000, 'count', 'IP access rules that are read at once.'),
  sliceMs: tuning(5, 'ms', 'Time to build plans before other work gets its turn.'),
})

export const edgeStoreLimits = limits('Plans of zones', {
  sharedMs: tuning(
    1000,
    'ms',
    'Time for which an answer of the database is kept for the other edge workers.',
  ),
})

export const workerLimits = limits('Traces of requests', {
  answerMs: limit(20_000, 'ms', 'Time for an edge worker to answer a trace; longer → 503.'),
})

export const threadLimits = limits('Metrics', {
  metricsMs: limit(
    2000,
    'ms',
    'Time for an edge worker to report its metrics; longer → an answer of `/metrics` lacks them.',
  ),
  drainMs: tuning(15_000, 'ms', 'A draining edge thread has this time; then it is terminated.'),
})

export const spanLimits = limits('Spans of requests', {
  waitingMax: limit(
    4096,
    'count',
    'Spans of one worker that wait for the collector; further ones are dropped and counted.',
  ),
  askedByClientsMax: limit(
    20,
    'count',
    'Requests that one worker samples in a second because a client has asked for it with `traceparent`; trusted proxies are not limited.',
  ),
  traceparentBytesMax: limit(
    128,
    'bytes',
    'A `traceparent` header (version 00 has 55 bytes); a longer one is ignored.',
  ),
  textCharactersMax: limit(1024, 'characters', 'One text in a span; the rest is cut.'),
  diagnosticsMax: limit(
    10,
    'count',
    "Diagnostics of OpenTelemetry in one worker's log, until the collector fails or takes spans again.",
  ),
  batchMs: tuning(1000, 'ms', 'Time for which spans wait for others, to be sent together.'),
  closeMs: limit(2000, 'ms', 'Time for the last spans of an edge that ends; then they are dropped.'),
})

export const certificateLimits = limits('Certificates', {
  filesMax: limit(
    10_000,
    'count',
    'Files with certificates (`SLUICE_TLS_CERTIFICATES`); more → the start fails.',
  ),
  checkMs: limit(10_000, 'ms', 'Interval at which certificate files are checked for changes.'),
})

export const apiLimits = limits('API', {
  handshakeMs: limit(
    10_000,
    'ms',
    'Time for the TLS handshake of a connection to the API; then the connection is closed.',
  ),
  healthAnswerMs: limit(
    5000,
    'ms',
    'Time for open connections to the health address (`SLUICE_HEALTH_LISTEN`) when the process ends; then they are closed.',
  ),
})

export const storeWaitLimits = limits('Database', {
  preparedWaitMs: limit(
    30_000,
    'ms',
    'Time for which a process without the role `control` waits for the tables of the database; then its start fails.',
  ),
})

export const programLogLimits = limits('Program log', {
  waitingBytesMax: limit(
    1024 * 1024,
    'bytes',
    'Lines on standard error that wait for space on a full disk; further ones are dropped.',
  ),
})

export const sampleSiteLimits = limits('Sample site', {
  bodyBytesMax: limit(1024 * 1024, 'bytes', 'Body of a request to the sample site; larger → 413.'),
})

export const soleWorkLimits = limits('Analytics', {
  leaseMs: limit(
    10_000,
    'ms',
    'Time after which another control process reads records into ClickHouse in place of one that has died.',
  ),
})

export const retireLimits = limits('Replaced processes', {
  apiRetireMs: limit(
    600_000,
    'ms',
    'Time that requests of the API and Instant Logs have to finish in a process that `sluice supervise` has replaced; then they are cut off.',
  ),
  apiIdleMs: limit(
    10_000,
    'ms',
    'Time for which a replaced process keeps idle connections to the API, for one more request.',
  ),
  deliverMs: limit(
    45_000,
    'ms',
    'Time that uploads of log lines have to finish in a replaced process; then they are cut off, and the new process repeats them.',
  ),
  processesMax: limit(
    4,
    'count',
    'Processes at once: the present one, its successor, and replaced ones with open connections. For one more, the oldest is ended.',
  ),
  readyMs: limit(
    120_000,
    'ms',
    'Time for a new process to be ready; then it is ended, and the running one goes on serving.',
  ),
  passedQueriesMax: limit(
    4 * analyticsLimits.waitingMax,
    'count',
    'Queries of analytics of all processes that wait for the process with the store; one more is not answered (503).',
  ),
  systemdMs: limit(10_000, 'ms', 'Time for systemd to take a report of the state; then it is not told.'),
  handOverMs: limit(
    60_000,
    'ms',
    'Time that a replaced process has to end delivery and analytics; then it is killed, with its connections.',
  ),
})

export const edgeCopyLimits = limits('Edges without their database', {
  bytesMax: limit(
    8 * 1024 ** 3,
    'bytes',
    'Size of a file in the folder `edge-copy`; more → the edge asks the database, and cannot start without it.',
  ),
  filesMax: limit(
    16,
    'count',
    'Processes with an edge on one data directory, of which each has its copy; more → cannot start without the database.',
  ),
  blockedMsMax: tuning(1000, 'ms', 'Time to wait for another process that writes the copy.'),
})

export const rolloutLimits = limits('Staged changes', {
  comparedMin: limit(
    100,
    'count',
    'Requests on the first edges, and on the others, below which they are not compared; the changes go on at the end of the period.',
  ),
  periodsMax: limit(
    4,
    'count',
    'Periods that a stage takes at most; each change that comes meanwhile begins the period again.',
  ),
  reportMs: tuning(5000, 'ms', 'Interval of the reports of an edge while changes are staged.'),
  stepMs: tuning(1000, 'ms', 'Interval at which the state of staged changes is decided.'),
})
