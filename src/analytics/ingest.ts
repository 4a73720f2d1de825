import { setTimeout as sleep } from 'node:timers/promises'
import type { RecordReader } from '../bus/port.ts'
import type { Clock } from '../kit/clock.ts'
import { analyticsLimits } from '../kit/limits.ts'
import { BatchWriter } from './batch-writer.ts'
import { openDatabase } from './database.ts'
import { Keeper } from './keeper.ts'
import { dayMs } from './schema.ts'
import type { IngestProgress, Kept } from './types.ts'
import { SampleKeeper, samplesIn } from './what-if/keeper.ts'

export interface IngestDeps {
  /** Of the database; made when absent. */
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
}

/**
 * Reads the record log into the database until the signal says so: each record once, whatever ends the process in
 * between. It blocks its thread again and again; run it in one of its own.
 */
export async function runIngest(deps: IngestDeps, signal: AbortSignal): Promise<void> {
  const database = openDatabase(deps.path)
  try {
    const writer = new BatchWriter(database, deps.kept)
    const keeper = new Keeper(database, deps.kept)
    const samples = new SampleKeeper(database, deps.kept.ageMs, samplesIn(deps.kept.bytes))
    const round: Round = { ...deps, writer, keeper, samples }
    let failures = 0
    while (!signal.aborted) {
      const waitMs = await ingestOnce(round, failures).catch(error => {
        failures++
        deps.onError('records cannot be read into analytics; it is tried again', error)
        return analyticsLimits.retryMs
      })
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    database.close()
  }
}

/**
 * One batch of each partition; one that fails holds up neither the others nor the keeper, which makes room.
 * @returns how long to wait before there may be more
 * @throws what the first that failed has thrown, at the end
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

/** @returns whether there was as much as is read at once; little batches would make little blocks */
async function readPartition(partition: string, { reader, clock, kept, writer }: Round): Promise<boolean> {
  const { sequence: after } = writer.position(partition)
  const { batchRecords, batchBytes } = analyticsLimits
  const chunk = await reader.read(partition, after, { records: batchRecords, bytes: batchBytes })
  const last = chunk.at(-1)?.sequence
  if (last === undefined) {
    await followShorter(partition, after, reader, writer)
    return false
  }
  const batch = {
    partition,
    after,
    last,
    // What was gone before anybody read here is not missed.
    missing: after === 0 ? 0 : last - after - chunk.length,
    records: chunk.map(({ record }) => record),
  }
  const nowMs = clock.nowMs()
  writer.write(batch, { sinceMs: nowMs - kept.ageMs, untilMs: nowMs + dayMs })
  const characters = chunk.reduce((sum, { record }) => sum + record.length, 0)
  return chunk.length >= batchRecords || characters >= batchBytes / 2
}

/**
 * A log that ends before the place where it was read is another one: somebody removed its files. It is read from its
 * end on, so that nothing can be counted twice.
 */
async function followShorter(
  partition: string,
  after: number,
  reader: IngestDeps['reader'],
  writer: BatchWriter,
): Promise<void> {
  const head = await reader.head(partition)
  if (head < after) writer.moveTo(partition, head)
}
