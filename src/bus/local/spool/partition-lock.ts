import { join } from 'node:path'
import { lockFile } from '../../../kit/lock-file.ts'
import { RecordLogError, reasonOf } from '../../faults.ts'
import { busLimits } from '../../limits.ts'

/**
 * Makes this process the only writer of a partition, or the only one that removes segments of a spool.
 * @returns releases the lock
 * @throws RecordLogError `locked`, `unavailable`
 */
export async function lockPartition(directory: string): Promise<() => void> {
  let unlock: (() => void) | undefined
  try {
    unlock = await lockFile(join(directory, 'lock'), busLimits.partitionLockMsMax)
  } catch (error) {
    throw new RecordLogError('unavailable', `cannot lock ${directory}: ${reasonOf(error)}`, { cause: error })
  }
  if (unlock === undefined) throw new RecordLogError('locked', `another process writes ${directory}`)
  return unlock
}
