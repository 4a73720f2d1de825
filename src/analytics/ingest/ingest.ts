import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordReader, SequencedRecord } from '../../bus/port.ts'
import type { Clock } from '../../kit/clock.ts'
import { analyticsLimits } from '../limits.ts'
import { decode } from '../records/decode.ts'
import type { Position, RecordStore } from '../records/port.ts'
import type { IngestProgress, Kept } from '../types.ts'
import { Failures } from './failures.ts'
import { Keeper } from './keeper.ts'

export interface IngestDeps {
  readonly store: RecordStore
  readonly reader: Pick<RecordReader, 'partitions' | 'head' | 'read'>
  readonly clock: Clock
  readonly kept: Kept
  /** Whether this process reads the log now; by default it always does. */
  readonly reads?: () => boolean
  readonly onError: (message: string, error: unknown) => void
  /** Called after each round. */
  readonly onProgress: (progress: IngestProgress) => void
}

interface Round extends IngestDeps {
  readonly keeper: Keeper
  /** Where each partition is read next, as far as known. */
  readonly positions: Map<string, Position>
}

const dayMs = 86_400_000
const start: Position = { sequence: 0, missing: 0 }

/**
 * Reads the record log into the store until the signal: each record once, whenever the process ends in between. Decoding
 * blocks its thread repeatedly, so run it in a dedicated one. A store is first used when the log has records.
 */
export async function runIngest(deps: IngestDeps, signal: AbortSignal): Promise<void> {
  const round: Round = { ...deps, keeper: new Keeper(deps.store, deps.kept), positions: new Map() }
  const failures = new Failures(error =>
    deps.onError('records cannot be read into analytics; retrying', error),
  )
  while (!signal.aborted) {
    const reads = deps.reads?.() ?? true
    const waitMs = await (reads ? ingestOnce(round, failures.count) : pause(round, failures.count)).catch(
      error => {
        failures.add(error)
        return undefined
      },
    )
    if (waitMs !== undefined) failures.end()
    const pauseMs = waitMs ?? analyticsLimits.retryMs
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/** Another process reads meanwhile. */
async function pause({ positions, onProgress }: Round, failures: number): Promise<number> {
  positions.clear()
  onProgress({ partitions: [], bytes: 0, failures })
  return analyticsLimits.pollMs
}

/**
 * Reads one batch of each partition. A failing partition delays neither the others nor the keeper, which frees space.
 * @returns how long to wait before the next round
 * @throws the first error, at the end
 */
async function ingestOnce(round: Round, failures: number): Promise<number> {
  const { reader, clock, keeper, positions, onProgress } = round
  let more = false
  let grew = false
  let isUsed = false
  const failed: unknown[] = []
  const partitions: IngestProgress['partitions'][number][] = []
  for (const partition of await reader.partitions()) {
    const head = await reader.head(partition)
    isUsed ||= head > 0
    const read =
      head > 0 ? await readPartition(partition, round).catch(error => void failed.push(error)) : undefined
    more ||= read === 'more'
    grew ||= read !== undefined
    const { sequence, missing } = positions.get(partition) ?? start
    partitions.push({ partition, sequence, missing, head })
  }
  const bytes = isUsed ? await keeper.run(clock.nowMs(), grew) : 0
  onProgress({ partitions, bytes, failures })
  if (failed.length > 0) throw failed[0]
  return more ? 0 : analyticsLimits.pollMs
}

/** @returns undefined without new records, and `more` after a full batch; small batches cost more for each record */
async function readPartition(
  partition: string,
  { store, reader, clock, kept, positions }: Round,
): Promise<'more' | 'all' | undefined> {
  const position = positions.get(partition) ?? (await store.position(partition))
  const { sequence: after, missing: before, begun = 0 } = position
  const chunk = await readTo(begun, reader, partition, after)
  const last = chunk.at(-1)?.sequence
  if (last === undefined) {
    positions.set(partition, position)
    return undefined
  }
  // Records that were gone before the first read do not count as missing.
  const missing = after === 0 ? 0 : last - after - chunk.length
  const nowMs = clock.nowMs()
  const times = { sinceMs: nowMs - kept.ageMs, untilMs: nowMs + dayMs }
  positions.delete(partition)
  if (await store.append({ partition, after, last, missing, tables: decode(partition, chunk, times) }))
    positions.set(partition, { sequence: last, missing: before + missing })
  const characters = chunk.reduce((sum, { record }) => sum + record.length, 0)
  const { batchRecords, batchBytes } = analyticsLimits
  return chunk.length >= batchRecords || characters >= batchBytes / 2 ? 'more' : 'all'
}

/** @returns records of one batch, or none before the log has them up to `begun` */
async function readTo(
  begun: number,
  reader: IngestDeps['reader'],
  partition: string,
  after: number,
): Promise<readonly SequencedRecord[]> {
  let chunk: readonly SequencedRecord[] = []
  const { batchRecords, batchBytes } = analyticsLimits
  for (;;) {
    const from = chunk.at(-1)?.sequence ?? after
    const read = await reader.read(partition, from, { records: batchRecords, bytes: batchBytes })
    if (read.length === 0) return []
    chunk = chunk.length === 0 ? read : [...chunk, ...read]
    if (read.at(-1)!.sequence >= begun) return chunk
  }
}
