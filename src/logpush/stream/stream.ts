import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kit/clock.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { Cursors } from '../../store/port/delivery.ts'
import type { DeliveryPace } from '../types.ts'
import { isAt } from './cursors.ts'
import { MergedReader } from './merged-reader.ts'
import { type Follower, SharedReader } from './shared-reader.ts'
import { newestOf, type RecordSource } from './source.ts'

export interface StreamDeps {
  readonly source: RecordSource
  readonly clock: Clock
  readonly pace: DeliveryPace
  readonly onError: (message: string, error?: unknown) => void
}

/**
 * Lets any number of followers read a log, each from its own position. Followers at the newest records share one
 * reader. A follower that is behind has its own, or shares one at the same position, until it has caught up. A
 * further follower thus costs only the work on its own records, and one that is slow or stuck costs the others
 * nothing.
 */
export class Stream {
  readonly #deps: StreamDeps
  /** The reader of the newest records. */
  #head: SharedReader
  #headLoop: Promise<void> | undefined
  /** Readers that catch up, and the promises of their end. */
  readonly #behind = new Map<SharedReader, Promise<void>>()
  #joining: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#head = this.#readerAt(new Map())
  }

  /** Passes a follower every record after `from`. */
  follow(follower: Follower, from: Cursors): Promise<void> {
    const joined = this.#joining.then(() => this.#join(follower, from))
    this.#joining = joined.catch(() => {})
    return joined
  }

  leave(follower: Follower): void {
    this.#head.remove(follower)
    for (const shared of this.#behind.keys()) shared.remove(follower)
  }

  /** Passes on all stored records, without waiting for earlier ones, and ends. */
  async drain(): Promise<void> {
    await this.#joining
    this.#closed = true
    const readers = [this.#head, ...this.#behind.keys()]
    await Promise.all([this.#headLoop, ...this.#behind.values()])
    const { source, clock } = this.#deps
    const newest = await newestOf(source)
    await Promise.all(
      readers.map(async shared => {
        while (
          shared.followers.size > 0 &&
          (await shared.step(clock.nowMs(), 0, shared !== this.#head, newest))
        );
      }),
    )
  }

  /** Ends after the work in progress. */
  close(): void {
    this.#closed = true
  }

  #readerAt(from: Cursors): SharedReader {
    const { source, clock, pace } = this.#deps
    return new SharedReader(new MergedReader(source, from, clock, pace.orderMs))
  }

  async #join(follower: Follower, from: Cursors): Promise<void> {
    await this.#moveRestingHead()
    const joined = [this.#head, ...this.#behind.keys()].find(
      shared => !shared.busy && isAt(from, shared.reader.position) && isAt(shared.reader.position, from),
    )
    const shared = joined ?? this.#readerAt(from)
    shared.add(follower)
    if (shared === this.#head) this.#startHead()
    else if (joined === undefined) this.#behind.set(shared, this.#catchUp(shared))
  }

  /** The head does not advance while it has no followers. */
  async #moveRestingHead(): Promise<void> {
    if (!this.#headRests()) return
    const newest = this.#readerAt(await newestOf(this.#deps.source))
    if (this.#headRests()) this.#head = newest
  }

  #headRests(): boolean {
    return this.#head.followers.size === 0 && this.#headLoop === undefined
  }

  #startHead(): void {
    this.#headLoop ??= this.#runHead(this.#head).finally(() => {
      this.#headLoop = undefined
      // A follower may have joined during the last read.
      if (!this.#closed && this.#head.followers.size > 0) this.#startHead()
    })
  }

  async #runHead(head: SharedReader): Promise<void> {
    while (!this.#closed && head.followers.size > 0) {
      const more = await this.#attempt(head)
      await (more ? nextTurn() : sleep(this.#deps.pace.tickMs))
    }
  }

  async #catchUp(shared: SharedReader): Promise<void> {
    // Followers that join meanwhile may be at the same position: after a start, most are.
    await sleep(this.#deps.pace.tickMs)
    while (!this.#closed && shared.followers.size > 0) {
      const more = await this.#attempt(shared, this.#head.reader.position)
      if (!this.#head.busy && isAt(shared.reader.position, this.#head.reader.position)) break
      // Its position may be in a log that is gone.
      if (!more) await this.#attemptTo(() => this.#moveRestingHead())
      await (more ? nextTurn() : sleep(this.#deps.pace.tickMs))
    }
    // A follower that leaves while the last records are passed on is looked up among the readers that are behind.
    if (this.#closed) return
    this.#behind.delete(shared)
    if (shared.followers.size === 0) return
    for (const follower of shared.followers) this.#head.add(follower)
    this.#startHead()
  }

  async #attempt(shared: SharedReader, until?: Cursors): Promise<boolean> {
    const { clock, pace } = this.#deps
    const step = () => shared.step(clock.nowMs(), pace.orderMs, until !== undefined, until)
    return (await this.#attemptTo(step)) ?? false
  }

  /** Undefined when it failed: the error is then reported, and some time has passed. */
  async #attemptTo<T>(read: () => Promise<T>): Promise<T | undefined> {
    const { pace, onError } = this.#deps
    try {
      return await read()
    } catch (error) {
      onError('log records cannot be read; retrying', error)
      await sleep(pace.retryFirstMs)
      return undefined
    }
  }
}
