import type { LogpushJob, Scope } from '../../model/resource.ts'
import { type BatchRange, type Cursors, type Move, type Run, StoreError } from '../../store/port.ts'
import { BatchBuilder, batchIntervalMs, batchLimits } from '../batch/batch-builder.ts'
import { type CompiledShape, compileShape, shapeOf } from '../batch/shape.ts'
import { rangesBetween, rangesUpTo } from '../stream/cursors.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'
import type { RecordSource } from '../stream/source.ts'
import type { Stream } from '../stream/stream.ts'
import type { Follower, Passage } from '../stream/walk.ts'
import type { JobLag } from '../types.ts'
import { hourOf } from './counts.ts'
import { failureOf, waitMs } from './failure.ts'
import { ManifestWriter } from './manifests.ts'
import { Nap } from './nap.ts'
import { periodOf, type RunDeps, targetOf, Uploader } from './uploader.ts'

/**
 * Delivers what comes in for one job. It follows the stream and collects lines; while one batch is uploaded, the next is
 * collected. A batch closes when it is full, or when the job's last object is `interval` old and the batch's first line
 * `settleMs`; so a busy job writes one object an interval, and a quiet one delivers within two seconds.
 *
 * What fails is not kept in memory: the job leaves the stream, tries its open batch until the destination has it, and
 * goes on from there. Jobs do not wait for each other.
 */
export class JobRun implements Follower {
  #job: LogpushJob
  readonly #deps: RunDeps
  readonly #stream: Stream
  readonly #uploader: Uploader
  readonly #manifests: ManifestWriter
  readonly #nap = new Nap()
  readonly #loop: Promise<void>
  /** Undefined while the job does not follow the stream. */
  #compiled: CompiledShape | undefined
  #builder: BatchBuilder | undefined
  #collectsSinceMs = 0
  /** Of the job as it was when it began to follow: of its shape and its place. The store refuses what is of another. */
  #revision = 0
  /** Everything up to here is behind the batch that is collected. */
  #from: Cursors = new Map()
  /** What was missing behind `from`. */
  #missing: readonly BatchRange[] = []
  /** Where the stream was when it last told … */
  #collectedTo: Cursors = new Map()
  /** … and whether the job has taken records since. */
  #takes = false
  #uploading: Promise<void> | undefined
  /** Settled when the job is to leave the stream. */
  #left: PromiseWithResolvers<void> | undefined
  #lastObjectMs = Number.NEGATIVE_INFINITY
  /** Every record that was received before this moment is behind the job, or in a batch. */
  #passedMs: number
  /** Has the stream told of that since the job follows it? Before, there may be records of any age. */
  #knowsPlace = false
  /** An upload, or what it made of a record, has failed: it takes and closes nothing until it has left the stream. */
  #broken = false
  #failures = 0
  #stopping = false
  /** Settled when the job follows the stream for the first time, or has failed before it came to that. */
  readonly #begun = Promise.withResolvers<void>()

  constructor(job: LogpushJob, deps: RunDeps, stream: Stream, source: RecordSource) {
    this.#job = job
    this.#deps = deps
    this.#stream = stream
    this.#passedMs = deps.clock.nowMs()
    this.#uploader = new Uploader(deps, source, this.run, () => this.#job)
    this.#manifests = new ManifestWriter(deps, () => this.#job)
    this.#loop = this.#live()
  }

