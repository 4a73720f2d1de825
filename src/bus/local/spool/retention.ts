import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { OnFault } from '../../faults.ts'
import { lockSpool } from './partition-lock.ts'
import { type Removed, readDelivered, readRemoved, writeRemoved } from './partition-marks.ts'
import { listPartitionsSync, listSegmentsSync, segmentBytesFor, segmentPath } from './segments.ts'

/** A full segment: another one follows it, and nothing more is written to it. */
interface FullSegment {
  readonly first: number
  readonly last: number
  readonly bytes: number
  /** When its last record was written. */
  readonly writtenMs: number
}

/** Full segments by path, so that a large spool is not measured again each time. */
export type KnownSegments = Map<string, FullSegment>

interface PartitionFiles {
  readonly name: string
  readonly directory: string
  readonly delivered: number
  /** Oldest first. */
  readonly full: FullSegment[]
  readonly newestBytes: number
}

/** Undelivered records that one partition lost. */
interface Loss {
  records: number
  first: number
  last: number
}

/** The task of one retention run. */
export interface RetentionTask {
  readonly quotaBytes: number
  /** Undelivered records are kept, even beyond the quota. */
  readonly keepsUndelivered: boolean
  /** Remove one delivered segment even when the quota is kept. */
  readonly diskFull: boolean
}

export interface Freed {
  /** Size at which a segment is closed and the next one begins. */
  readonly segmentBytes: number
  /** The quota could only be kept by removing undelivered records. */
  readonly full: boolean
}

/**
 * Removes the oldest segments of a spool until all of them fit the quota, delivered ones first. The newest segment of
 * a partition is always kept. It is counted as if it were full and another one too, so that the quota holds while
 * writers fill these. Only one process or thread at a time does this.
 * @param known empty, or as an earlier call left it
 */
export async function freeSpace(
  spool: string,
  { quotaBytes, keepsUndelivered, diskFull }: RetentionTask,
  known: KnownSegments,
  onFault: OnFault,
): Promise<Freed> {
  const unlock = await lockSpool(spool)
  try {
    const measured = measure(spool, quotaBytes, known)
    const { partitions, segmentBytes } = measured
    forgetRemoved(known, partitions)
    let used = measured.usedBytes
    const losses = new Map<PartitionFiles, Loss>()
    for (const partition of partitions) used -= await finishRemoval(partition, losses)
    let wanted = diskFull
    while (used > quotaBytes || wanted) {
      const mayLose = used > quotaBytes && !keepsUndelivered
      const partition = oldest(partitions, true) ?? (mayLose ? oldest(partitions, false) : undefined)
      if (partition === undefined) break
      wanted = false
      const segment = partition.full.shift()!
      await removeSegment(partition, segment, losses)
      used -= segment.bytes
    }
    for (const [partition, loss] of losses) report(partition, loss, quotaBytes, onFault)
    return { segmentBytes, full: used > quotaBytes && oldest(partitions, false) !== undefined }
  } finally {
    unlock()
  }
}

/**
 * Share of the quota that undelivered segments use, and the newest ones. Above 1, the quota can only be kept by removing
 * undelivered records. 0 while only the newest segments hold undelivered records.
 * @param known empty, or as an earlier call left it
 */
export function undeliveredShare(spool: string, quotaBytes: number, known: KnownSegments): number {
  const { partitions, usedBytes } = measure(spool, quotaBytes, known)
  forgetRemoved(known, partitions)
  let used = usedBytes
  let waits = false
  for (const { full, delivered } of partitions)
    for (const { last, bytes } of full) {
      if (last <= delivered) used -= bytes
      else waits = true
    }
  return waits ? used / quotaBytes : 0
}

/** Removes the delivered segments of one partition that were written before a moment. */
export async function removeDelivered(spool: string, name: string, beforeMs: number): Promise<void> {
  const known: KnownSegments = new Map()
  if (!hasDelivered(filesOf(spool, name, known), beforeMs)) return
  const unlock = await lockSpool(spool)
  try {
    const partition = filesOf(spool, name, known)
    while (hasDelivered(partition, beforeMs)) {
      await removeSegment(partition, partition.full.shift()!, new Map())
    }
  } finally {
    unlock()
  }
}

