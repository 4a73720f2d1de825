import { join } from 'node:path'
import { type OnFault, RecordLogError } from '../../faults.ts'
import { defaultPolicy, type LogPolicy } from '../../policy.ts'
import type { RecordLog, RecordReader, RecordWriter } from '../../port.ts'
import { SpoolReader } from './reader.ts'
import { isPartitionName } from './segments.ts'
import { openSpoolWriter } from './writer.ts'

/**
 * The embedded log: a directory with a partition (a directory of segment files) for each writer. Records survive a
 * crash of the process; the policy decides how many a crash of the machine can lose. docs/internals/reliability.md has
 * the details.
 * @param directory created, with its parents, by the first writer
 * @param name distinguishes it from the spools of other machines
 */
export function openLocalRecordLog(
  directory: string,
  onFault: OnFault,
  policy: LogPolicy = defaultPolicy,
  name = 'spool',
): RecordLog {
  const open = new Set<RecordWriter | RecordReader>()
  return {
    async writer(name, isWanted = () => true) {
      if (!isPartitionName(name)) {
        throw new RecordLogError('unavailable', `"${name}" cannot name a partition`)
      }
      const writer = await openSpoolWriter(join(directory, name), policy, isWanted, onFault)
      open.add(writer)
      return writer
    },
    async reader() {
      const reader = new SpoolReader(name, directory, policy, onFault)
      open.add(reader)
      return reader
    },
    async close() {
      for (const part of open) await part.close()
      open.clear()
    },
  }
}
