import type { PartitionStats, RecordReader } from '../../bus/port.ts'
import { systemClock, timestampOf } from '../../kit/clock.ts'
import type { AuditEntry, LogpushJob, Replay } from '../../model/resource.ts'
import type { Cursors } from '../../store/port/delivery.ts'
import type { Store } from '../../store/port.ts'
import { auditLog } from '../run/leases.ts'
import { lostRanges } from '../run/losses.ts'
import { auditSource } from '../stream/audit-source.ts'
import { cursorsAt, newestOf, type RecordSource } from '../stream/source.ts'
import type { JobReport, ReplayRequest } from '../types.ts'

/** Everything that is needed to manage jobs without running them: the database, and the log that they read. */
export interface JobBackends {
  readonly store: Store
  readonly reader: RecordReader
}

/** No record of the requested range exists any more. */
export class ReplayRangeError extends Error {
  override readonly name = 'ReplayRangeError'
  /** When the oldest stored record was received, ms since the epoch; undefined when there is none. */
  readonly oldestMs: number | undefined

  /** @param elsewhere as `recordsElsewhere` returned it */
  constructor(oldestMs: number | undefined, elsewhere?: string) {
    const kept =
      oldestMs === undefined
        ? 'no records are stored'
        : `the oldest stored record was received at ${new Date(oldestMs).toISOString()}`
    super(elsewhere === undefined ? kept : `${kept}; ${elsewhere}`)
    this.oldestMs = oldestMs
  }
}

/**
 * Sets where a job that becomes enabled begins, in every log: in this process's log at once, in those of other
 * machines when their processes take the job.
 * @param fromMs begins with the records received then or later, as far as they exist; without it after the newest
 *   records
 */
export async function startJob(backends: JobBackends, job: LogpushJob, fromMs?: number): Promise<void> {
  const source = sourceOf(backends, job)
  // Records carry the time of the system's clock.
  const ms = fromMs ?? systemClock.nowMs()
  const cursors = fromMs === undefined ? await newestOf(source) : await cursorsAt(source, fromMs)
  const begin = { log: logOf(backends, job), ms }
  await backends.store.delivery.start({ jobId: job.id, replay: 0 }, cursors, begin)
}

/**
 * Starts a replay of a job's records of a range, by the process that runs the job.
 * @throws ReplayRangeError when no record of the range exists
 */
export async function requestReplay(
  backends: JobBackends,
  job: LogpushJob,
  request: ReplayRequest,
  nowMs: number,
  audit?: (replay: Replay) => AuditEntry,
): Promise<Replay> {
  const source = sourceOf(backends, job)
  const from = await cursorsAt(source, request.startMs)
  const until = await cursorsAt(source, request.endMs)
  const oldestMs = await oldestOf(source)
  if (oldestMs === undefined || request.endMs <= oldestMs)
    throw new ReplayRangeError(oldestMs, await recordsElsewhere(backends.store, backends.reader, job))
  const replay: Omit<Replay, 'id'> = {
    jobId: job.id,
    start: request.start,
    end: request.end,
    retainedSince: request.startMs < oldestMs ? timestampOf(oldestMs) : null,
    status: 'running',
    createdOn: timestampOf(nowMs),
    completedOn: null,
    lines: 0,
    objects: 0,
    errorMessage: null,
  }
  return backends.store.replays.insert(replay, from, until, audit, logOf(backends, job))
}

/** The records that a replay requested here leaves out, in words; undefined when there are none, as far as known. */
export async function recordsElsewhere(
  { logs }: Store,
  { log }: Pick<RecordReader, 'log'>,
  { dataset }: LogpushJob,
): Promise<string | undefined> {
  if (dataset === 'audit_logs') return undefined
  const { written, delivered } = await logs.live()
  const others = new Set([...written, ...delivered])
  others.delete(log)
  return others.size === 0
    ? undefined
    : `a replay is of one record log, here ${log}; for the records of ${[...others].sort().join(', ')} ask there, too`
}

/** @param sinceHour first hour of the counts and lags, in the store's form */
export async function reportJob(
  backends: JobBackends,
  job: LogpushJob,
  sinceHour: string,
): Promise<JobReport> {
  const counts = await backends.store.delivery.counts(job.id, sinceHour)
  const lags = await backends.store.delivery.lags(job.id, sinceHour)
  if (!job.enabled) return { state: 'disabled', oldestUndelivered: null, counts, lags, lost: 0, held: 0 }
  const cursors = await positionsOf(backends, job)
  const oldestMs = await oldestOf(sourceOf(backends, job), cursors)
  // A job that is up to date has lost nothing.
  const asks = oldestMs !== undefined && job.dataset !== 'audit_logs'
  const stats = asks ? await backends.reader.stats() : []
  const lost = lostRanges(stats, cursors).reduce((sum, { first, last }) => sum + last - first + 1, 0)
  const held = asks && (await backends.reader.isFull()) ? recordsBehind(stats, cursors) : 0
  const state = job.paused ? 'paused' : job.errorMessage === null ? 'running' : 'retrying'
  return {
    state,
    oldestUndelivered: oldestMs === undefined ? null : timestampOf(oldestMs),
    counts,
    lags,
    lost,
    held,
  }
}

/** The job's position, or where it will begin when the process of this log takes it. */
async function positionsOf(backends: JobBackends, job: LogpushJob): Promise<Cursors> {
  const { delivery } = backends.store
  const startMs = await delivery.startOf(job.id, logOf(backends, job))
  const cursors = await delivery.cursors({ jobId: job.id, replay: 0 })
  return startMs === undefined
    ? cursors
    : new Map([...(await cursorsAt(sourceOf(backends, job), startMs)), ...cursors])
}

function logOf({ reader }: JobBackends, job: LogpushJob): string {
  return job.dataset === 'audit_logs' ? auditLog : reader.log
}

/** Stored records that a job has not reached. */
function recordsBehind(stats: readonly PartitionStats[], cursors: Cursors): number {
  return stats.reduce(
    (sum, { partition, first, head }) =>
      sum + Math.max(0, head - Math.max(cursors.get(partition) ?? 0, first - 1)),
    0,
  )
}

function sourceOf({ store, reader }: JobBackends, job: LogpushJob): RecordSource {
  return job.dataset === 'audit_logs' ? auditSource(store) : reader
}

/** When the first record after these positions was received; undefined when there is none. */
async function oldestOf(source: RecordSource, cursors: Cursors = new Map()): Promise<number | undefined> {
  let oldestMs: number | undefined
  for (const partition of await source.partitions()) {
    const [first] = await source.read(partition, cursors.get(partition) ?? 0, { records: 1, bytes: 1 })
    if (first !== undefined) oldestMs = Math.min(oldestMs ?? first.receivedMs, first.receivedMs)
  }
  return oldestMs
}
