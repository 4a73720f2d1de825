import type { LineOrigin } from '../sinks/sink.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'

/** The records of the log that the lines of a batch come from. */
export class LineOrigins {
  /** The dataset's field for the time of the event. */
  readonly #timeField: string
  readonly #partitions: string[] = []
  readonly #sequences: number[] = []
  readonly #receivedMs: number[] = []
  readonly #happenedMs: number[] = []

  constructor(timeField: string) {
    this.#timeField = timeField
  }

  add({ partition, sequence, receivedMs, fields }: StreamRecord): void {
    this.#partitions.push(partition)
    this.#sequences.push(sequence)
    this.#receivedMs.push(receivedMs)
    this.#happenedMs.push(milliseconds(fields[this.#timeField]) ?? receivedMs)
  }

  /** @param line from 0 */
  at(line: number): LineOrigin {
    return {
      partition: this.#partitions[line]!,
      sequence: this.#sequences[line]!,
      receivedMs: this.#receivedMs[line]!,
      happenedMs: this.#happenedMs[line]!,
    }
  }
}

/** Milliseconds of decimal nanoseconds, the form in records. */
function milliseconds(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{7,19}$/.test(value) ? Number(value.slice(0, -6)) : undefined
}
