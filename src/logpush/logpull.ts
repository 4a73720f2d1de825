import type { RecordReader, SequencedRecord } from '../bus/port.ts'
import { logpullLimits } from '../kit/limits.ts'
import { nextTurn } from '../kit/turns.ts'
import type { LogRecord } from '../model/dataset.ts'
import { lineEncoder } from './encode.ts'
import { pulledDataset } from './logpull-query.ts'
import { sampler } from './output/sample.ts'
import type { LogPull, RayPull, ReceivedPull } from './types.ts'

/** The search for a ray id came to its limit before it came to the oldest record. */
export class RayIdTooFarError extends Error {
  /** From here on every record was looked at, ms since the epoch. */
  readonly searchedFromMs: number
  constructor(searchedFromMs: number) {
    super('the ray id is not among the newest records')
    this.name = 'RayIdTooFarError'
    this.searchedFromMs = searchedFromMs
  }
}

/**
 * Reads the records that a request asks for, as lines, some at a time. What is not kept any more is left out. The next
 * records are read when the last ones are taken; in between, the event loop turns.
 * @param signal ends it: the reason is thrown
 * @throws RayIdTooFarError
 */
export function pullLogs(
  reader: RecordReader,
  pull: LogPull,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  return pull.kind === 'ray' ? rayLines(reader, pull, signal) : receivedLines(reader, pull, signal)
}

/** Both ends are looked up the same way, so that ranges that adjoin never share or miss a record. */
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

/** The first slice of the search goes back this far, each further one as far again as all before it. */
const firstSliceMs = 60_000

/** From the newest records back, in slices of time; the slice in which the ray id is found is the last. */
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
    // Far cheaper than to parse each record.
    if (!record.includes(rayId)) continue
    const fields = fieldsOf(record, zoneId)
    if (fields?.['RayID'] === rayId) text += encode(fields)
  }
  return text
}

/** The records from `first` up to `end`, which is not included. */
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
    // Where records are lost the reader goes on behind them, and maybe behind the end.
    yield next <= end ? chunk : chunk.filter(({ sequence }) => sequence < end)
    await nextTurn()
  }
}

/** Fields of a record of the zone; undefined when it is another's, or of another dataset. */
function fieldsOf(record: string, zoneId: string): LogRecord | undefined {
  if (!record.includes(zoneId)) return undefined
  const stored = JSON.parse(record) as { zone: string; dataset: string; fields: LogRecord }
  return stored.zone === zoneId && stored.dataset === pulledDataset ? stored.fields : undefined
}
