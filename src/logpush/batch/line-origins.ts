import type { LineOrigin } from '../sinks/sink.ts'
import type { StreamRecord } from '../stream/merged-reader.ts'

/** The records of the log that the lines of a batch come from. */
export class LineOrigins {
  readonly #partitions: string[] = []
  readonly #sequences: number[] = []
  readonly #receivedMs: number[] = []
  readonly #happenedMs: number[] = []

  /** @param time value of the dataset's field for the time of the event */
  add(record: StreamRecord, time: unknown): void {
    this.#partitions.push(record.partition)
    this.#sequences.push(record.sequence)
    this.#receivedMs.push(record.receivedMs)
    this.#happenedMs.push(record.happenedMs(time))
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
