import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { busLimits } from '../../kit/limits.ts'
import { RecordLogError, reasonOf } from '../faults.ts'

/**
 * Makes this process the only writer of a partition, or the only one that removes segments of a spool. The lock is SQLite's on an empty file: the system's
 * own, so it ends with the process however that dies, and no stale one can stay behind.
 * @returns gives the lock back
 * @throws RecordLogError `locked`, `unavailable`
 */
export async function lockPartition(directory: string): Promise<() => void> {
  const deadlineMs = Date.now() + busLimits.partitionLockMsMax
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 })
  for (;;) {
    try {
      // No journal, so that it needs no room: nothing is ever written.
      database.exec('pragma journal_mode = memory')
      database.exec('begin exclusive')
      return () => database.close()
    } catch (error) {
      const busy = isBusy(error)
      if (!busy || Date.now() >= deadlineMs) {
        database.close()
        if (busy) throw new RecordLogError('locked', `another process writes ${directory}`, { cause: error })
        throw new RecordLogError('unavailable', `cannot lock ${directory}: ${reasonOf(error)}`, {
          cause: error,
        })
      }
    }
    await sleep(20)
  }
}

/** SQLITE_BUSY, with or without its extended part. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode
  return typeof code === 'number' && (code & 0xff) === 5
}
