import type { OnFault } from '../faults.ts'
import { openLocalRecordLog } from '../local/spool/record-log.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import type { RecordLog } from '../port.ts'
import { type NatsOptions, usualOptions } from './options.ts'
import type { Remote } from './remote.ts'

/**
 * The log on NATS servers (2.9.4 or newer) with JetStream. Writers append to the spool of their machine, also while the
 * servers are away. The forwarder moves the records to the streams, one for each partition, and readers read those. Nothing
 * here waits for a server; calls of readers do.
 * @param url `nats://user:password@host:port` or `tls://…`; several servers separated by commas
 * @param directory of the spool
 * @param policy of the spool; of the streams too, except for their bytes
 */
export function openNatsRecordLog(
  url: string,
  directory: string,
  onFault: OnFault,
  policy: LogPolicy = defaultPolicy,
  options: Partial<NatsOptions> = {},
): RecordLog {
  // Records that NATS has are not kept here.
  const spool = openLocalRecordLog(directory, onFault, { ...policy, ageMs: 0 })
  let remote: Promise<Remote> | undefined
  // The client library takes time and memory of each thread, so it is loaded with the first use: workers only write.
  const use = () => {
    remote ??= import('./remote.ts').then(
      ({ Remote }) => new Remote(url, onFault, policy, { ...usualOptions, ...options }),
    )
    return remote
  }
  return {
    writer: (name, isWanted) => spool.writer(name, isWanted),
    reader: async () => (await use()).reader(),
    forward: async (isWanted = () => true) =>
      (await use()).forward(await spool.reader(), directory, isWanted),
    async close() {
      try {
        await (await remote)?.close()
      } finally {
        await spool.close()
      }
    },
  }
}
