import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { nextTurn } from '../../kit/turns.ts'
import type { LogpushJob } from '../../model/resource.ts'
import type { BatchRange, DeliveryBatch, ManifestObject, MissingRecords, Run } from '../../store/port.ts'
import { type BatchBody, BatchBuilder, batchLimits } from '../batch/batch-builder.ts'
import { compileShape, type Shape, shapeOf } from '../batch/shape.ts'
import { batchId, objectName, objectPath, objectSpan, startOf } from '../object-name.ts'
import { SinkError, type Target } from '../sinks/sink.ts'
import { parseDestination } from '../sinks/table.ts'
import { cursorsOf, isAt } from '../stream/cursors.ts'
import { MergedReader } from '../stream/merged-reader.ts'
import type { RecordSource } from '../stream/source.ts'
import type { DeliveryDeps, DeliveryPace } from '../types.ts'
import { type Counts, hourOf } from './counts.ts'
import { refusesCut } from './failure.ts'

export interface RunDeps extends Omit<DeliveryDeps, 'pace' | 'reader'> {
  readonly pace: DeliveryPace
  readonly counts: Counts
}

const gunzipped = promisify<Uint8Array, Buffer>(gunzip)

/** What of an open batch its destination has taken, where it takes a batch in parts. */
interface SentParts {
  readonly destination: string
  /** CRC-32 of the text that the parts are of. */
  readonly crc: number
  readonly ids: Set<string>
}

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
  /** Records of it that were not kept any more. */
  readonly missing: readonly BatchRange[]
}

/** What a new batch is of. */
export interface BatchPlace {
  readonly ranges: readonly BatchRange[]
  /** What of it was not there. */
  readonly missing: readonly BatchRange[]
  /** Of the job that its lines were made for. */
  readonly revision: number
}

/**
 * Brings the batches of one run to the destination: written down → uploaded → closed. One at a time. Whatever happens in
 * between, the next attempt, in this process or another, makes the same lines again out of the same ranges.
 */
export class Uploader {
  readonly #deps: RunDeps
  readonly #source: RecordSource
  readonly #run: Run
  readonly #jobNow: () => LogpushJob
  #inHandMs: number | undefined
  #lastSpan = ''
  #taken: Taken | undefined
  #sent: { readonly name: string; readonly parts: SentParts } | undefined

  constructor(deps: RunDeps, source: RecordSource, run: Run, jobNow: () => LogpushJob) {
    this.#deps = deps
    this.#source = source
    this.#run = run
    this.#jobNow = jobNow
  }

  /** When the first line of the batch was received that is not delivered yet, ms since the epoch; undefined without one. */
  get inHandMs(): number | undefined {
    return this.#inHandMs
  }

