import { isPartitionOf, wholeLogOf } from '../../model/log-name.ts'
import type { LogpushJob, Scope } from '../../model/resource.ts'
import type { BatchRange, Cursors, Move, Run } from '../../store/port/delivery.ts'
import { StoreError } from '../../store/port/error.ts'
import { type BatchBuilder, batchLimits } from '../batch/batch-builder.ts'
import type { MemoryAccount } from '../batch/batch-memory.ts'
import { compileShape, shapeOf } from '../batch/shape.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'
import type { Follower, Passage } from '../stream/shared-reader.ts'
import { cursorsAt } from '../stream/source.ts'
import type { JobLag } from '../types.ts'
import { Collection } from './collection.ts'
import { hourOf } from './counts.ts'
import { DueBatches } from './due-batches.ts'
import { failureOf, waitMs } from './failure.ts'
import { failing, type Health, healthOf, healthy } from './health.ts'
import { HealthReports } from './health-reports.ts'
import { type HeldLease, isFenced } from './held-lease.ts'
import { InterruptibleDelay } from './interruptible-delay.ts'
import { periodOf, targetOf } from './job-target.ts'
import type { Log } from './log.ts'
import { ManifestWriter } from './manifests.ts'
import { backoffMs } from './pace.ts'
import type { RunDeps } from './run-deps.ts'
import { type BatchBounds, Uploader } from './uploader.ts'

/** The error of an upload, or of a line that could not be made. */
interface Fault {
  readonly error: unknown
}

/**
 * - `detached`: off the stream. The job delivers the batch that an earlier attempt left open, waits after a failure, or
 *   looks up its position.
 * - `following`: on the stream, collecting lines. `left` resolves when the job is to leave it.
 * - `failed`: about to leave the stream after a fault. The job takes no records and closes no batch.
 * - `leaving`: off the stream, while the last upload ends, which may fail too.
 */
type State =
  | { readonly name: 'detached' }
  | { readonly name: 'following'; readonly collection: Collection; readonly left: PromiseWithResolvers<void> }
  | { readonly name: 'failed'; readonly collection: Collection; readonly fault: Fault }
  | { readonly name: 'leaving'; readonly fault: Fault | undefined }

const detached: State = { name: 'detached' }

/**
 * Delivers incoming records of one log, or part of a log, for one job. It follows the stream and collects lines; while
 * one batch is uploaded, it collects the next. `DueBatches` says when a batch closes; the memory for batches can end it
 * earlier.
 *
 * A failed batch is not kept in memory: the job leaves the stream, retries its open batch until the destination has it,
 * and continues from there. Jobs do not wait for each other.
 */
export class JobRun implements Follower {
  #job: LogpushJob
  readonly #deps: RunDeps
  readonly held: HeldLease
  readonly #log: Log
  readonly #uploader: Uploader
  readonly #manifests: ManifestWriter
  readonly #reports: HealthReports
  readonly #delay = new InterruptibleDelay()
  readonly #loop: Promise<void>
  #state: State = detached
  readonly #memory: MemoryAccount
  /** Resolves, at the end of the last upload, to whether its batch is delivered. */
  #uploading: Promise<boolean> | undefined
  readonly #due: DueBatches
  /** Every record that was received before this moment is delivered, or in a batch. */
  #passedMs: number
  #failures = 0
  #stopping = false
  /** Resolves when the job first follows the stream, or has failed before that. */
  readonly #begun = Promise.withResolvers<void>()

  constructor(job: LogpushJob, held: HeldLease, deps: RunDeps, log: Log) {
    this.#job = job
    this.#deps = deps
    this.held = held
    this.#log = log
    this.#passedMs = deps.clock.nowMs()
    this.#memory = deps.memory.account()
    this.#due = new DueBatches(deps)
    this.#uploader = new Uploader(deps, log.source, this.run, held, this.#memory, () => this.#job)
    this.#manifests = new ManifestWriter(deps, log.source, held, () => this.#job)
    this.#reports = new HealthReports(deps, job.id, held)
    this.#loop = this.#live().finally(() => this.#uploader.close())
  }

