import type { RecordReader, StoredRecord } from '../../bus/port.ts'
import type { Clock } from '../../kit/clock.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { logSampleLimits } from './limits.ts'

/** The part of the record log that samples need. */
export type NewestReader = Pick<RecordReader, 'stats' | 'at' | 'read'>

export interface NewestRecords {
  /** Newest first. */
  readonly records: readonly { readonly receivedMs: number; readonly fields: LogRecord }[]
  /** Records of all zones and datasets that were read. */
  readonly lookedAt: number
  /** Whether a limit ended the search before the oldest record. */
  readonly limited: boolean
}

interface Wanted {
  readonly zoneId: string
  readonly dataset: string
  readonly count: number
}

/** Limits of the search in one partition. */
interface Share {
  readonly records: number
  readonly bytes: number
  readonly untilMs: number
}

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
  const { recordsMax, bytesMax, readMsMax } = logSampleLimits
  const partitions = (await reader.stats()).filter(({ head }) => head > 0)
  const count = partitions.length
  const beganMs = clock.nowMs()
  const parts: NewestRecords[] = []
  for (const [index, { partition, head }] of partitions.entries()) {
    const share: Share = {
      records: Math.ceil(recordsMax / count),
      bytes: bytesMax / count,
      // A partition may use the time that earlier ones left.
      untilMs: beganMs + ((index + 1) * readMsMax) / count,
    }
    parts.push(await readBack(reader, { partition, head }, wanted, share, clock, signal))
  }
  const found = parts.flatMap(({ records }) => records)
  return {
    records: found.sort((a, b) => b.receivedMs - a.receivedMs).slice(0, wanted.count),
    lookedAt: parts.reduce((sum, { lookedAt }) => sum + lookedAt, 0),
    limited: parts.some(({ limited }) => limited),
  }
}

/** The same of one partition. */
async function readBack(
  reader: NewestReader,
  { partition, head }: { readonly partition: string; readonly head: number },
  wanted: Wanted,
  share: Share,
  clock: Clock,
  signal: AbortSignal,
): Promise<NewestRecords> {
  const oldest = await reader.at(partition, 0)
  const records: NewestRecords['records'][number][] = []
  let lookedAt = 0
  let bytes = 0
  let before = head + 1
  const isOver = () => lookedAt >= share.records || bytes >= share.bytes || clock.nowMs() >= share.untilMs
  while (before > oldest && records.length < wanted.count && !isOver()) {
    signal.throwIfAborted()
    const from = Math.max(oldest, before - logSampleLimits.chunkRecords)
    const chunk = await chunkOf(reader, partition, from, before)
    lookedAt += chunk.length
    for (const { record, receivedMs } of chunk.toReversed()) {
      if (records.length === wanted.count) break
      const fields = fieldsOf(record, wanted)
      if (fields === undefined) continue
      records.push({ receivedMs, fields })
      bytes += record.length
    }
    before = from
    await nextTurn()
  }
  return { records, lookedAt, limited: before > oldest && records.length < wanted.count }
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

/** Undefined for records of another zone or dataset, and for other data: a shared server may have other writers. */
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