  /**
   * Writes a new batch down and uploads it.
   * @param builder holds at least one line
   * @throws StoreError `stale` or `conflict` when the ranges are not this run's to deliver any more
   * @throws SinkError
   */
  async deliver(builder: BatchBuilder, { ranges, missing, revision }: BatchPlace): Promise<Uploaded> {
    const { shape } = builder.compiled
    this.#inHandMs = builder.firstMs
    const identity = { ...this.#run, scope: shape.scope, ranges }
    const span = objectSpan(builder.firstMs, builder.lastMs)
    const crowded = span === this.#lastSpan
    this.#lastSpan = span
    const batch: DeliveryBatch = {
      ...this.#run,
      ranges,
      objectName: objectName(identity, span, crowded),
      shape: JSON.stringify(shape),
      openedOn: new Date(this.#deps.clock.nowMs()).toISOString(),
    }
    await this.#deps.store.delivery.openBatch(batch, revision)
    return this.#upload(batch, shape, await builder.finish(), builder.lastMs, missing)
  }

  /**
   * Delivers the batch that an earlier attempt has left open, if there is one. One that the destination refuses as it
   * was cut, while the job as it is now would cut it otherwise, is given up: its records are still before the run.
   * @throws SinkError
   */
  async deliverOpen(): Promise<Uploaded | undefined> {
    const batch = await this.#deps.store.delivery.openBatchOf(this.#run)
    this.#inHandMs = batch && startOf(batch.objectName)
    if (batch === undefined) return undefined
    // Only the database has failed: not every destination would recognise the batch.
    if (this.#taken !== undefined && isSame(batch, this.#taken.batch)) return this.#close(this.#taken)
    const shape = JSON.parse(batch.shape) as Shape
    const { body, lastMs, missing } = await this.#render(batch, shape)
    const { delivery } = this.#deps.store
    if (body === undefined) await delivery.closeBatch(batch, undefined, this.#seenNow(missing))
    else
      try {
        return await this.#upload(batch, shape, body, lastMs, missing)
      } catch (error) {
        if (!refusesCut(error) || !this.#cutsOtherwise(batch, body)) throw error
        await delivery.giveUpBatch(batch)
      }
    this.#inHandMs = undefined
    return undefined
  }

  /** Nothing of the batch was taken, and the job as it is now would write or end it differently. */
  #cutsOtherwise({ shape }: DeliveryBatch, { frame: { sizes } }: BatchBody): boolean {
    if ((this.#sent?.parts.ids.size ?? 0) > 0) return false
    const job = this.#jobNow()
    const { records, bytes } = batchLimits(job)
    const bytesBeforeLast = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0)
    return (
      sizes.length > records ||
      bytesBeforeLast >= bytes ||
      JSON.stringify(shapeOf(job, periodOf(targetOf(job)))) !== shape
    )
  }

  /** Makes the lines of a batch again; no body when its records are not kept any more. */
  async #render(
    batch: DeliveryBatch,
    shape: Shape,
  ): Promise<{
    readonly body: BatchBody | undefined
    readonly lastMs: number
    readonly missing: readonly BatchRange[]
  }> {
    const compiled = compileShape(shape)
    const builder = new BatchBuilder(compiled, {
      records: Number.POSITIVE_INFINITY,
      bytes: Number.POSITIVE_INFINITY,
    })
    const { from, until } = cursorsOf(batch.ranges)
    const reader = new MergedReader(this.#source, from, this.#deps.clock, 0)
    const missing: BatchRange[] = []
    while (!isAt(reader.position, until)) {
      const { records, missing: more } = await reader.next(until)
      missing.push(...more)
      for (const record of records) if (compiled.wants(record)) builder.add(record)
      await nextTurn()
    }
    const { lastMs } = builder
    return { body: builder.lines === 0 ? undefined : await builder.finish(), lastMs, missing }
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
    const path = objectPath(target.folder, batch.objectName, startOf(batch.objectName))
    const sink = await target.open(this.#deps.destinations)
    let answered: number | undefined
    try {
      answered = await sink.put(
        {
          path,
          id: batchId({ ...batch, scope: shape.scope }, batch.objectName),
          startMs: startOf(batch.objectName),
          records: body.frame.sizes.length,
          gzip: body.gzip,
          frame: body.frame,
          text: () => gunzipped(body.gzip),
          sent: this.#sentParts(batch.objectName, job.destinationConf, body.crc),
        },
        AbortSignal.timeout(this.#deps.pace.uploadMs),
      )
    } finally {
      sink.close()
    }
    const amounts = { lines: body.frame.sizes.length, bytes: body.bytes, bytesCompressed: body.gzip.length }
    this.#taken = {
      batch,
      path,
      // A replay of an hour is no part of what was delivered first.
      object: target.manifest && batch.replay === 0 ? manifestObject(path, batch, body) : undefined,
      status: answered === undefined ? '' : String(answered),
      uploaded: { ...amounts, lastMs },
      missing,
    }
    return this.#close(this.#taken)
  }

  async #close({ batch, path, object, status, uploaded, missing }: Taken): Promise<Uploaded> {
    const { store, counts, onOutcome } = this.#deps
    await store.delivery.closeBatch(batch, object, this.#seenNow(missing))
    this.#taken = undefined
    this.#sent = undefined
    this.#inHandMs = undefined
    const { lines, bytes, bytesCompressed } = uploaded
    const amounts = { lines, bytes, bytesCompressed }
    counts.add(batch.jobId, 'successful', status, amounts)
    onOutcome(this.#jobNow(), { outcome: 'successful', status, ...amounts, message: path })
    return uploaded
  }

  #seenNow(ranges: readonly BatchRange[]): MissingRecords {
    return { hour: hourOf(this.#deps.clock.nowMs()), ranges }
  }

  /** Another destination, or another text, has taken nothing yet. */
  #sentParts(name: string, destination: string, crc: number): Set<string> {
    const known = this.#sent
    if (known?.name === name && known.parts.destination === destination && known.parts.crc === crc)
      return known.parts.ids
    const ids = new Set<string>()
    this.#sent = { name, parts: { destination, crc, ids } }
    return ids
  }
}

function isSame(one: DeliveryBatch, other: DeliveryBatch): boolean {
  return one.objectName === other.objectName && JSON.stringify(one.ranges) === JSON.stringify(other.ranges)
}

/** @throws SinkError `never` when what was stored does not fit this version */
export function targetOf(job: LogpushJob): Target {
  const target = parseDestination(job.destinationConf)
  if (!target.ok) throw new SinkError('invalid-destination', 'never', target.problem.message)
  return target.value
}

/** What of time an object of this target holds at most, because its folder or its manifest names it. */
export function periodOf({ folder, manifest }: Target): Shape['period'] {
  if (manifest || folder.includes('{HOUR}')) return 'hour'
  return folder.includes('{DATE}') ? 'day' : null
}

function manifestObject(path: string, { objectName: name }: DeliveryBatch, body: BatchBody): ManifestObject {
  return {
    hour: hourOf(startOf(name)),
    path,
    lines: body.frame.sizes.length,
    bytes: body.bytes,
    bytesCompressed: body.gzip.length,
    sha256: createHash('sha256').update(body.gzip).digest('hex'),
  }
}
