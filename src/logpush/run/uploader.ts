import { nextTurn } from '../../kit/turns.ts'
import { isPartitionOf } from '../../model/log-name.ts'
import type { LogpushJob, Scope } from '../../model/resource.ts'
import type {
  BatchRange,
  DeliveryBatch,
  ManifestObject,
  MissingRecords,
  Run,
} from '../../store/port/delivery.ts'
import { StoreError } from '../../store/port/error.ts'
import { type BatchBody, BatchBuilder, batchLimits } from '../batch/batch-builder.ts'
import type { MemoryAccount } from '../batch/batch-memory.ts'
import { compileShape, type Shape, shapeOf } from '../batch/shape.ts'
import { logpushLimits } from '../limits.ts'
import { batchId, objectName, objectPath, objectSpan, startOf } from '../output/object-name.ts'
import { NameTakenError, type Sink, SinkError, type Target } from '../sinks/sink.ts'
import { cursorsOf, isAt } from '../stream/cursors.ts'
import { MergedReader } from '../stream/merged-reader.ts'
import type { RecordSource } from '../stream/source.ts'
import { hourOf } from './counts.ts'
import { refusesCut } from './failure.ts'
import type { HeldLease } from './held-lease.ts'
import { periodOf, targetOf } from './job-target.ts'
import { KeptSink } from './kept-sink.ts'
import type { RunDeps } from './run-deps.ts'
import { SentParts } from './sent-parts.ts'
import { earlierObject, objectOf, type StoredObject, storedObject } from './stored-object.ts'

export interface Uploaded {
  readonly lines: number
  readonly bytes: number
  readonly bytesCompressed: number
  /** When its last line was received, ms since the epoch. */
  readonly lastMs: number
}

/** A batch that the destination has, and that is still to be closed. */
interface Taken {
  readonly batch: DeliveryBatch
  readonly path: string
  readonly object: ManifestObject | undefined
  readonly status: string
  readonly uploaded: Uploaded
  /** Its records that no longer existed. */
  readonly missing: readonly BatchRange[]
}

/** An attempt to upload a batch. */
interface Attempt {
  readonly batch: DeliveryBatch
  readonly scope: Scope
  readonly path: string
  readonly body: BatchBody
  /** `destination_conf` of the job. */
  readonly to: string
}

/** The range of a new batch. */
export interface BatchBounds {
  readonly ranges: readonly BatchRange[]
  /** Records of the range that were missing. */
  readonly missing: readonly BatchRange[]
  /** Revision of the job that its lines were made for. */
  readonly revision: number
}

/**
 * Delivers the batches of one run: stored → uploaded → closed. One at a time. After any interruption, the next
 * attempt, in this process or another, makes the same lines again from the same ranges.
 */
export class Uploader {
  readonly #deps: RunDeps
  readonly #source: RecordSource
  readonly #run: Run
  readonly #jobNow: () => LogpushJob
  readonly #held: HeldLease
  readonly #memory: MemoryAccount
  readonly #sink = new KeptSink()
  #inHandMs: number | undefined
  #taken: Taken | undefined
  readonly #sent = new SentParts()

  constructor(
    deps: RunDeps,
    source: RecordSource,
    run: Run,
    held: HeldLease,
    memory: MemoryAccount,
    jobNow: () => LogpushJob,
  ) {
    this.#deps = deps
    this.#source = source
    this.#run = { ...run, lease: held.lease }
    this.#held = held
    this.#memory = memory
    this.#jobNow = jobNow
  }

  /** Closes the destination. No delivery may be in progress. */
  close(): void {
    this.#sink.close()
  }

  /** When the first line of the undelivered batch was received, ms since the epoch; undefined without a batch. */
  get inHandMs(): number | undefined {
    return this.#inHandMs
  }

