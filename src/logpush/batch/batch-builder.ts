import type { LogpushJob } from '../../model/resource.ts'
import { logpushLimits } from '../limits.ts'
import { BatchText } from '../output/batch-text.ts'
import type { BatchFrame } from '../sinks/sink.ts'
import type { Run, StreamRecord } from '../stream/merged-reader.ts'
import type { Holding, MemoryAccount } from './batch-memory.ts'
import type { FileForm } from './file-form.ts'
import { GzipPieces } from './gzip-pieces.ts'
import { LineOrigins } from './line-origins.ts'
import { type CompiledShape, samePeriod } from './shape.ts'

/** The content of a batch, ready to be uploaded. */
export interface BatchBody {
  readonly content: Buffer
  readonly form: FileForm
  readonly frame: BatchFrame
  /** Origins of its lines, in their order. */
  readonly origins: LineOrigins
  /** Before compression. */
  readonly bytes: number
  /** CRC-32 of the text. */
  readonly crc: number
}

/** When a batch is full. */
export interface BatchLimits {
  readonly records: number
  /** Before compression. */
  readonly bytes: number
}

export function batchLimits(job: LogpushJob): BatchLimits {
  const records = job.frequency === 'low' ? logpushLimits.lowBatchRecordsMax : logpushLimits.batchRecordsMax
  return {
    records: job.maxUploadRecords || records,
    bytes: job.maxUploadBytes || logpushLimits.batchBytesMax,
  }
}

/** How long after the job's last object the next one may close, full or not, ms. */
export function batchIntervalMs(job: LogpushJob): number {
  if (job.maxUploadIntervalSeconds) return job.maxUploadIntervalSeconds * 1000
  return job.frequency === 'low' ? logpushLimits.lowBatchIntervalMs : logpushLimits.batchIntervalMs
}

/** Whether the wait for its next object alone explains how far a job is behind. */
export function isBehind(job: LogpushJob, lagSeconds: number): boolean {
  return lagSeconds * 1000 > batchIntervalMs(job) + logpushLimits.behindMs
}

/** Memory that a line takes besides its text: its size, and its origin. */
const bytesOfLine = 40

/** Collects the lines of one batch: project → encode → compress. */
export class BatchBuilder {
  readonly compiled: CompiledShape
  readonly #limits: BatchLimits
  readonly #text: BatchText
  readonly #holding: Holding
  readonly #gzip: GzipPieces
  readonly #origins = new LineOrigins()
  #piece = ''
  /** UTF-8 bytes of the lines in it. */
  #pieceBytes = 0
  /** UTF-8 bytes of the lines, without prefix, suffix and delimiters of the batch. */
  #lineBytes = 0
  #firstMs = 0
  #lastMs = 0
  #run: Run | undefined

  constructor(compiled: CompiledShape, limits: BatchLimits, memory: MemoryAccount) {
    this.compiled = compiled
    this.#limits = limits
    this.#holding = memory.hold()
    this.#gzip = new GzipPieces(this.#holding)
    this.#text = new BatchText(compiled.format)
  }

  get lines(): number {
    return this.#text.sizes.length
  }

  /** When its first and its last line were received, ms since the epoch; 0 without a line. */
  get firstMs(): number {
    return this.#firstMs
  }

  get lastMs(): number {
    return this.#lastMs
  }

  get isFull(): boolean {
    return this.lines >= this.#limits.records || this.#lineBytes >= this.#limits.bytes
  }

  /**
   * Whether the batch must end before this record: it is full, the record belongs to another hour or day, or the
   * order of the records breaks here. A batch that is read again has its lines in the order of their times. The bytes
   * are the same only if that is their order now.
   */
  isOverBefore(record: StreamRecord): boolean {
    if (this.lines === 0) return false
    return (
      this.isFull ||
      !samePeriod(this.compiled.shape.period, this.#firstMs, record.receivedMs) ||
      record.run !== this.#run
    )
  }

  /** @param record one that the shape keeps */
  add(record: StreamRecord): void {
    if (this.lines === 0) this.#firstMs = record.receivedMs
    this.#lastMs = record.receivedMs
    this.#run = record.run
    const fields = this.compiled.lineFields(record)
    this.#origins.add(record, fields[this.compiled.timeField])
    this.#piece += this.#text.add(fields)
    const size = this.#text.sizes.at(-1)!
    this.#lineBytes += size
    this.#pieceBytes += size
    this.#holding.add(bytesOfLine + size)
    if (this.#piece.length >= logpushLimits.gzipPieceCharacters) this.#compress(this.#piece)
  }

  #compress(piece: string): void {
    this.#gzip.add(piece)
    this.#holding.add(-this.#pieceBytes)
    this.#piece = ''
    this.#pieceBytes = 0
  }

  /** The batch is delivered or discarded: its memory is free. */
  release(): void {
    this.#holding.end()
  }

  /** No more lines are added. */
  complete(): void {
    this.#holding.complete()
  }

  /** @throws SinkError */
  async finish(signal: AbortSignal): Promise<BatchBody> {
    this.#compress(this.#piece + this.#text.end())
    const { framing, sizes } = this.#text
    const { bytes, crc } = this.#gzip
    const frame = { ...framing, sizes }
    const { form } = this.compiled
    const content = await form.make(await this.#gzip.finish(), signal)
    return { content, form, frame, origins: this.#origins, bytes, crc }
  }
}