interface Measured {
  readonly partitions: readonly PartitionFiles[]
  readonly segmentBytes: number
  readonly usedBytes: number
}

function measure(spool: string, quotaBytes: number, known: KnownSegments): Measured {
  const partitions = listPartitionsSync(spool).map(name => filesOf(spool, name, known))
  const segmentBytes = segmentBytesFor(quotaBytes, Math.max(1, partitions.length))
  let usedBytes = 0
  for (const { full, newestBytes } of partitions) {
    usedBytes += Math.max(newestBytes, segmentBytes) + segmentBytes
    for (const { bytes } of full) usedBytes += bytes
  }
  return { partitions, segmentBytes, usedBytes }
}

/** Removes segments that a crash left after they were counted. @returns bytes */
async function finishRemoval(partition: PartitionFiles, losses: Map<PartitionFiles, Loss>): Promise<number> {
  const { through } = readRemoved(partition.directory)
  let bytes = 0
  while (partition.full.length > 0 && partition.full[0]!.last <= through) {
    const segment = partition.full.shift()!
    await removeSegment(partition, segment, losses)
    bytes += segment.bytes
  }
  return bytes
}

function hasDelivered({ full: [segment], delivered }: PartitionFiles, beforeMs: number): boolean {
  return segment !== undefined && segment.last <= delivered && segment.writtenMs <= beforeMs
}

function filesOf(spool: string, name: string, known: KnownSegments): PartitionFiles {
  const directory = join(spool, name)
  const firsts = listSegmentsSync(directory)
  const full: FullSegment[] = []
  for (const [index, first] of firsts.slice(0, -1).entries()) {
    const path = segmentPath(directory, first)
    let segment = known.get(path)
    if (segment === undefined) {
      const stats = statSync(path, { throwIfNoEntry: false })
      // Without the lock: another process has removed it meanwhile.
      if (stats === undefined) continue
      const { size, mtimeMs } = stats
      segment = { first, last: firsts[index + 1]! - 1, bytes: size, writtenMs: Math.floor(mtimeMs) }
      known.set(path, segment)
    }
    full.push(segment)
  }
  const newest = firsts.at(-1)
  const newestBytes = newest === undefined ? 0 : statSync(segmentPath(directory, newest)).size
  return { name, directory, delivered: readDelivered(directory), full, newestBytes }
}

function forgetRemoved(known: KnownSegments, partitions: readonly PartitionFiles[]): void {
  let kept = 0
  for (const { full } of partitions) kept += full.length
  if (known.size > 2 * kept) known.clear()
}

/** The partition with the oldest first segment. */
function oldest(partitions: readonly PartitionFiles[], delivered: boolean): PartitionFiles | undefined {
  let found: PartitionFiles | undefined
  for (const partition of partitions) {
    const [segment] = partition.full
    if (segment === undefined || (delivered && segment.last > partition.delivered)) continue
    if (found === undefined || segment.writtenMs < found.full[0]!.writtenMs) found = partition
  }
  return found
}

/** Counts before it removes: after a crash in between, nothing is counted twice and nothing is missed. */
async function removeSegment(
  partition: PartitionFiles,
  { first, last }: FullSegment,
  losses: Map<PartitionFiles, Loss>,
): Promise<void> {
  const { directory, delivered } = partition
  const removed: Removed = readRemoved(directory)
  const kept = Math.max(first - 1, delivered, removed.through)
  const lost = Math.max(0, last - kept)
  if (last > removed.through) writeRemoved(directory, { through: last, dropped: removed.dropped + lost })
  await rm(segmentPath(directory, first), { force: true })
  if (lost === 0) return
  const loss = losses.get(partition) ?? { records: 0, first: kept + 1, last }
  loss.records += lost
  loss.last = last
  losses.set(partition, loss)
}

function report(
  { name }: PartitionFiles,
  { records, first, last }: Loss,
  quotaBytes: number,
  onFault: OnFault,
): void {
  const message =
    `the log records of ${name} from ${first} to ${last}, ${records} in all, were dropped before they were ` +
    `delivered: the quota of ${quotaBytes} bytes is used up`
  onFault({ code: 'quota', message, dropped: records })
}
