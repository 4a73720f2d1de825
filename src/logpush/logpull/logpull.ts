import type { RecordReader, SequencedRecord } from '../../bus/port.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { LogRecord } from '../../model/dataset.ts'
import { logpullLimits } from '../limits.ts'
import { lineEncoder } from '../output/encode.ts'
import { sampler } from '../output/sample.ts'
import type { LogPull, RayPull, ReceivedPull } from '../types.ts'
import { pulledDataset } from './query.ts'

/** The search for a ray id reached its limit before the oldest record. */
export class RayIdTooFarError extends Error {
  /** Every record since this moment was searched, ms since the epoch. */
  readonly searchedFromMs: number
  constructor(searchedFromMs: number) {
    super('the ray id is not among the newest records')
    this.name = 'RayIdTooFarError'
    this.searchedFromMs = searchedFromMs
  }
}

/**
 * Reads the records of a request as lines, some at a time. Deleted records are left out. The next records are read
 * when the last ones are taken; the event loop turns in between.
 * @param signal ends it: its reason is thrown
 * @throws RayIdTooFarError
 */
export function pullLogs(
  reader: RecordReader,
  pull: LogPull,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  return pull.kind === 'ray' ? rayLines(reader, pull, signal) : receivedLines(reader, pull, signal)
}

/** Both ends are looked up the same way, so that adjoining ranges never share or miss a record. */
async function* receivedLines(
  reader: RecordReader,
  pull: ReceivedPull,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const encode = lineEncoder(pull.format)
  let left = pull.countMax
  for (const partition of await reader.partitions()) {
    const isSampled = sampler(pull.format.sampleRate, partition)
    const first = await reader.at(partition, pull.fromMs)
    const end = await reader.at(partition, pull.toMs)
    for await (const chunk of chunksOf(reader, partition, first, end, signal)) {
      let text = ''
      for (const { sequence, record } of chunk) {
        if (left === 0) break
        const fields = isSampled(sequence) ? fieldsOf(record, pull.zoneId) : undefined
        if (fields === undefined) continue
        text += encode(fields)
        left--
      }
      if (text !== '') yield text
      if (left === 0) return
    }
  }
}

/** Length of the first slice of the search; each further slice doubles the searched time. */
const firstSliceMs = 60_000

/** Searches from the newest records backwards, in slices of time, until the slice that holds the ray id. */
async function* rayLines(
  reader: RecordReader,
  pull: RayPull,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const encode = lineEncoder(pull.format)
  const stats = await reader.stats()
  const oldestMs = Math.min(...stats.map(one => one.oldestMs ?? Number.POSITIVE_INFINITY))
  const ends = new Map(stats.map(({ partition, head }) => [partition, head + 1]))
  let recordsLeft = logpullLimits.rayRecordsMax
  let searchedFromMs = Number.POSITIVE_INFINITY
  for (let ageMs = firstSliceMs; searchedFromMs > oldestMs; ageMs *= 2) {
    const fromMs = Math.max(0, pull.nowMs - ageMs)
    let found = false
    for (const [partition, end] of ends) {
      const first = await reader.at(partition, fromMs)
      for await (const chunk of chunksOf(reader, partition, first, end, signal)) {
        recordsLeft -= chunk.length
        if (recordsLeft < 0) throw new RayIdTooFarError(Math.min(searchedFromMs, pull.nowMs))
        const text = linesWithRay(chunk, pull, encode)
        if (text === '') continue
        found = true
        yield text
      }
      ends.set(partition, Math.min(first, end))
    }
    if (found) return
    searchedFromMs = fromMs
  }
}

function linesWithRay(
  chunk: readonly SequencedRecord[],
  { zoneId, rayId }: RayPull,
  encode: (record: LogRecord) => string,
): string {
  let text = ''
  for (const { record } of chunk) {
    // Far cheaper than parsing each record.
    if (!record.includes(rayId)) continue
    const fields = fieldsOf(record, zoneId)
    if (fields?.['RayID'] === rayId) text += encode(fields)
  }
  return text
}

/** The records from `first` (inclusive) to `end` (exclusive). */
async function* chunksOf(
  reader: RecordReader,
  partition: string,
  first: number,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<readonly SequencedRecord[], void> {
  const bytes = logpullLimits.chunkBytes
  for (let next = first; next < end; ) {
    signal.throwIfAborted()
    const records = Math.min(logpullLimits.chunkRecords, end - next)
    const chunk = await reader.read(partition, next - 1, { records, bytes })
    const last = chunk.at(-1)
    if (last === undefined) return
    next = last.sequence + 1
    // Where records are lost, the reader continues after them, maybe beyond the end.
    yield next <= end ? chunk : chunk.filter(({ sequence }) => sequence < end)
    await nextTurn()
  }
}

/** Fields of a record of the zone; undefined when it belongs to another zone or dataset. */
function fieldsOf(record: string, zoneId: string): LogRecord | undefined {
  if (!record.includes(zoneId)) return undefined
  const stored = JSON.parse(record) as { zone: string; dataset: string; fields: LogRecord }
  return stored.zone === zoneId && stored.dataset === pulledDataset ? stored.fields : undefined
}
