import { crc32 } from 'node:zlib'
import { recordHead } from '../stored-record.ts'

/** Number of the partition of a record, from 1: all records of a zone are in the same one. */
export function partitionOf(record: string, partitions: number): number {
  return partitionOfZone(zoneOf(record), partitions)
}

/** @param zone its id */
export function partitionOfZone(zone: string, partitions: number): number {
  return (crc32(zone) % partitions) + 1
}

/** Empty for a text that is not a record; readers skip it. */
function zoneOf(record: string): string {
  try {
    return recordHead(record).zone ?? ''
  } catch {
    return ''
  }
}
