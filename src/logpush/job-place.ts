import type { RecordReader } from '../bus/port.ts'
import { timestampOf } from '../kit/clock.ts'
import type { AuditEntry, LogpushJob, Replay } from '../model/resource.ts'
import type { Cursors, Store } from '../store/port.ts'
import { auditSource } from './stream/audit-source.ts'
import { cursorsAt, newestOf, type RecordSource } from './stream/source.ts'
import type { JobReport, ReplayRequest } from './types.ts'

/** What is known of jobs without running them: the database, and the log that they read. */
export interface JobPlace {
  readonly store: Store
  readonly reader: RecordReader
}

/** Nothing of what is to be delivered again is kept any more. */
export class ReplayRangeError extends Error {
  override readonly name = 'ReplayRangeError'
  /** The oldest record that is kept was received then, ms since the epoch; undefined when there is none. */
  readonly oldestMs: number | undefined

  constructor(oldestMs: number | undefined) {
    super(
      oldestMs === undefined
        ? 'no records are kept'
        : `the oldest record that is kept was received at ${new Date(oldestMs).toISOString()}`,
    )
    this.oldestMs = oldestMs
  }
}

/**
 * Sets where a job that becomes enabled begins.
 * @param fromMs at what was received then or later, as far as it is kept; without it at the newest records: what came
 *   before is not delivered
 */
export async function startJob(place: JobPlace, job: LogpushJob, fromMs?: number): Promise<void> {
  const source = sourceOf(place, job)
  const { delivery } = place.store
  // It may have run before, and what ended it may have died before it was forgotten.
  await delivery.stop(job.id)
  const cursors = fromMs === undefined ? await newestOf(source) : await cursorsAt(source, fromMs)
  await delivery.start({ jobId: job.id, replay: 0 }, cursors)
}

/**
 * Lets a job's records of a range be delivered once more, by whoever runs the jobs.
 * @throws ReplayRangeError when nothing of the range is kept
 */
export async function requestReplay(
  place: JobPlace,
  job: LogpushJob,
  request: ReplayRequest,
  nowMs: number,
  audit?: (replay: Replay) => AuditEntry,
): Promise<Replay> {
  const source = sourceOf(place, job)
  const from = await cursorsAt(source, request.startMs)
  const until = await cursorsAt(source, request.endMs)
  const oldestMs = await oldestOf(source)
  if (oldestMs === undefined || request.endMs <= oldestMs) throw new ReplayRangeError(oldestMs)
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
  return place.store.replays.insert(replay, from, until, audit)
}

/** @param sinceHour first hour of the counts and lags, as the store writes it */
export async function reportJob(place: JobPlace, job: LogpushJob, sinceHour: string): Promise<JobReport> {
  const counts = await place.store.delivery.counts(job.id, sinceHour)
  const lags = await place.store.delivery.lags(job.id, sinceHour)
  if (!job.enabled) return { state: 'disabled', oldestUndelivered: null, counts, lags }
  const cursors = await place.store.delivery.cursors({ jobId: job.id, replay: 0 })
  const oldestMs = await oldestOf(sourceOf(place, job), cursors)
  const state = job.paused ? 'paused' : job.errorMessage === null ? 'running' : 'retrying'
  return {
    state,
    oldestUndelivered: oldestMs === undefined ? null : timestampOf(oldestMs),
    counts,
    lags,
  }
}

function sourceOf({ store, reader }: JobPlace, job: LogpushJob): RecordSource {
  return job.dataset === 'audit_logs' ? auditSource(store) : reader
}

/** When the first record behind these places was received; undefined when there is none. */
async function oldestOf(source: RecordSource, cursors: Cursors = new Map()): Promise<number | undefined> {
  let oldestMs: number | undefined
  for (const partition of await source.partitions()) {
    const [first] = await source.read(partition, cursors.get(partition) ?? 0, { records: 1, bytes: 1 })
    if (first !== undefined) oldestMs = Math.min(oldestMs ?? first.receivedMs, first.receivedMs)
  }
  return oldestMs
}
