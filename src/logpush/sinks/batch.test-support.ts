import { gzipSync } from 'node:zlib'
import type { SinkBatch } from './sink.ts'
import { parseDestination } from './table.ts'

/** A batch of NDJSON lines, as a job makes it by default. */
export function aBatch(lines: readonly string[], changes: Partial<SinkBatch> = {}): SinkBatch {
  const text = Buffer.from(lines.map(line => `${line}\n`).join(''))
  return {
    path: 'logs/20260812T223000Z_20260812T224000Z_9af500e2.log.gz',
    id: '00112233445566778899aabbccddeeff',
    startMs: Date.UTC(2026, 7, 12, 22, 30),
    records: lines.length,
    gzip: gzipSync(text),
    frame: { prefix: '', delimiter: '', suffix: '', sizes: lines.map(line => Buffer.byteLength(line) + 1) },
    text: async () => text,
    sent: new Set(),
    ...changes,
  }
}

/** Long enough for any of these tests. */
export const soon = (): AbortSignal => AbortSignal.timeout(20_000)

/**
 * Opens a destination and delivers to it.
 * @returns the status of the last answer
 */
export async function deliverTo(destinationConf: string, batch: SinkBatch): Promise<number | undefined> {
  const target = parseDestination(destinationConf)
  if (!target.ok) throw new Error(target.problem.message)
  const sink = await target.value.open('loopback')
  try {
    return await sink.put(batch, AbortSignal.timeout(20_000))
  } finally {
    sink.close()
  }
}

/** @param bytes of each, about */
export function someLines(count: number, bytes = 20): string[] {
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({ n, pad: 'p'.repeat(Math.max(0, bytes - 15)) }),
  )
}
