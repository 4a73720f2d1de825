import { createHash } from 'node:crypto'
import type { Scope } from '../../model/resource.ts'
import type { BatchRange, Run } from '../../store/port/delivery.ts'

/** The identity of a batch, which determines its lines. */
export interface BatchIdentity extends Run {
  /** Scope of the job. Ids of zones are random, so installations that share a folder do not share names. */
  readonly scope: Scope
  readonly ranges: readonly BatchRange[]
  /** As stored with the batch. */
  readonly shape: string
}

/** `20260812T223000Z_20260812T224000Z`: when the first and the last line of an object were received. */
export function objectSpan(startMs: number, endMs: number): string {
  return `${compactTime(startMs)}_${compactTime(endMs)}`
}

/**
 * `20260812T223000Z_20260812T224000Z_9af500e22b1c4d0f8f9a3c5d7e1b2a4c.log.gz`: the span, 32 hex digits of a hash over
 * the job, the range and the format, and the extension of the format. It is stored with the batch, so that a second
 * attempt after a crash writes to the same name. With 128 bits, no two batches in a folder share a name.
 */
export function objectName(identity: BatchIdentity, span: string, extension: string): string {
  return `${span}_${digest(`${identityText(identity)}/${identity.shape}`)}${extension}`
}

/**
 * The id by which receivers recognise a second attempt at a batch: 32 hex digits. No two batches share one, even
 * across installations and restarted jobs.
 */
export function batchId(identity: Omit<BatchIdentity, 'shape'>, name: string): string {
  return digest(`${identityText(identity)}/${name}`)
}

/** Expands a folder and appends a name: `{DATE}` is the UTC day of a moment (`20260812`), `{HOUR}` its hour (`22`). */
export function objectPath(folder: string, name: string, ms: number): string {
  const time = compactTime(ms)
  const expanded = folder.replaceAll('{DATE}', time.slice(0, 8)).replaceAll('{HOUR}', time.slice(9, 11))
  return expanded === '' ? name : `${expanded}/${name}`
}

/** The start time that `objectName` wrote into a name, ms since the epoch. */
export function startOf(name: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z_/.exec(name)!
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

/** `20260812T22_manifest.json`, for an hour in the store's form. */
export function manifestName(hour: string): string {
  return `${compactTime(Date.parse(hour)).slice(0, 11)}_manifest.json`
}

function identityText({ scope, jobId, replay, ranges }: Omit<BatchIdentity, 'shape'>): string {
  const texts = ranges.map(({ partition, first, last }) => `${partition}/${first}-${last}`)
  return [scope.id, jobId, replay, ...texts].join('/')
}

/** 32 hex digits. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** `20260812T223000Z` */
function compactTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