  get run(): Run {
    return { jobId: this.#job.id, replay: 0, lease: this.held.lease }
  }

  get scope(): Scope {
    return this.#job.scope
  }

  get dataset(): string {
    return this.#job.dataset
  }

  /** The position of the job, if it has no batch and the store does not have it: there was nothing to deliver up to it. */
  get idleAt(): Move | undefined {
    if (this.#state.name !== 'following' || this.#uploading !== undefined) return undefined
    const { collection } = this.#state
    if (collection.batch !== undefined) return undefined
    const { lease } = this.held
    const move = collection.move(hourOf(this.#deps.clock.nowMs()))
    return move && { jobId: this.#job.id, lease, ...move }
  }

  /** The store has made a move that `idleAt` returned. */
  moved(move: Move): void {
    if (this.#state.name === 'following') this.#state.collection.moved(move)
  }

  lag(): JobLag {
    const oldestMs = this.#uploader.inHandMs ?? this.#collection?.batch?.builder.firstMs
    // The stream itself is always a moment behind: that does not count as a lag.
    const behindMs = oldestMs ?? this.#passedMs
    const lagMs = Math.max(0, this.#deps.clock.nowMs() - behindMs)
    const { tickMs, orderMs } = this.#deps.pace
    return {
      jobId: this.#job.id,
      lagSeconds: oldestMs === undefined && lagMs <= 4 * (tickMs + orderMs) ? 0 : lagMs / 1000,
      paused: this.#job.paused,
    }
  }

  /** Resolves when the job follows the stream, or cannot yet. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Updates the job to its stored form. Edits apply to all records that are not in a batch yet. */
  update(job: LogpushJob): void {
    const written = job.revision !== this.#job.revision
    this.#job = { ...job, ...healthOf(this.#job) }
    if (!written) return
    this.#failures = 0
    this.#leaveStream()
    this.#delay.interrupt()
  }

  /** Ends after the work in progress. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#leaveStream()
    this.#delay.interrupt()
    this.#manifests.stop()
    await this.#loop
  }

  /** Delivers the collected lines, due or not, with one attempt, and ends. */
  async finish(): Promise<void> {
    await this.#uploading
    if (this.#state.name === 'following') {
      const { collection } = this.#state
      const { batch, position } = collection
      if (batch !== undefined && position !== undefined) this.#close(collection, batch.builder, position)
    }
    await this.#uploading
    await this.stop()
  }

  take(record: StreamRecord, before: () => Cursors): boolean {
    try {
      return this.#take(record, before)
    } catch (error) {
      // A record that one job cannot process must not affect the others.
      this.#fail(error)
      return true
    }
  }

  async ready(): Promise<void> {
    await this.#uploading
  }

  missed(ranges: readonly BatchRange[]): void {
    if (this.#state.name === 'following') this.#state.collection.missed(ranges)
    this.#deps.losses.see(this.#job.id, ranges)
  }

  passed({ position, untilMs, atEnd }: Passage): void {
    if (this.#state.name !== 'following') return
    const { collection } = this.#state
    if (untilMs !== undefined) {
      this.#passedMs = untilMs
      collection.knowsTime = true
    }
    collection.passed(position)
    const { batch } = collection
    if (batch === undefined || this.#uploading !== undefined) return
    if (this.#memory.isOver || this.#due.isDue(this.#job, collection, batch, atEnd))
      this.#close(collection, batch.builder, position)
  }

  dropped(before: () => Cursors): void {
    // Its batch is complete, and is uploaded after the one in progress.
    if (this.#state.name === 'following') {
      const { collection } = this.#state
      if (collection.batch !== undefined) this.#close(collection, collection.batch.builder, before(), true)
    }
    this.#leaveStream()
  }

  /** The batch closes without waiting for its interval if it begins before one of these positions. */
  deliverEarly(positions: Cursors): void {
    this.#due.early = this.#here(positions)
  }

  /** Starts to write the manifests of completely delivered hours, if there are any. */
  writeManifests(): void {
    const collection = this.#collection
    if (this.#log.leads(this.#job) && collection?.knowsTime)
      this.#manifests.write(this.#uploader.inHandMs ?? collection.batch?.builder.firstMs ?? this.#passedMs)
  }

  /** Repeats a report of the job's health that failed: an idle run has no other occasion. */
  reportAgain(): void {
    void this.#reports.again()
  }

  /** The current collection; undefined off the stream. */
  get #collection(): Collection | undefined {
    return 'collection' in this.#state ? this.#state.collection : undefined
  }

  #take(record: StreamRecord, before: () => Cursors): boolean {
    if (this.#state.name !== 'following') return true
    const { collection } = this.#state
    if (!collection.keeps(record)) return true
    const { batch } = collection
    if (batch !== undefined && (this.#memory.isOver || batch.builder.isOverBefore(record))) {
      if (this.#uploading !== undefined) return false
      this.#close(collection, batch.builder, before(), this.#memory.isOver)
    }
    if (collection.batch === undefined)
      collection.begin(batchLimits(this.#job), this.#memory, this.#deps.clock.nowMs())
    collection.add(record)
    return true
  }

  #leaveStream(): void {
    if (this.#state.name === 'following') this.#state.left.resolve()
  }

  /** The first fault counts: `#follow` throws it once the job has left the stream. */
  #fail(error: unknown): void {
    const fault = { error }
    if (this.#state.name === 'following') {
      const { collection, left } = this.#state
      this.#state = { name: 'failed', collection, fault }
      left.resolve()
    } else if (this.#state.name === 'leaving')
      this.#state = { name: 'leaving', fault: this.#state.fault ?? fault }
  }

  /**
   * Ends the batch at `to` and uploads it, after the upload in progress.
   * @param more whether more records are probable, although the batch is not full
   */
  #close(collection: Collection, builder: BatchBuilder, to: Cursors, more = false): void {
    builder.complete()
    const uploading = this.#deliver(this.#uploading, builder, collection.close(to), more).finally(() => {
      builder.release()
      if (this.#uploading === uploading) this.#uploading = undefined
    })
    this.#uploading = uploading
  }

  async #deliver(
    earlier: Promise<boolean> | undefined,
    builder: BatchBuilder,
    bounds: BatchBounds,
    more: boolean,
  ): Promise<boolean> {
    try {
      // Later records must not be delivered before the earlier batch.
      if (earlier !== undefined && !(await earlier)) return false
      const { lastMs } = await this.#uploader.deliver(builder, bounds)
      await this.#succeeded(lastMs, more || builder.isFull)
      return true
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  /**
   * @param lastMs records received up to this moment are delivered
   * @param full more records are probable: the next batch does not wait for its interval
   */
  async #succeeded(lastMs: number, full: boolean): Promise<void> {
    this.#failures = 0
    this.#due.delivered(full)
    await this.#report(healthy(new Date(lastMs).toISOString()))
  }

  async #live(): Promise<void> {
    while (!this.#stopping && !this.held.isLost) {
      const { revision } = this.#job
      try {
        const uploaded = await this.#uploader.deliverOpen()
        if (uploaded !== undefined) await this.#succeeded(uploaded.lastMs, false)
        if (!this.#stopping) await this.#follow()
      } catch (error) {
        // Another process continues; `onFenced` reports it.
        if (this.held.isLost || isFenced(error)) return this.#fenced()
        // The job was stopped or restarted meanwhile: it continues from its new position.
        if (error instanceof StoreError && error.code !== 'unavailable') {
          this.#begun.resolve()
          await this.#delay.wait(backoffMs(this.#deps.pace, ++this.#failures))
        } else await this.#failed(error, revision)
      }
    }
  }

  #fenced(): void {
    this.#begun.resolve()
    this.#deps.onFenced(this.held)
  }

  /** Follows the stream until the job is edited, stopped or dropped. @throws the fault of an upload or a line */
  async #follow(): Promise<void> {
    let fault: Fault | undefined
    try {
      await this.#untilLeft()
    } finally {
      this.#collection?.discard()
      this.#state = { name: 'leaving', fault: this.#state.name === 'failed' ? this.#state.fault : undefined }
      this.#log.stream.leave(this)
      await this.#uploading
      fault = this.#state.fault
      this.#state = detached
    }
    if (fault !== undefined) throw fault.error
  }

  async #untilLeft(): Promise<void> {
    const { revision } = this.#job
    const compiled = compileShape(shapeOf(this.#job, periodOf(targetOf(this.#job))))
    await this.#begin()
    const from = this.#here(await this.#deps.store.delivery.cursors(this.run))
    const left = Promise.withResolvers<void>()
    this.#state = { name: 'following', collection: new Collection(compiled, revision, from), left }
    await this.#log.stream.follow(this, from)
    this.#begun.resolve()
    // The job may have been edited before it followed.
    if (this.#stopping || this.#job.revision !== revision) return
    // No batch is open and nothing fails, even if no record has come that could be delivered.
    if (this.#job.errorMessage !== null) await this.#report(healthy(this.#job.lastComplete))
    await left.promise
  }

  /** Positions in the part of the log that this run delivers. */
  #here(positions: Cursors): Cursors {
    return new Map([...positions].filter(([partition]) => isPartitionOf(partition, this.#log.name)))
  }

  /**
   * The process that started the job set its position in its own log; this process may read another one. A job begins in
   * all parts of a log at once.
   */
  async #begin(): Promise<void> {
    const { delivery } = this.#deps.store
    const log = wholeLogOf(this.#log.name)
    const startMs = await delivery.startOf(this.#job.id, log)
    if (startMs !== undefined)
      await delivery.begin(this.run, log, startMs, await cursorsAt(this.#log.source, startMs))
  }

  /** @param revision of the job that was tried: an edited job is tried at once */
  async #failed(error: unknown, revision: number): Promise<void> {
    const { counts, onOutcome, clock, pace } = this.#deps
    this.#begun.resolve()
    const failure = failureOf(error)
    const { message, status, permanent } = failure
    this.#failures++
    counts.add(this.#job.id, permanent ? 'failed' : 'retry', status)
    onOutcome(this.#job, {
      outcome: permanent ? 'paused' : 'retry',
      status,
      lines: 0,
      bytes: 0,
      bytesCompressed: 0,
      message,
    })
    await this.#report(failing(this.#job, failure, clock.nowMs()))
    if (this.#stopping || this.#job.revision !== revision) return
    await this.#delay.wait(waitMs(failure, pace, this.#failures))
  }

  async #report(health: Health): Promise<void> {
    this.#job = { ...this.#job, ...health }
    await this.#reports.store(health)
  }
}
