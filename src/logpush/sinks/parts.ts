import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { SinkBatch } from './sink.ts'

const gzipped = promisify<Uint8Array, Buffer>(gzip)

/** The limits of a receiver per request. A single longer record is sent alone, and the receiver decides. */
export interface Caps {
  readonly records?: number
  /** Before compression. */
  readonly bytes?: number
  readonly gzipBytes?: number
}

/** Consecutive records of a batch; the same batch always gives the same parts. */
export interface Part {
  /** The batch's own id where the part is all of it; otherwise with the number of its first record. */
  readonly id: string
  /** Index of its first record in the batch. */
  readonly first: number
  readonly count: number
}

/** In the job's format: prefix, records with their delimiters, suffix. */
export interface GzipPart extends Part {
  readonly gzip: Uint8Array
}

export interface RecordsPart extends Part {
  /** Each without delimiter. */
  readonly records: readonly Buffer[]
}

/** Records that a receiver refuses permanently; it has accepted the others of the part. */
export interface Refused {
  readonly count: number
  /** HTTP status and reason of the first of them. */
  readonly status: number
  readonly why: string
}

/**
 * Sends a batch part by part, except parts that an earlier attempt has sent. A batch that fits is sent as it is, without
 * its text.
 * @param send throws SinkError
 * @returns the refused records of all parts
 */
export async function sendGzip(
  batch: SinkBatch,
  caps: Caps,
  send: (part: GzipPart) => Promise<Refused | undefined>,
): Promise<Refused | undefined> {
  const { gzipBytes = Number.POSITIVE_INFINITY } = caps
  let records: readonly Buffer[] | undefined
  const compressed = async (first: number, count: number) => {
    if (isWhole(batch, count)) return batch.content
    records ??= await recordsOf(batch)
    return gzipped(framed(batch, records.slice(first, first + count)))
  }
  return sendEach(batch, caps, send, async (first, countMax) => {
    for (let count = countMax; ; count = Math.ceil(count / 2)) {
      const gzip = await compressed(first, count)
      if (count === 1 || gzip.length <= gzipBytes)
        return { id: idOf(batch, first, count), first, count, gzip }
    }
  })
}

/** The same for receivers that need the records, in a separate form. */
export async function sendRecords(
  batch: SinkBatch,
  caps: Omit<Caps, 'gzipBytes'>,
  send: (part: RecordsPart) => Promise<Refused | undefined>,
): Promise<Refused | undefined> {
  const records = await recordsOf(batch)
  return sendEach(batch, caps, send, async (first, count) => ({
    id: idOf(batch, first, count),
    first,
    count,
    records: records.slice(first, first + count),
  }))
}

async function sendEach<P extends Part>(
  batch: SinkBatch,
  caps: Caps,
  send: (part: P) => Promise<Refused | undefined>,
  partFrom: (first: number, count: number) => Promise<P>,
): Promise<Refused | undefined> {
  let refused: Refused | undefined
  for (let first = 0; first < batch.frame.sizes.length; ) {
    const part = await partFrom(first, countWithin(batch, first, caps))
    first += part.count
    if (batch.sent.has(part.id)) continue
    const refusedNow = await send(part)
    if (refusedNow === undefined) batch.sent.add(part.id)
    else refused = { ...(refused ?? refusedNow), count: (refused?.count ?? 0) + refusedNow.count }
  }
  return refused
}

function isWhole({ frame }: SinkBatch, count: number): boolean {
  return count === frame.sizes.length
}

function idOf(batch: SinkBatch, first: number, count: number): string {
  return isWhole(batch, count) ? batch.id : `${batch.id}.${first}`
}

/** The records of a batch, each without delimiter. */
async function recordsOf(batch: SinkBatch): Promise<Buffer[]> {
  const { frame } = batch
  const text = await batch.text()
  const delimiterBytes = Buffer.byteLength(frame.delimiter)
  let start = Buffer.byteLength(frame.prefix)
  return frame.sizes.map(size => {
    const record = text.subarray(start, start + size)
    start += size + delimiterBytes
    return record
  })
}

/** How many records fit, from `first` on; at least one. */
function countWithin({ frame }: SinkBatch, first: number, caps: Caps): number {
  const { records: recordsMax = Number.POSITIVE_INFINITY, bytes: bytesMax = Number.POSITIVE_INFINITY } = caps
  let bytes = Buffer.byteLength(frame.prefix) + Buffer.byteLength(frame.suffix)
  let count = 0
  while (first + count < frame.sizes.length && count < recordsMax) {
    bytes += frame.sizes[first + count]! + (count === 0 ? 0 : Buffer.byteLength(frame.delimiter))
    if (count > 0 && bytes > bytesMax) break
    count++
  }
  return count
}

export function framed({ frame }: SinkBatch, records: readonly Buffer[]): Buffer {
  const delimiter = Buffer.from(frame.delimiter)
  const between = records.flatMap((record, index) => (index === 0 ? [record] : [delimiter, record]))
  return Buffer.concat([Buffer.from(frame.prefix), ...between, Buffer.from(frame.suffix)])
}