  /**
   * Stores a new batch and uploads it.
   * @param builder holds at least one line
   * @throws StoreError `stale` or `conflict` when this run must not deliver the ranges any more
   * @throws SinkError
   */
  async deliver(builder: BatchBuilder, { ranges, missing, revision }: BatchBounds): Promise<Uploaded> {
    const { shape, form } = builder.compiled
    this.#inHandMs = builder.firstMs
    const shapeText = JSON.stringify(shape)
    const identity = { ...this.#run, scope: shape.scope, ranges, shape: shapeText }
    const batch: DeliveryBatch = {
      ...this.#run,
      ranges,
      objectName: objectName(identity, objectSpan(builder.firstMs, builder.lastMs), form.extension),
      shape: shapeText,
      lines: builder.lines,
      openedOn: new Date(this.#deps.clock.nowMs()).toISOString(),
    }
    await this.#deps.store.delivery.openBatch(batch, revision)
    return this.#upload(batch, shape, await this.#finished(builder), builder.lastMs, missing)
  }

  /**
   * Delivers the batch that an earlier attempt left open, if there is one. A batch that the destination refuses is
   * given up if the job's current settings would cut it differently: its records are still ahead of the run. So is a
   * batch whose beginning the run has passed: an earlier version, which does not know batches of parts, cut its records
   * again.
   * @throws SinkError
   */
  async deliverOpen(): Promise<Uploaded | undefined> {
    const open = await this.#openBatch()
    this.#inHandMs = open && startOf(open.objectName)
    if (open === undefined) return this.#closedMeanwhile()
    const batch = { ...open, ...this.#run }
    // Only the database failed: not every destination would recognise the batch.
    if (this.#taken !== undefined && isSame(batch, this.#taken.batch)) return this.#close(this.#taken)
    if (await this.#isPassed(batch)) {
      await this.#deps.store.delivery.giveUpBatch(batch)
      this.#inHandMs = undefined
      return undefined
    }
    const shape = JSON.parse(batch.shape) as Shape
    const unlimited = { records: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
    const builder = new BatchBuilder(compileShape(shape), unlimited, this.#memory)
    try {
      const { body, missing } = await this.#render(batch, builder)
      builder.complete()
      if (body === undefined) return await this.#closeGone(batch, shape, missing)
      try {
        return await this.#upload(batch, shape, body, builder.lastMs, missing)
      } catch (error) {
        if (!refusesCut(error) || !this.#cutsOtherwise(batch, body)) throw error
        await this.#deps.store.delivery.giveUpBatch(batch)
      }
    } finally {
      builder.release()
    }
    this.#inHandMs = undefined
    return undefined
  }

  #finished(builder: BatchBuilder): Promise<BatchBody> {
    return builder.finish(this.#held.signal)
  }

  /**
   * Earlier versions delivered all parts of a log together. A batch of theirs belongs to the part that comes first in
   * it, and the other parts of it wait: their records are behind it.
   * @throws StoreError `conflict` while they wait
   */
  async #openBatch(): Promise<DeliveryBatch | undefined> {
    const open = await this.#deps.store.delivery.openBatchOf(this.#run)
    if (open === undefined || open.replay !== 0) return open
    const ours = open.ranges.map(({ partition }) => isPartitionOf(partition, this.#held.lease.log))
    if (ours.includes(true) && !ours[0])
      throw new StoreError('conflict', `a batch of job ${open.jobId} is open that has records of this part`)
    return ours[0] ? open : undefined
  }

  async #isPassed({ ranges }: DeliveryBatch): Promise<boolean> {
    const cursors = await this.#deps.store.delivery.cursors(this.#run)
    return ranges.some(({ partition, first }) => first <= (cursors.get(partition) ?? 0))
  }

  /** Closes a batch whose records no longer exist. An attempt whose answer was lost may have delivered them. */
  async #closeGone(
    batch: DeliveryBatch,
    shape: Shape,
    missing: readonly BatchRange[],
  ): Promise<Uploaded | undefined> {
    const job = this.#jobNow()
    const target = targetOf(job)
    const path = pathOf(batch, target)
    const { format, form } = compileShape(shape)
    const { recordSuffix, recordDelimiter, recordPrefix } = format.texts
    const between = recordSuffix + recordDelimiter + recordPrefix
    const stored = await this.#withSink(job, target, (sink, signal) =>
      earlierObject(sink, path, form, batch.lines, between, signal),
    )
    if (stored !== undefined) {
      const { lines, bytes, bytesCompressed } = stored
      const uploaded = { lines, bytes, bytesCompressed, lastMs: startOf(batch.objectName) }
      const object = listed(batch, target, path, stored)
      this.#taken = { batch, path, object, status: '', uploaded, missing }
      return this.#close(this.#taken)
    }
    await this.#deps.store.delivery.closeBatch(batch, undefined, this.#seenNow(missing))
    this.#inHandMs = undefined
    return undefined
  }

  async #withSink<T>(
    { destinationConf }: LogpushJob,
    target: Target,
    use: (sink: Sink, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    await this.#held.require()
    return this.#sink.use(destinationConf, target, this.#deps.destinations, sink => {
      const signal = AbortSignal.any([AbortSignal.timeout(this.#deps.pace.uploadMs), this.#held.signal])
      return use(sink, signal)
    })
  }

  /** Whether no part of the batch was accepted, and the job's current settings would format or end it differently. */
  #cutsOtherwise({ shape }: DeliveryBatch, { frame: { sizes } }: BatchBody): boolean {
    if (this.#sent.isAny) return false
    const job = this.#jobNow()
    const { records, bytes } = batchLimits(job)
    const bytesBeforeLast = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)
    return (
      sizes.length > records ||
      bytesBeforeLast >= bytes ||
      JSON.stringify(shapeOf(job, periodOf(targetOf(job)))) !== shape
    )
  }

  /** Makes the lines of a batch again; without body when its records no longer exist. */
  async #render(
    batch: DeliveryBatch,
    builder: BatchBuilder,
  ): Promise<{ readonly body: BatchBody | undefined; readonly missing: readonly BatchRange[] }> {
    const { from, until } = cursorsOf(batch.ranges)
    const reader = new MergedReader(this.#source, from, this.#deps.clock, 0)
    const missing: BatchRange[] = []
    while (!isAt(reader.position, until)) {
      const { records, missing: more } = await reader.next(until)
      missing.push(...more)
      this.#deps.losses.see(batch.jobId, more)
      for (const record of records) if (builder.compiled.wants(record)) builder.add(record)
      await nextTurn()
    }
    return { body: builder.lines === 0 ? undefined : await this.#finished(builder), missing }
  }

  async #upload(
    batch: DeliveryBatch,
    shape: Shape,
    body: BatchBody,
    lastMs: number,
    missing: readonly BatchRange[],
  ): Promise<Uploaded> {
    const job = this.#jobNow()
    const target = targetOf(job)
    const path = pathOf(batch, target)
    // The job stored objects when the batch was made. Now its destination takes lines.
    if (body.form.onlyObjects && !target.objects)
      throw new SinkError('format', 'never', 'the destination takes lines, and the batch is a Parquet file')
    return this.#held.upload(async () => {
      const { answered, stored } = await this.#withSink(job, target, (sink, signal) =>
        this.#put(sink, { batch, scope: shape.scope, path, body, to: job.destinationConf }, signal),
      )
      const amounts = {
        lines: body.frame.sizes.length,
        bytes: body.bytes,
        bytesCompressed: body.content.length,
      }
      this.#taken = {
        batch,
        path,
        object: listed(batch, target, path, stored ?? objectOf(body)),
        status: answered === undefined ? '' : String(answered),
        uploaded: { ...amounts, lastMs },
        missing,
      }
      return this.#close(this.#taken)
    })
  }

  /** @returns what is there when an earlier attempt has stored it */
  async #put(
    sink: Sink,
    { batch, scope, path, body, to }: Attempt,
    signal: AbortSignal,
  ): Promise<{ readonly answered: number | undefined; readonly stored?: StoredObject }> {
    const order = {
      path,
      id: batchId({ ...batch, scope }, batch.objectName),
      job: `${scope.id}/${batch.jobId}`,
      origin: (line: number) => body.origins.at(line),
      records: body.frame.sizes.length,
      content: body.content,
      contentType: body.form.contentType,
      frame: body.frame,
      text: () => body.form.text(body.content, logpushLimits.objectTextBytesMax, signal),
      sent: this.#sent.of(batch.objectName, to, body.crc),
    }
    try {
      return { answered: await sink.put(order, signal) }
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error
      const stored = await storedObject(sink, path, body, batch.lines, error, signal)
      return { answered: error.status, stored }
    }
  }