  get run(): Run {
    return { jobId: this.#job.id, replay: 0 }
  }

  get scope(): Scope {
    return this.#job.scope
  }

  get dataset(): string {
    return this.#job.dataset
  }

  /** Where the job is, if it has nothing in hand: what is behind it held nothing for it. */
  get idleAt(): Move | undefined {
    const idle =
      this.#left !== undefined &&
      !this.#broken &&
      this.#builder === undefined &&
      this.#uploading === undefined
    if (!idle) return undefined
    const at = { jobId: this.#job.id, revision: this.#revision }
    const ranges = rangesUpTo(this.#missing, this.#collectedTo)
    if (ranges.length === 0) return { ...at, cursors: this.#from }
    const missing = { hour: hourOf(this.#deps.clock.nowMs()), ranges }
    return { ...at, cursors: this.#collectedTo, missing }
  }

  /** The store has made a move that `idleAt` gave. */
  moved({ cursors, missing }: Move): void {
    if (missing === undefined) return
    const known = new Set(this.#missing)
    // Otherwise a batch has them meanwhile, or they are of an earlier place.
    if (!missing.ranges.every(range => known.delete(range))) return
    this.#missing = [...known]
    this.#from = cursors
  }

  lag(): JobLag {
    const oldestMs = this.#uploader.inHandMs ?? this.#builder?.firstMs
    // The stream itself is a moment behind: that is nothing to speak of.
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

  /** The job as it is stored now. What somebody wrote since holds for everything that is not in a batch yet. */
  update(job: LogpushJob): void {
    const written = job.revision !== this.#job.revision
    this.#job = { ...job, ...healthOf(this.#job) }
    if (!written) return
    this.#failures = 0
    this.#left?.resolve()
    this.#nap.wake()
  }

  /** Ends after what is under way. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#left?.resolve()
    this.#nap.wake()
    this.#manifests.stop()
    await this.#loop
  }

  /** Delivers what it has collected, due or not, once, and ends. */
  async finish(): Promise<void> {
    await this.#uploading
    const whole = this.#left !== undefined && !this.#broken && !this.#takes
    if (this.#builder !== undefined && whole) this.#close(this.#builder, this.#collectedTo)
    await this.#uploading
    await this.stop()
  }

  take(record: StreamRecord, before: () => Cursors): boolean {
    try {
      return this.#take(record, before)
    } catch (error) {
      // What one job makes of a record is no matter of the others.
      this.#broken = true
      this.#left?.reject(error)
      return true
    }
  }

  async ready(): Promise<void> {
    await this.#uploading
  }

  missed(ranges: readonly BatchRange[]): void {
    this.#missing = [...this.#missing, ...ranges]
  }

  passed({ position, untilMs, atEnd }: Passage): void {
    if (this.#broken || this.#compiled === undefined) return
    if (untilMs !== undefined) {
      this.#passedMs = untilMs
      this.#knowsPlace = true
    }
    this.#collectedTo = position
    this.#takes = false
    const builder = this.#builder
    // What is missing is counted by who moves the job past it: a batch around it, or `moved`.
    if (builder === undefined) {
      if (this.#missing.length === 0) this.#from = position
    } else if (this.#uploading === undefined && this.#isDue(builder, atEnd)) this.#close(builder, position)
  }

  dropped(): void {
    this.#left?.resolve()
  }

  /** Begins to write the manifests of the hours that are wholly delivered, if there are any. */
  writeManifests(): void {
    const inHandMs = this.#uploader.inHandMs ?? this.#builder?.firstMs
    if (this.#knowsPlace) this.#manifests.write(inHandMs ?? this.#passedMs)
  }

  #take(record: StreamRecord, before: () => Cursors): boolean {
    const compiled = this.#compiled
    if (compiled === undefined || this.#broken || !compiled.keeps(record)) return true
    if (this.#builder?.isOverBefore(record)) {
      if (this.#uploading !== undefined) return false
      this.#close(this.#builder, before())
    }
    if (this.#builder === undefined) {
      this.#builder = new BatchBuilder(compiled, batchLimits(this.#job))
      this.#collectsSinceMs = this.#deps.clock.nowMs()
    }
    this.#takes = true
    this.#builder.add(record)
    return true
  }

  /** While there is more to collect, a batch may go on for an interval. */
  #isDue(builder: BatchBuilder, atEnd: boolean): boolean {
    if (builder.isFull) return true
    const nowMs = this.#deps.clock.nowMs()
    const intervalMs = batchIntervalMs(this.#job)
    if (!atEnd) return hasPassed(intervalMs, this.#collectsSinceMs, nowMs)
    return (
      hasPassed(intervalMs, this.#lastObjectMs, nowMs) &&
      hasPassed(this.#deps.pace.settleMs, builder.firstMs, nowMs)
    )
  }

  /** The batch ends at `to`; the next one begins there. */
  #close(builder: BatchBuilder, to: Cursors): void {
    const ranges = rangesBetween(this.#from, to)
    const missing = rangesUpTo(this.#missing, to)
    this.#missing = this.#missing.filter(range => !missing.includes(range))
    this.#from = to
    this.#builder = undefined
    this.#uploading = this.#uploader
      .deliver(builder, { ranges, missing, revision: this.#revision })
      .then(({ lastMs }) => this.#succeeded(lastMs, builder.isFull))
      .catch(error => {
        // What follows may not be delivered before it.
        this.#broken = true
        this.#left?.reject(error)
      })
      .finally(() => {
        this.#uploading = undefined
      })
  }

  /**
   * @param lastMs what was received up to then is delivered
   * @param full there is probably more: what comes next does not wait for its interval
   */
  async #succeeded(lastMs: number, full: boolean): Promise<void> {
    this.#failures = 0
    this.#lastObjectMs = full ? Number.NEGATIVE_INFINITY : this.#deps.clock.nowMs()
    await this.#report({
      lastComplete: new Date(lastMs).toISOString(),
      lastError: null,
      errorMessage: null,
      paused: false,
    })
  }

  async #live(): Promise<void> {
    while (!this.#stopping) {
      const { revision } = this.#job
      try {
        const uploaded = await this.#uploader.deliverOpen()
        if (uploaded !== undefined) await this.#succeeded(uploaded.lastMs, false)
        if (!this.#stopping) await this.#follow()
      } catch (error) {
        // Somebody has stopped the job, or started it anew: it goes on from where it will be then.
        if (error instanceof StoreError && error.code !== 'unavailable')
          await this.#nap.sleep(this.#deps.pace.retryFirstMs)
        else await this.#failed(error, revision)
      }
    }
  }

  /** Follows the stream until the job is changed or stopped, or left behind. @throws what an upload failed with */
  async #follow(): Promise<void> {
    const left = Promise.withResolvers<void>()
    // Whoever rejects it may do so before anybody waits for it.
    left.promise.catch(() => {})
    const { revision } = this.#job
    this.#revision = revision
    try {
      this.#compiled = compileShape(shapeOf(this.#job, periodOf(targetOf(this.#job))))
      this.#from = await this.#deps.store.delivery.cursors(this.run)
      this.#collectedTo = this.#from
      this.#missing = []
      this.#left = left
      await this.#stream.follow(this, this.#from)
      this.#begun.resolve()
      // Somebody may have written the job before there was anything to leave.
      if (this.#stopping || this.#job.revision !== revision) return
      if (this.#job.errorMessage !== null) await this.#recovered()
      await left.promise
    } finally {
      this.#compiled = undefined
      this.#stream.leave(this)
      this.#builder = undefined
      this.#takes = false
      this.#knowsPlace = false
      await this.#uploading
      this.#left = undefined
      this.#broken = false
    }
  }

  /** Nothing is in hand and nothing fails, also when nothing has come that could be delivered. */
  async #recovered(): Promise<void> {
    const { lastComplete } = this.#job
    await this.#report({ lastComplete, lastError: null, errorMessage: null, paused: false })
  }

  /** @param revision of the job that was tried: one that somebody has written since is tried at once */
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
    await this.#report({
      lastComplete: this.#job.lastComplete,
      lastError: new Date(clock.nowMs()).toISOString(),
      errorMessage: permanent ? `paused until somebody mends it: ${message}` : message,
      paused: permanent,
    })
    if (this.#stopping || this.#job.revision !== revision) return
    await this.#nap.sleep(waitMs(failure, pace, this.#failures))
  }

  async #report(health: ReturnType<typeof healthOf>): Promise<void> {
    this.#job = { ...this.#job, ...health }
    try {
      await this.#deps.store.jobs.report(this.#job.id, health)
    } catch (error) {
      this.#deps.onError('the health of a job cannot be written', error)
    }
  }
}

/** A clock that was set back makes nobody wait for what it said before. */
function hasPassed(spanMs: number, sinceMs: number, nowMs: number): boolean {
  return nowMs >= sinceMs + spanMs || nowMs < sinceMs
}

function healthOf({ lastComplete, lastError, errorMessage, paused }: LogpushJob) {
  return { lastComplete, lastError, errorMessage, paused }
}
