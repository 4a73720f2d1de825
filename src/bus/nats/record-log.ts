import type { OnFault } from '../faults.ts'
import { defaultPolicy, type LogPolicy } from '../policy.ts'
import type { RecordLog, RecordReader, RecordWriter } from '../port.ts'
import { openJetStream } from './connection.ts'
import { NatsReader } from './reader.ts'
import { NatsWriter } from './writer.ts'

/**
 * The log on a NATS server (2.9.4 or newer) with JetStream: one stream, and so one partition, for all.
 * @param url `nats://user:password@host:port` or `tls://…`; several servers with commas between
 * @throws RecordLogError `unavailable` when the server cannot be used
 */
export async function openNatsRecordLog(
  url: string,
  onFault: OnFault,
  policy: LogPolicy = defaultPolicy,
): Promise<RecordLog> {
  const jetStream = await openJetStream(url, policy.bytes)
  const open = new Set<RecordWriter | RecordReader>()
  return {
    async writer() {
      const writer = new NatsWriter(jetStream, onFault)
      open.add(writer)
      return writer
    },
    async reader() {
      const reader = new NatsReader(jetStream, policy, onFault)
      open.add(reader)
      return reader
    },
    async close() {
      for (const part of open) await part.close()
      open.clear()
      await jetStream.connection.drain()
    },
  }
}
