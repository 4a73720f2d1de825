import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextTurn } from '../../kit/turns.ts'
import { splitPartitionName } from '../../model/partition-name.ts'
import { FaultReport } from '../faults.ts'
import { busLimits } from '../limits.ts'
import type { Forwarding, PartitionStats } from '../port.ts'
import { ForwardedPartition, type ForwarderDeps } from './forwarded-partition.ts'

/**
 * Moves the records of a spool to the streams, all partitions at once, each in its order. While the server is away the
 * records wait in the spool.
 */
export class Forwarder implements Forwarding {
  readonly #deps: ForwarderDeps
  readonly #faults: FaultReport
  readonly #sources = new Map<string, ForwardedPartition>()
  readonly #pause = new AbortController()
  readonly #loop: Promise<void>
  #ended = false

  constructor(deps: ForwarderDeps) {
    this.#deps = deps
    this.#faults = new FaultReport(deps.onFault)
    this.#loop = this.#run()
  }

  async stats(): Promise<readonly PartitionStats[]> {
    const all = await this.#deps.spool.stats()
    return all.map(stats => {
      const delivered = this.#sources.get(stats.partition)?.sequence ?? 0
      return { ...stats, delivered: Math.max(stats.delivered, delivered) }
    })
  }

  async stop(): Promise<void> {
    this.#pause.abort()
    // A server that does not answer must not delay the end: the next start continues.
    await Promise.race([this.#loop, sleep(busLimits.forwardFinishMs, undefined, { ref: false })])
    this.#ended = true
    this.#faults.close()
  }

  async #run(): Promise<void> {
    // Also without records: a server that cannot be used is reported, and jobs have positions from now on.
    await Promise.all(this.#deps.streams.map(stream => stream.made())).catch(error =>
      this.#faults.notForwarded(error),
    )
    while (!this.#pause.signal.aborted) {
      if (await this.#round()) await nextTurn()
      else await sleep(busLimits.forwardPauseMs, undefined, { signal: this.#pause.signal }).catch(() => {})
    }
    while (!this.#ended && (await this.#round())) await nextTurn()
    for (const source of this.#sources.values())
      await source.store().catch(error => this.#faults.notForwarded(error))
  }

  /** @returns whether there may be more records to move at once */
  async #round(): Promise<boolean> {
    try {
      const moved = await Promise.all((await this.#current()).map(source => source.forward()))
      return moved.includes(true)
    } catch (error) {
      this.#faults.notForwarded(error)
      return false
    }
  }

  async #current(): Promise<readonly ForwardedPartition[]> {
    const partitions = await this.#deps.spool.partitions()
    for (const partition of this.#sources.keys())
      if (!partitions.includes(partition)) this.#sources.delete(partition)
    const unknown = partitions.filter(partition => !this.#sources.has(partition))
    if (unknown.length > 0) {
      const stats = await this.#deps.spool.stats()
      for (const { partition, delivered } of stats)
        if (unknown.includes(partition)) this.#sources.set(partition, this.#open(partition, delivered))
    }
    return [...this.#sources.values()]
  }

  #open(partition: string, delivered: number): ForwardedPartition {
    const directory = join(this.#deps.directory, splitPartitionName(partition).name)
    return new ForwardedPartition(partition, directory, delivered, this.#deps, this.#faults)
  }
}
