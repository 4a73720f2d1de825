import { splitPartitionName } from './partition-name.ts'

/**
 * The name of a part of a record log, by which leases, starts and batches name it: the log, and the partition without
 * its epoch, as in `nats/nats-3`. A log without parts, such as a machine's spool, has its own name only.
 */
export function partName(log: string, partition: string): string {
  return `${log}/${partition}`
}

/** The log of a part; a log without parts is its own. */
export function wholeLogOf(name: string): string {
  return name.split('/', 1)[0]!
}

/** Whether a partition, by the name that readers use, belongs to a log or to a part of it. */
export function isPartitionOf(partition: string, name: string): boolean {
  const log = wholeLogOf(name)
  return name === log || name === partName(log, splitPartitionName(partition).name)
}
