import { createHash } from 'node:crypto'

/** A range of one partition of the record log, as one job sees it. */
export interface BatchRange {
  /** Of the job. Ids of zones are random, so that installations which share a folder do not share names. */
  readonly zoneId: string
  readonly jobId: number
  readonly partition: string
  readonly firstSequence: number
  readonly lastSequence: number
  /** When the first and the last record were received, ms since the epoch. */
  readonly startMs: number
  readonly endMs: number
}

/**
 * `20260812T223000Z_20260812T224000Z_9af500e2.log.gz`: times of the range and eight hex digits that stand for it.
 * It follows from the range alone, so that a replay after a crash writes to the same name.
 */
export function objectName(range: BatchRange): string {
  const { zoneId, jobId, partition, firstSequence, lastSequence } = range
  const identity = `${zoneId}/${jobId}/${partition}/${firstSequence}-${lastSequence}`
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  return `${compactTime(range.startMs)}_${compactTime(range.endMs)}_${hash}.log.gz`
}

/**
 * What stands for a batch wherever receivers recognise a replay by an id: 32 hex digits. No two batches share one, also
 * not those of another installation or of one that began anew.
 */
export function batchId(batch: Omit<BatchRange, 'startMs' | 'endMs'> & { objectName: string }): string {
  const { zoneId, jobId, partition, firstSequence, lastSequence } = batch
  const identity = `${zoneId}/${jobId}/${partition}/${firstSequence}-${lastSequence}/${batch.objectName}`
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/** Puts a name below a folder, `{DATE}` in it replaced by the UTC day that the name begins with. */
export function objectPath(folder: string, name: string, dateMs: number): string {
  const expanded = folder.replaceAll('{DATE}', compactTime(dateMs).slice(0, 8))
  return expanded === '' ? name : `${expanded}/${name}`
}

/** The start time that `objectName` wrote into a name, ms since the epoch. */
export function startOf(name: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z_/.exec(name)!
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

/** `20260812T223000Z` */
function compactTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
