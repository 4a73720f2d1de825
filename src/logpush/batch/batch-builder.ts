import { logpushLimits } from '../../kit/limits.ts'
import type { LogpushJob } from '../../model/resource.ts'
import { BatchText } from '../output/batch-text.ts'
import type { BatchFrame } from '../sinks/sink.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'
import { GzipPieces } from './gzip-pieces.ts'
import { type CompiledShape, samePeriod } from './shape.ts'

/** What a batch holds, ready to be uploaded. */
export interface BatchBody {
  readonly gzip: Buffer
  readonly frame: BatchFrame
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

/** Collects the lines of one batch: project → encode → compress. */
export class BatchBuilder {
  readonly compiled: CompiledShape
  readonly #limits: BatchLimits
  readonly #text: BatchText
  readonly #gzip = new GzipPieces()
  #piece = ''
  /** UTF-8 bytes of the lines; what stands around them is not counted. */
  #lineBytes = 0
  #firstMs = 0
  #lastMs = 0
  #lastPartition = ''

  constructor(compiled: CompiledShape, limits: BatchLimits) {
    this.compiled = compiled
    this.#limits = limits
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
   * Is it full, or of another hour or day than the record? Or should the record have come before its last one, and came
   * late? A batch that is read again has its lines in order; only if they are in order now are these the same bytes.
   */
  isOverBefore(record: StreamRecord): boolean {
    if (this.lines === 0) return false
    return (
      this.isFull ||
      !samePeriod(this.compiled.shape.period, this.#firstMs, record.receivedMs) ||
      this.#isLate(record)
    )
  }

  #isLate({ partition, receivedMs }: StreamRecord): boolean {
    if (partition === this.#lastPartition) return false
    return receivedMs < this.#lastMs || (receivedMs === this.#lastMs && partition < this.#lastPartition)
  }

  /** @param record one that the shape keeps */
  add(record: StreamRecord): void {
    if (this.lines === 0) this.#firstMs = record.receivedMs
    this.#lastMs = record.receivedMs
    this.#lastPartition = record.partition
    this.#piece += this.#text.add(record.fields)
    this.#lineBytes += this.#text.sizes.at(-1)!
    if (this.#piece.length < logpushLimits.gzipPieceCharacters) return
    this.#gzip.add(this.#piece)
    this.#piece = ''
  }

  async finish(): Promise<BatchBody> {
    this.#gzip.add(this.#piece + this.#text.end())
    this.#piece = ''
    const { framing, sizes } = this.#text
    const { bytes, crc } = this.#gzip
    return { gzip: await this.#gzip.finish(), frame: { ...framing, sizes }, bytes, crc }
  }
}
