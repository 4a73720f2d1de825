import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { lockSpool } from './partition-lock.ts'
import { writeDelivered } from './partition-marks.ts'
import { listSegmentsSync } from './segments.ts'

/** Eight hex digits in a file of the partition's directory, so that removing the log removes them too. */
const fileName = 'epoch'

/** Empty for a log of an earlier version, which has no epoch. */
export function readEpoch(directory: string): string {
  try {
    const text = readFileSync(join(directory, fileName), 'latin1')
    return /^[0-9a-f]{8}\n$/.test(text) ? text.slice(0, 8) : ''
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw error
  }
}

/** Gives a new log its epoch. */
export function makeEpoch(directory: string): void {
  if (readEpoch(directory) === '' && listSegmentsSync(directory).length === 0) writeEpoch(directory)
}

/**
 * Gives a log that has lost its end a new epoch: from now on it is another log, of which nothing is delivered.
 * @param known epoch of the log that was inspected; a log with another epoch by now is left alone
 * @returns whether the epoch was still the known one
 */
export async function renewEpoch(spool: string, directory: string, known: string): Promise<boolean> {
  const unlock = await lockSpool(spool)
  try {
    if (readEpoch(directory) !== known) return false
    writeDelivered(directory, 0)
    writeEpoch(directory)
    return true
  } finally {
    unlock()
  }
}

/** Complete and on disk before any reader can see it: a cursor that names it must not outlive it. */
function writeEpoch(directory: string): void {
  const path = join(directory, fileName)
  const fd = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(fd, `${randomBytes(4).toString('hex')}\n`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${path}.new`, path)
  const entry = openSync(directory, 'r')
  try {
    fsyncSync(entry)
  } finally {
    closeSync(entry)
  }
}