  async #close(taken: Taken): Promise<Uploaded> {
    const { batch, object, status, missing, uploaded } = taken
    const { lines, bytes, bytesCompressed } = uploaded
    const seen = this.#seenNow(missing)
    const amounts = { uploads: 1, lines, bytes, bytesCompressed }
    const count = { jobId: batch.jobId, hour: seen.hour, outcome: 'successful' as const, status, ...amounts }
    await this.#deps.store.delivery.closeBatch(batch, object, seen, count)
    return this.#succeeded(taken)
  }

  /** The database closed the batch, and its answer was lost. */
  #closedMeanwhile(): Uploaded | undefined {
    return this.#taken === undefined ? undefined : this.#succeeded(this.#taken)
  }

  #succeeded({ path, status, uploaded }: Taken): Uploaded {
    this.#taken = undefined
    this.#sent.forget()
    this.#inHandMs = undefined
    const { lines, bytes, bytesCompressed } = uploaded
    const amounts = { lines, bytes, bytesCompressed }
    this.#deps.onOutcome(this.#jobNow(), { outcome: 'successful', status, ...amounts, message: path })
    return uploaded
  }

  #seenNow(ranges: readonly BatchRange[]): MissingRecords {
    return { hour: hourOf(this.#deps.clock.nowMs()), ranges }
  }
}

function pathOf({ objectName }: DeliveryBatch, { folder }: Target): string {
  return objectPath(folder, objectName, startOf(objectName))
}

/** The entry of an object in a manifest. Objects of replays have none. */
function listed(
  batch: DeliveryBatch,
  target: Target,
  path: string,
  stored: StoredObject,
): ManifestObject | undefined {
  if (!target.manifest || batch.replay !== 0) return undefined
  return { hour: hourOf(startOf(batch.objectName)), path, ...stored }
}

function isSame(one: DeliveryBatch, other: DeliveryBatch): boolean {
  return one.objectName === other.objectName && JSON.stringify(one.ranges) === JSON.stringify(other.ranges)
}
