import type { RecordReader, StoredRecord } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import { logSampleLimits } from '../kit/limits.ts'
import { nextTurn } from '../kit/turns.ts'
import type { LogRecord } from '../model/dataset.ts'

/** What is read of the record log here. */
export type NewestReader = Pick<RecordReader, 'stats' | 'at' | 'read'>

export interface NewestRecords {
  /** Newest first. */
  readonly records: readonly { readonly receivedMs: number; readonly fields: LogRecord }[]
  /** Records of all zones and datasets that were read. */
  readonly lookedAt: number
  /** Whether older records are kept that were not looked at for one of the limits. */
  readonly limited: boolean
}

interface Wanted {
  readonly zoneId: string
  readonly dataset: string
  readonly count: number
}

type Found = NewestRecords['records'][number] & { readonly bytes: number }

/**
 * The newest records of one zone and dataset that are kept, read from the end of each partition back. It ends at the
 * first of `logSampleLimits` that is reached, and turns the event loop between chunks.
 * @param signal ends it: the reason is thrown
 */
export async function newestRecords(
  reader: NewestReader,
  wanted: Wanted,
  clock: Clock,
  signal: AbortSignal,
): Promise<NewestRecords> {
  const partitions = (await reader.stats()).filter(({ head }) => head > 0)
  const share = Math.ceil(logSampleLimits.recordsMax / Math.max(1, partitions.length))
  const untilMs = clock.nowMs() + logSampleLimits.readMsMax
  const found: Found[] = []
  let lookedAt = 0
  let limited = false
  for (const [index, { partition, head }] of partitions.entries()) {
    const oldest = await reader.at(partition, 0)
    // Each partition has its part of the time, what others left of theirs included.
    const endMs = untilMs - ((partitions.length - index - 1) * logSampleLimits.readMsMax) / partitions.length
    let left = wanted.count
    let looked = 0
    let bytes = 0
    let before = head + 1
    while (before > oldest && left > 0 && !limitedBy(looked, share, bytes, partitions.length, clock, endMs)) {
      signal.throwIfAborted()
      const from = Math.max(oldest, before - logSampleLimits.chunkRecords)
      const chunk = await chunkOf(reader, partition, from, before)
      looked += chunk.length
      for (const { record, receivedMs } of chunk.toReversed()) {
        const fields = left > 0 ? fieldsOf(record, wanted) : undefined
        if (fields === undefined) continue
        found.push({ receivedMs, fields, bytes: record.length })
        bytes += record.length
        left--
      }
      before = from
      await nextTurn()
    }
    lookedAt += looked
    limited ||= before > oldest && left > 0
  }
  const newest = found.sort((a, b) => b.receivedMs - a.receivedMs).slice(0, wanted.count)
  const records = newest.map(({ receivedMs, fields }) => ({ receivedMs, fields }))
  return { records, lookedAt, limited }
}

function limitedBy(
  looked: number,
  share: number,
  bytes: number,
  partitions: number,
  clock: Clock,
  endMs: number,
): boolean {
  return looked >= share || bytes >= logSampleLimits.bytesMax / partitions || clock.nowMs() >= endMs
}

/** The records from `from` up to `before`, which is not included; in as many reads as their bytes need. */
async function chunkOf(reader: NewestReader, partition: string, from: number, before: number) {
  const chunk: { readonly receivedMs: number; readonly record: string }[] = []
  for (let next = from; next < before; ) {
    const limits = { records: before - next, bytes: logSampleLimits.chunkBytes }
    const read = await reader.read(partition, next - 1, limits)
    const last = read.at(-1)
    if (last === undefined) break
    // Where records are lost the reader goes on behind them, and maybe behind the end.
    chunk.push(...read.filter(({ sequence }) => sequence < before))
    next = last.sequence + 1
  }
  return chunk
}

/** Undefined when it is another zone's, of another dataset, or none: on a shared server anybody may have written it. */
function fieldsOf(record: string, { zoneId, dataset }: Wanted): LogRecord | undefined {
  // Far cheaper than to parse each record.
  if (!record.includes(zoneId)) return undefined
  try {
    const { zone, dataset: own, fields } = JSON.parse(record) as StoredRecord
    return zone === zoneId && own === dataset && isObject(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
