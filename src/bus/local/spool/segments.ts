import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { busLimits } from '../../limits.ts'

/** A partition is a directory of segments; a segment is named by the sequence of its first record. */
export function segmentPath(directory: string, first: number): string {
  return join(directory, `${String(first).padStart(16, '0')}.log`)
}

/** First sequences, ascending. */
export async function listSegments(directory: string): Promise<number[]> {
  return segmentsAmong(await readdir(directory))
}

export function listSegmentsSync(directory: string): number[] {
  return segmentsAmong(readdirSync(directory))
}

function segmentsAmong(names: readonly string[]): number[] {
  const firsts: number[] = []
  for (const name of names) {
    if (/^\d{16}\.log$/.test(name)) firsts.push(Number(name.slice(0, 16)))
  }
  return firsts.sort((a, b) => a - b)
}

/** A name that is a valid directory name on every system, and not a path. */
export function isPartitionName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)
}

/** Names of the partitions of a spool, sorted. */
export function listPartitionsSync(spool: string): string[] {
  return readdirSync(spool, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && isPartitionName(entry.name))
    .map(entry => entry.name)
    .sort()
}

/**
 * Size at which a segment is closed and the next one begins: the newest segments together take a small part of the
 * quota.
 */
export function segmentBytesFor(quotaBytes: number, partitions: number): number {
  const share = Math.floor(quotaBytes / (busLimits.segmentQuotaShare * partitions))
  return Math.max(busLimits.segmentBytesMin, Math.min(busLimits.segmentBytes, share))
}
