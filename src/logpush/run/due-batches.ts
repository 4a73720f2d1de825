import type { LogpushJob } from '../../model/resource.ts'
import type { Cursors } from '../../store/port/delivery.ts'
import { batchIntervalMs } from '../batch/batch-builder.ts'
import type { Collection } from './collection.ts'
import type { RunDeps } from './run-deps.ts'

/**
 * Decides when the batch of a job closes: when it is full, or when the job's last object is `interval` old and the
 * batch's first line `settleMs`. It closes early while the record log fills. A busy job thus writes one object per
 * interval, and a quiet one delivers within two seconds.
 */
export class DueBatches {
  /** A batch that begins before these positions closes early. */
  early: Cursors = new Map()
  readonly #deps: Pick<RunDeps, 'clock' | 'pace'>
  #lastObjectMs = Number.NEGATIVE_INFINITY

  constructor(deps: Pick<RunDeps, 'clock' | 'pace'>) {
    this.#deps = deps
  }

  /** @param full more records are probable: the next batch does not wait for its interval */
  delivered(full: boolean): void {
    this.#lastObjectMs = full ? Number.NEGATIVE_INFINITY : this.#deps.clock.nowMs()
  }

  /** While the stream has more records, a batch is collected for an interval, unless the record log fills. */
  isDue(
    job: LogpushJob,
    collection: Collection,
    { builder, sinceMs }: NonNullable<Collection['batch']>,
    atEnd: boolean,
  ): boolean {
    if (builder.isFull) return true
    const { clock, pace } = this.#deps
    const nowMs = clock.nowMs()
    if (collection.beginsBefore(this.early)) return hasPassed(pace.settleMs, sinceMs, nowMs)
    const intervalMs = batchIntervalMs(job)
    if (!atEnd) return hasPassed(intervalMs, sinceMs, nowMs)
    return (
      hasPassed(intervalMs, this.#lastObjectMs, nowMs) && hasPassed(pace.settleMs, builder.firstMs, nowMs)
    )
  }
}

/** Also true after the clock was set back, so that no job waits for an old time. */
function hasPassed(spanMs: number, sinceMs: number, nowMs: number): boolean {
  return nowMs >= sinceMs + spanMs || nowMs < sinceMs
}
