import { limit, limits, tuning } from '../kit/limits.ts'

export const listLimits = limits('Lists', {
  listsPerAccountMax: limit(100, 'count', 'Lists of one account; one more → 400.'),
  itemsPerListMax: limit(100_000, 'count', 'Items of one list; an operation that would leave more fails.'),
  operationKeptMs: limit(
    7 * 24 * 60 * 60 * 1000,
    'ms',
    'Time for which an operation can be read after its end.',
  ),
})

export const accessRuleLimits = limits('Access rules', {
  accessRulesMax: limit(
    50_000,
    'count',
    "IP access rules of one account, and of one zone (Cloudflare's own limit for an account); one more → 400.",
  ),
})

export const jobLimits = limits('Logpush', {
  jobsPerZoneMax: limit(100, 'count', 'Jobs of one zone; one more → 403.'),
  jobsPerAccountMax: limit(
    100,
    'count',
    'Jobs of one account, those of its zones not counted; one more → 403.',
  ),
  replaysRunningMax: limit(10, 'count', 'Replays of one job that run at the same time; one more → 403.'),
})

export const acmeStoreLimits = limits('Certificates', {
  acmeNamesPerZoneMax: limit(
    50,
    'count',
    'Names of one zone that get certificates by ACME; further ones get none.',
  ),
  acmeOrdersPerHourMax: limit(
    100,
    'count',
    'Certificates that an installation orders by ACME in an hour; further orders wait.',
  ),
})

export const certificateStoreLimits = limits('Certificates', {
  originCertificatesMax: limit(
    20,
    'count',
    'Client certificates of one zone for its origins, and as many authorities; one more → 403.',
  ),
  certificatesPerZoneMax: limit(1000, 'count', 'Certificates of one zone, of all sources; one more → 403.'),
})

export const storeLimits = limits('Database', {
  silentEdgeMs: limit(
    7 * 24 * 60 * 60 * 1000,
    'ms',
    'Time for which an edge that stopped to report is known, for alerts.',
  ),
  auditEntriesKept: limit(
    100_000,
    'count',
    'Entries of the audit trail that are kept, of all accounts together; beyond it, the oldest are deleted.',
  ),
  auditValueBytesMax: limit(
    256 * 1024,
    'bytes',
    'JSON of a resource before or after a change in the audit trail; a longer one is replaced by its length.',
  ),
  replaysKept: limit(
    100,
    'count',
    'Replays that are kept for one job; beyond it, the oldest that have ended are deleted.',
  ),
  changesPerReadMax: tuning(1000, 'count', 'Change entries that one read returns; the follower asks again.'),
  changesKept: tuning(
    10_000,
    'count',
    'Older entries go once a newer one names the same resource, so that late followers miss nothing.',
  ),
  edgeReportMs: tuning(60_000, 'ms', 'Time for which the report of an edge about a staged change counts.'),
  busyMsMax: limit(10_000, 'ms', 'Time that a call waits for other writers; then it fails as `unavailable`.'),
  sqliteBlockedMsMax: tuning(
    20,
    'ms',
    'SQLite waits for a lock inside the call, which holds up the event loop: not for long.',
  ),
  postgresConnectMsMax: limit(
    5000,
    'ms',
    'Time to connect to PostgreSQL; longer → the call fails as `unavailable`.',
  ),
  postgresStatementMsMax: limit(
    30_000,
    'ms',
    'Time of one statement or idle transaction; then the server ends it. Migrations and `sluice db` have no limit.',
  ),
  postgresAnswerMsMax: limit(
    35_000,
    'ms',
    'Time to wait for the answer of PostgreSQL to one statement; longer → the call fails as `unavailable`, and its connection is closed.',
  ),
  postgresKeepAliveMs: tuning(10_000, 'ms', 'A connection without traffic is probed after this long.'),
  postgresReturnMs: tuning(
    500,
    'ms',
    'Processes that lost their connections to PostgreSQL return at random moments of this time.',
  ),
})
