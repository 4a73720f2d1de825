import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordReader } from '../../bus/port.ts'
import type { Clock } from '../../kit/clock.ts'
import { openDatabase } from '../database.ts'
import { analyticsLimits } from '../limits.ts'
import { dayMs } from '../schema.ts'
import type { IngestProgress, Kept } from '../types.ts'
import { SampleKeeper, samplesIn } from '../what-if/keeper.ts'
import { BatchWriter } from './batch-writer.ts'
import { Keeper } from './keeper.ts'

export interface IngestDeps {
  /** Path of the database; created when absent. */
  readonly path: string
  readonly reader: Pick<RecordReader, 'partitions' | 'head' | 'read'>
  readonly clock: Clock
  readonly kept: Kept
  readonly onError: (message: string, error: unknown) => void
  /** Called after each round. */
  readonly onProgress: (progress: IngestProgress) => void
}

interface Round extends IngestDeps {
  readonly writer: BatchWriter
  readonly keeper: Keeper
  readonly samples: SampleKeeper
  /** Partitions that have adopted the position of an earlier version. */
  readonly adopted: Set<string>
}

/**
 * Reads the record log into the database until the signal: each record once, whenever the process ends in between. It
 * blocks its thread repeatedly, so run it in a dedicated one.
 */
export async function runIngest(deps: IngestDeps, signal: AbortSignal): Promise<void> {
  const database = openDatabase(deps.path)
  try {
    const writer = new BatchWriter(database, deps.kept)
    const keeper = new Keeper(database, deps.kept)
    const samples = new SampleKeeper(database, deps.kept.ageMs, samplesIn(deps.kept.bytes))
    const round: Round = { ...deps, writer, keeper, samples, adopted: new Set() }
    let failures = 0
    while (!signal.aborted) {
      const waitMs = await ingestOnce(round, failures).catch(error => {
        failures++
        deps.onError('records cannot be read into analytics; retrying', error)
        return analyticsLimits.retryMs
      })
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    database.close()
  }
}

/**
 * Reads one batch of each partition. A failing partition delays neither the others nor the keeper, which frees space.
 * @returns how long to wait before the next round
 * @throws the first error, at the end
 */
async function ingestOnce(round: Round, failures: number): Promise<number> {
  const { reader, clock, writer, keeper, samples, onProgress } = round
  let more = false
  const failed: unknown[] = []
  const partitions: IngestProgress['partitions'][number][] = []
  for (const partition of await reader.partitions()) {
    const isMore = await readPartition(partition, round).catch(error => {
      failed.push(error)
      return false
    })
    more ||= isMore
    partitions.push({ partition, ...writer.position(partition), head: await reader.head(partition) })
  }
  const nowMs = clock.nowMs()
  // Samples before their texts.
  samples.run(nowMs)
  if (keeper.run(nowMs)) writer.forgetTexts()
  onProgress({ partitions, bytes: keeper.usedBytes(), failures })
  if (failed.length > 0) throw failed[0]
  return more ? 0 : analyticsLimits.pollMs
}

/** @returns whether the batch was full; small batches would make small blocks */
async function readPartition(
  partition: string,
  { reader, clock, kept, writer, adopted }: Round,
): Promise<boolean> {
  if (!adopted.has(partition)) writer.adopt(partition, await reader.head(partition))
  adopted.add(partition)
  const { sequence: after } = writer.position(partition)
  const { batchRecords, batchBytes } = analyticsLimits
  const chunk = await reader.read(partition, after, { records: batchRecords, bytes: batchBytes })
  const last = chunk.at(-1)?.sequence
  if (last === undefined) return false
  const batch = {
    partition,
    after,
    last,
    // Records that were gone before the first read do not count as missing.
    missing: after === 0 ? 0 : last - after - chunk.length,
    records: chunk.map(({ record }) => record),
  }
  const nowMs = clock.nowMs()
  writer.write(batch, { sinceMs: nowMs - kept.ageMs, untilMs: nowMs + dayMs })
  const characters = chunk.reduce((sum, { record }) => sum + record.length, 0)
  return chunk.length >= batchRecords || characters >= batchBytes / 2
}
