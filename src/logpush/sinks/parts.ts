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
  /** Each without delimiter. */
  readonly records: readonly Buffer[]
  /** In the job's format: prefix, records with their delimiters, suffix. */
  readonly text: Buffer
  readonly gzip: Uint8Array
}

/** Records that a receiver refuses permanently; it has accepted the others of the part. */
export interface Refused {
  readonly count: number
  /** HTTP status and reason of the first of them. */
  readonly status: number
  readonly why: string
}

/**
 * Sends a batch part by part, except parts that an earlier attempt has sent.
 * @param send throws SinkError
 * @returns the refused records of all parts
 */
export async function sendParts(
  batch: SinkBatch,
  caps: Caps,
  send: (part: Part) => Promise<Refused | undefined>,
): Promise<Refused | undefined> {
  const records = cutRecords(batch, await batch.text())
  let refused: Refused | undefined
  for (let first = 0; first < records.length; ) {
    const part = await partFrom(batch, records, first, caps)
    first += part.records.length
    if (batch.sent.has(part.id)) continue
    const refusedNow = await send(part)
    if (refusedNow === undefined) batch.sent.add(part.id)
    else refused = { ...(refused ?? refusedNow), count: (refused?.count ?? 0) + refusedNow.count }
  }
  return refused
}

/** The records of a batch, each without delimiter. */
export function cutRecords({ frame }: SinkBatch, text: Buffer): Buffer[] {
  const delimiterBytes = Buffer.byteLength(frame.delimiter)
  let start = Buffer.byteLength(frame.prefix)
  return frame.sizes.map(size => {
    const record = text.subarray(start, start + size)
    start += size + delimiterBytes
    return record
  })
}

async function partFrom(
  batch: SinkBatch,
  records: readonly Buffer[],
  first: number,
  caps: Caps,
): Promise<Part> {
  let count = countWithin(batch, records, first, caps)
  for (;;) {
    const chosen = records.slice(first, first + count)
    const whole = count === records.length
    const text = whole ? await batch.text() : framed(batch, chosen)
    const zipped = whole ? batch.content : await gzipped(text)
    if (count === 1 || zipped.length <= (caps.gzipBytes ?? Number.POSITIVE_INFINITY))
      return { id: whole ? batch.id : `${batch.id}.${first}`, first, records: chosen, text, gzip: zipped }
    count = Math.ceil(count / 2)
  }
}

/** How many records fit, from `first` on; at least one. */
function countWithin({ frame }: SinkBatch, records: readonly Buffer[], first: number, caps: Caps): number {
  const { records: recordsMax = Number.POSITIVE_INFINITY, bytes: bytesMax = Number.POSITIVE_INFINITY } = caps
  let bytes = Buffer.byteLength(frame.prefix) + Buffer.byteLength(frame.suffix)
  let count = 0
  while (first + count < records.length && count < recordsMax) {
    bytes += records[first + count]!.length + (count === 0 ? 0 : Buffer.byteLength(frame.delimiter))
    if (count > 0 && bytes > bytesMax) break
    count++
  }
  return count
}

function framed({ frame }: SinkBatch, records: readonly Buffer[]): Buffer {
  const delimiter = Buffer.from(frame.delimiter)
  const between = records.flatMap((record, index) => (index === 0 ? [record] : [delimiter, record]))
  return Buffer.concat([Buffer.from(frame.prefix), ...between, Buffer.from(frame.suffix)])
}
