import { join } from 'node:path'
import { type OnFault, RecordLogError } from '../faults.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import type { RecordLog, RecordReader, RecordWriter } from '../port.ts'
import { isPartitionName } from './segments.ts'
import { SpoolReader } from './spool-reader.ts'
import { openSpoolWriter } from './spool-writer.ts'

/**
 * The embedded log: a directory with a partition (a directory of segment files) for each writer.
 * Records survive the death of the process; what the machine's own sudden death can take is up to the policy.
 * docs/spool.md says it in full.
 * @param directory made, with those above it, by the first writer
 */
export function openLocalRecordLog(
  directory: string,
  onFault: OnFault,
  policy: LogPolicy = defaultPolicy,
): RecordLog {
  const open = new Set<RecordWriter | RecordReader>()
  return {
    async writer(name) {
      if (!isPartitionName(name)) {
        throw new RecordLogError('unavailable', `"${name}" cannot name a partition`)
      }
      const writer = await openSpoolWriter(join(directory, name), policy, onFault)
      open.add(writer)
      return writer
    },
    async reader() {
      const reader = new SpoolReader(directory, policy, onFault)
      open.add(reader)
      return reader
    },
    async close() {
      for (const part of open) await part.close()
      open.clear()
    },
  }
}
