import { gzipSync } from 'node:zlib'
import type { Sink, SinkBatch } from '../sinks/sink.ts'
import { parseDestination } from '../sinks/table.ts'
import { onThisMachine } from './destinations.ts'

/** A batch of NDJSON lines, as a job makes it by default. */
export function aBatch(lines: readonly string[], changes: Partial<SinkBatch> = {}): SinkBatch {
  const text = Buffer.from(lines.map(line => `${line}\n`).join(''))
  return {
    path: 'logs/20260812T223000Z_20260812T224000Z_9af500e22b1c4d0f8f9a3c5d7e1b2a4c.log.gz',
    id: '00112233445566778899aabbccddeeff',
    job: 'zone/1',
    origin: line => {
      const receivedMs = Date.UTC(2026, 7, 12, 22, 30) + line
      return { partition: 'edge-1', sequence: 101 + line, receivedMs, happenedMs: receivedMs - 20 }
    },
    records: lines.length,
    content: gzipSync(text),
    contentType: 'application/gzip',
    frame: { prefix: '', delimiter: '', suffix: '', sizes: lines.map(line => Buffer.byteLength(line) + 1) },
    text: async () => text,
    sent: new Set(),
    ...changes,
  }
}

/** Long enough for any of these tests. */
export const soon = (): AbortSignal => AbortSignal.timeout(20_000)

/** Reads back what has a name at a destination. */
export async function readFrom(destinationConf: string, path: string): Promise<string | undefined> {
  const sink = await openedAt(destinationConf)
  try {
    return (await sink.read!(path, 1000, soon()))?.toString()
  } finally {
    sink.close()
  }
}

async function openedAt(destinationConf: string): Promise<Sink> {
  const target = parseDestination(destinationConf)
  if (!target.ok) throw new Error(target.problem.message)
  return target.value.open(onThisMachine)
}

/**
 * Opens a destination and delivers to it.
 * @returns the status of the last answer
 */
export async function deliverTo(destinationConf: string, batch: SinkBatch): Promise<number | undefined> {
  const sink = await openedAt(destinationConf)
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
