import { join } from 'node:path'
import { lockFile } from '../../../kit/lock-file.ts'
import { RecordLogError, reasonOf } from '../../faults.ts'
import { busLimits } from '../../limits.ts'

/**
 * Makes this process the only writer of a partition.
 * @returns releases the lock
 * @throws RecordLogError `locked`, `unavailable`
 */
export async function lockPartition(directory: string): Promise<() => void> {
  const unlock = await lockOf(directory, busLimits.partitionLockMsMax)
  if (unlock === undefined) throw new RecordLogError('locked', `another process writes ${directory}`)
  return unlock
}

/**
 * Makes the caller the only one that removes segments of a spool or gives a log a new epoch. Its holder, a writer or a
 * reader, releases it after its work.
 * @returns releases the lock
 * @throws RecordLogError `unavailable`
 */
export async function lockSpool(spool: string): Promise<() => void> {
  const unlock = await lockOf(spool, busLimits.spoolLockMsMax)
  if (unlock === undefined)
    throw new RecordLogError('unavailable', `another process has locked ${spool} and does not release it`)
  return unlock
}

async function lockOf(directory: string, waitMs: number): Promise<(() => void) | undefined> {
  try {
    return await lockFile(join(directory, 'lock'), waitMs)
  } catch (error) {
    throw new RecordLogError('unavailable', `cannot lock ${directory}: ${reasonOf(error)}`, { cause: error })
  }
}
