import { createHash } from 'node:crypto'
import type { Scope } from '../model/resource.ts'
import type { BatchRange, Run } from '../store/port.ts'

/** What makes a batch the one it is. */
export interface BatchIdentity extends Run {
  /** Of the job. Ids of zones are random, so that installations which share a folder do not share names. */
  readonly scope: Scope
  readonly ranges: readonly BatchRange[]
}

/** `20260812T223000Z_20260812T224000Z`: when the first and the last line of an object were received. */
export function objectSpan(startMs: number, endMs: number): string {
  return `${compactTime(startMs)}_${compactTime(endMs)}`
}

/**
 * `20260812T223000Z_20260812T224000Z_9af500e2.log.gz`: the span, and hex digits that stand for job and range. It is kept
 * with the batch, so that a second attempt after a crash writes to the same name.
 * @param crowded a job that makes many objects of one second needs more digits to keep them apart: sixteen, not eight
 */
export function objectName(identity: BatchIdentity, span: string, crowded: boolean): string {
  return `${span}_${digest(identityText(identity)).slice(0, crowded ? 16 : 8)}.log.gz`
}

/**
 * What stands for a batch wherever receivers recognise a second attempt by an id: 32 hex digits. No two batches share
 * one, also not those of another installation or of one that began anew.
 */
export function batchId(identity: BatchIdentity, name: string): string {
  return digest(`${identityText(identity)}/${name}`).slice(0, 32)
}

/** Puts a name below a folder: `{DATE}` in it is the UTC day of a moment (`20260812`), `{HOUR}` its hour (`22`). */
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

/** `20260812T22_manifest.json`, of an hour as the store writes it. */
export function manifestName(hour: string): string {
  return `${compactTime(Date.parse(hour)).slice(0, 11)}_manifest.json`
}

function identityText({ scope, jobId, replay, ranges }: BatchIdentity): string {
  const texts = ranges.map(({ partition, first, last }) => `${partition}/${first}-${last}`)
  return [scope.id, jobId, replay, ...texts].join('/')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** `20260812T223000Z` */
function compactTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
