import { timestampOf } from '../../kit/clock.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { LogpushJob, Replay } from '../../model/resource.ts'
import type { BatchRange, Cursors, Run } from '../../store/port/delivery.ts'
import { StoreError } from '../../store/port/error.ts'
import { BatchBuilder, batchLimits } from '../batch/batch-builder.ts'
import type { MemoryAccount } from '../batch/batch-memory.ts'
import { compileShape, shapeOf } from '../batch/shape.ts'
import { isAt, rangesBetween, rangesUpTo } from '../stream/cursors.ts'
import { MergedReader } from '../stream/merged-reader.ts'
import type { RecordSource } from '../stream/source.ts'
import { failureOf, waitMs } from './failure.ts'
import { type HeldLease, isFenced } from './held-lease.ts'
import { InterruptibleDelay } from './interruptible-delay.ts'
import { periodOf, targetOf } from './job-target.ts'
import type { RunDeps } from './run-deps.ts'
import { type Uploaded, Uploader } from './uploader.ts'

/**
 * Delivers a range of stored records again, beside the job's live delivery, with the job's current settings. It ends
 * at the range's end, or with a permanent failure; then it has failed, and can be requested again.
 */
export class ReplayRun {
  #job: LogpushJob
  #replay: Replay
  readonly #until: Cursors
  readonly #deps: RunDeps
  readonly held: HeldLease
  readonly #source: RecordSource
  readonly #memory: MemoryAccount
  readonly #uploader: Uploader
  readonly #delay = new InterruptibleDelay()
  readonly #loop: Promise<void>
  #failures = 0
  #stopping = false

  constructor(
    job: LogpushJob,
    replay: Replay,
    until: Cursors,
    held: HeldLease,
    deps: RunDeps,
    source: RecordSource,
  ) {
    this.#job = job
    this.#replay = replay
    this.#until = until
    this.#deps = deps
    this.held = held
    this.#source = source
    this.#memory = deps.memory.account()
    this.#uploader = new Uploader(deps, source, this.#run, held, this.#memory, () => this.#job)
    this.#loop = this.#live().finally(() => this.#uploader.close())
  }

  get #run(): Run {
    return { jobId: this.#replay.jobId, replay: this.#replay.id, lease: this.held.lease }
  }

  /** Applies from the next batch on. */
  update(job: LogpushJob): void {
    const written = job.revision !== this.#job.revision
    this.#job = job
    if (written) this.#delay.interrupt()
  }

  /** Ends after the work in progress; another process continues from there. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#delay.interrupt()
    await this.#loop
  }

  async #live(): Promise<void> {
    while (!this.#stopping) {
      const { revision } = this.#job
      try {
        await this.#record(await this.#uploader.deliverOpen())
        if (await this.#readOn()) await this.#end({ status: 'completed', errorMessage: null })
        return
      } catch (error) {
        if (this.held.isLost || isFenced(error)) return this.#deps.onFenced(this.held)
        if (error instanceof StoreError && error.code !== 'unavailable') {
          // The replay was cancelled, or another process runs it.
          if (!(await this.#isRunning())) return
          await this.#delay.wait(this.#deps.pace.retryFirstMs)
        } else if (await this.#failed(error, revision)) return
      }
    }
  }

  async #isRunning(): Promise<boolean> {
    const { jobId, id } = this.#replay
    try {
      return (await this.#deps.store.replays.get(jobId, id))?.status === 'running'
    } catch {
      return true
    }
  }

  /** @returns whether it reached the end */
  async #readOn(): Promise<boolean> {
    let job = this.#job
    let compiled = compileShape(shapeOf(job, periodOf(targetOf(job))))
    let from = await this.#deps.store.delivery.cursors(this.#run)
    const reader = new MergedReader(this.#source, from, this.#deps.clock, 0)
    let builder = new BatchBuilder(compiled, batchLimits(job), this.#memory)
    let missing: readonly BatchRange[] = []
    const deliver = async (to: Cursors) => {
      const bounds = {
        ranges: rangesBetween(from, to),
        missing: rangesUpTo(missing, to),
        revision: job.revision,
      }
      builder.complete()
      const uploaded = await this.#uploader.deliver(builder, bounds)
      builder.release()
      await this.#record(uploaded)
      missing = missing.filter(range => !bounds.missing.includes(range))
      from = to
      if (job.revision !== this.#job.revision) {
        job = this.#job
        compiled = compileShape(shapeOf(job, periodOf(targetOf(job))))
      }
      builder = new BatchBuilder(compiled, batchLimits(job), this.#memory)
    }
    try {
      while (!isAt(reader.position, this.#until)) {
        if (this.#stopping) return false
        const slice = await reader.next(this.#until)
        missing = [...missing, ...slice.missing]
        for (const [index, record] of slice.records.entries()) {
          if (!compiled.wants(record)) continue
          if (builder.lines > 0 && (this.#memory.isOver || builder.isOverBefore(record))) {
            await deliver(slice.before(index))
            // The job may have been edited meanwhile.
            if (!compiled.wants(record)) continue
          }
          builder.add(record)
        }
        await nextTurn()
      }
      if (builder.lines > 0) await deliver(reader.position)
      return true
    } finally {
      builder.release()
    }
  }

  async #record(uploaded: Uploaded | undefined): Promise<void> {
    if (uploaded === undefined) return
    this.#failures = 0
    const { lines, objects } = this.#replay
    this.#replay = {
      ...this.#replay,
      lines: lines + uploaded.lines,
      objects: objects + 1,
      errorMessage: null,
    }
    await this.#deps.store.replays.update(this.#replay, this.held.lease)
  }

  /** @returns whether the replay has ended */
  async #failed(error: unknown, revision: number): Promise<boolean> {
    const { counts, onOutcome, onError, pace, store } = this.#deps
    const failure = failureOf(error)
    const { message, status, permanent } = failure
    counts.add(this.#job.id, permanent ? 'failed' : 'retry', status)
    const amounts = { lines: 0, bytes: 0, bytesCompressed: 0 }
    onOutcome(this.#job, { outcome: permanent ? 'paused' : 'retry', status, ...amounts, message })
    try {
      if (permanent) await this.#end({ status: 'failed', errorMessage: message })
      else await store.replays.update({ ...this.#replay, errorMessage: message }, this.held.lease)
    } catch (cause) {
      onError('the result of a replay cannot be stored', cause)
    }
    if (permanent) return true
    this.#failures++
    if (!this.#stopping && this.#job.revision === revision)
      await this.#delay.wait(waitMs(failure, pace, this.#failures))
    return false
  }

  async #end(outcome: Pick<Replay, 'status' | 'errorMessage'>): Promise<void> {
    const completedOn = timestampOf(this.#deps.clock.nowMs())
    await this.#deps.store.replays.update({ ...this.#replay, ...outcome, completedOn }, this.held.lease)
  }
}
