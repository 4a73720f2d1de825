import { gzipSync } from 'node:zlib'
import type { SinkBatch } from './sink.ts'

/** A batch of one line without a record: a test, a challenge. @param id of the batch and its line */
export function noteBatch(path: string, id: string, text: Buffer): SinkBatch {
  const nowMs = Date.now()
  return {
    path,
    id,
    job: id,
    origin: () => ({ partition: 'note', sequence: 1, receivedMs: nowMs, happenedMs: nowMs }),
    records: 1,
    content: gzipSync(text),
    contentType: 'application/gzip',
    frame: { prefix: '', delimiter: '', suffix: '', sizes: [text.length] },
    text: async () => text,
    sent: new Set(),
  }
}
