/**
 * The name of a partition for readers and cursors: the writer's name and the epoch of the current log, as in
 * `edge-1-3f9a5c07b2d4.1b7e03d2`. A log that was deleted and created again, or that has lost its end, has another epoch.
 * Positions in the old log are not valid in it, so it is read from its start.
 * A name without an epoch means the current log: earlier versions stored such cursors.
 */
export function partitionName(name: string, epoch: string): string {
  return epoch === '' ? name : `${name}.${epoch}`
}

/** @returns an empty epoch for a name without one */
export function splitPartitionName(partition: string): { readonly name: string; readonly epoch: string } {
  const dot = partition.lastIndexOf('.')
  if (dot === -1) return { name: partition, epoch: '' }
  return { name: partition.slice(0, dot), epoch: partition.slice(dot + 1) }
}
