import { createHash } from 'node:crypto'
import type { SinkBatch } from './sink.ts'

/**
 * The id of a line: `6f1d…-1042-mg3k2a1b`, from job, partition, sequence and time of receipt. A record has the same
 * id in every batch and replay of the job. No other record has it, even if a record log begins again under the same
 * name.
 */
export function recordIds({ job, origin }: Pick<SinkBatch, 'job' | 'origin'>): (line: number) => string {
  const prefixes = new Map<string, string>()
  return line => {
    const { partition, sequence, receivedMs } = origin(line)
    const prefix = prefixes.get(partition) ?? digestOf(`${job}/${partition}`)
    prefixes.set(partition, prefix)
    return `${prefix}-${sequence}-${receivedMs.toString(36)}`
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}
