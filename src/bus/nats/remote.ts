import type { OnFault } from '../faults.ts'
import type { LogPolicy } from '../policy.ts'
import type { Forwarding, RecordReader } from '../port.ts'
import { Link } from './connection.ts'
import { Forwarder } from './forwarder.ts'
import type { NatsOptions } from './options.ts'
import { NatsReader } from './reader.ts'
import { earlierStream, type PartitionStream, partitionStream } from './stream.ts'

/** The streams, with their readers and the forwarder. */
export class Remote {
  readonly #link: Link
  readonly #onFault: OnFault
  readonly #policy: LogPolicy
  readonly #options: NatsOptions
  readonly #streams: readonly PartitionStream[]
  readonly #readers = new Set<RecordReader>()
  #forwarder: Forwarder | undefined

  constructor(url: string, onFault: OnFault, policy: LogPolicy, options: NatsOptions) {
    this.#link = new Link(url, options)
    this.#onFault = onFault
    this.#policy = policy
    this.#options = options
    this.#streams = Array.from({ length: options.partitions }, (_, index) =>
      partitionStream(this.#link, policy, options, index + 1),
    )
  }

  reader(): RecordReader {
    const streams = { partitions: this.#streams, earlier: earlierStream(this.#link, this.#options) }
    const reader = new NatsReader(streams, this.#policy, this.#onFault)
    this.#readers.add(reader)
    return reader
  }

  forward(spool: RecordReader, directory: string, isWanted: () => boolean): Forwarding {
    this.#forwarder = new Forwarder({
      spool,
      directory,
      streams: this.#streams,
      options: this.#options,
      policy: this.#policy,
      isWanted,
      onFault: this.#onFault,
    })
    return this.#forwarder
  }

  async close(): Promise<void> {
    await this.#forwarder?.stop()
    try {
      for (const reader of this.#readers) await reader.close()
    } finally {
      this.#readers.clear()
      await this.#link.close()
    }
  }
}
