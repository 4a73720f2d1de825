import type { OnFault } from '../faults.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import type { RecordLog, RecordReader, RecordWriter } from '../port.ts'
import { type NatsOptions, openJetStream, setDiscard, usualOptions } from './connection.ts'
import { NatsReader } from './reader.ts'
import { NatsWriter } from './writer.ts'

/**
 * The log on a NATS server (2.9.4 or newer) with JetStream: one stream, and so one partition, for all writers.
 * @param url `nats://user:password@host:port` or `tls://…`; several servers separated by commas
 * @throws RecordLogError `unavailable` when the server cannot be used
 */
export async function openNatsRecordLog(
  url: string,
  onFault: OnFault,
  policy: LogPolicy = defaultPolicy,
  options: Partial<NatsOptions> = {},
): Promise<RecordLog> {
  const jetStream = await openJetStream(url, policy, { ...usualOptions, ...options })
  const open = new Set<RecordWriter | RecordReader>()
  return {
    async writer(_name, isWanted = () => true) {
      const setting = setDiscard(jetStream, await jetStream.stream(), policy)
      // Where the oldest messages may be deleted, a writer that is refused reports the reason.
      await (policy.full === 'refuse-requests' ? setting : setting.catch(() => {}))
      const writer = new NatsWriter(jetStream, onFault)
      open.add(writer)
      if (policy.full === 'refuse-requests') await writer.keepUndelivered(policy, isWanted)
      return writer
    },
    async reader() {
      const reader = new NatsReader(jetStream, policy, onFault)
      open.add(reader)
      return reader
    },
    async close() {
      try {
        for (const part of open) await part.close()
      } finally {
        open.clear()
        await jetStream.connection.drain()
      }
    },
  }
}
