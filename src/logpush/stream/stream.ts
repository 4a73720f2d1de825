import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kit/clock.ts'
import { nextTurn } from '../../kit/turns.ts'
import type { Cursors } from '../../store/port.ts'
import type { DeliveryPace } from '../types.ts'
import { isAt } from './cursors.ts'
import { MergedReader } from './merged-reader.ts'
import { newestOf, type RecordSource } from './source.ts'
import { type Follower, Walk } from './walk.ts'

export interface StreamDeps {
  readonly source: RecordSource
  readonly clock: Clock
  readonly pace: DeliveryPace
  readonly onError: (message: string, error?: unknown) => void
}

/**
 * Lets any number of followers read a log, each from its own place. Those at the newest records walk together; one that
 * is behind walks by itself, or with others at the same place, until it has caught up. So a further follower costs what
 * it does with the records that it wants, and one that is slow or stuck costs the others nothing.
 */
export class Stream {
  readonly #deps: StreamDeps
  /** Where the newest records are. */
  #head: Walk
  #headLoop: Promise<void> | undefined
  /** Walks that catch up, and when they have. */
  readonly #behind = new Map<Walk, Promise<void>>()
  #joining: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: StreamDeps) {
    this.#deps = deps
    this.#head = this.#walkFrom(new Map())
  }

  /** Tells a follower of every record behind `from`. */
  follow(follower: Follower, from: Cursors): Promise<void> {
    const joined = this.#joining.then(() => this.#join(follower, from))
    this.#joining = joined.catch(() => {})
    return joined
  }

  leave(follower: Follower): void {
    this.#head.remove(follower)
    for (const walk of this.#behind.keys()) walk.remove(follower)
  }

  /** Hands out all there is, without waiting for what belongs before it, and ends. */
  async drain(): Promise<void> {
    await this.#joining
    this.#closed = true
    const walks = [this.#head, ...this.#behind.keys()]
    await Promise.all([this.#headLoop, ...this.#behind.values()])
    const { source, clock } = this.#deps
    const newest = await newestOf(source)
    await Promise.all(
      walks.map(async walk => {
        while (walk.followers.size > 0 && (await walk.step(clock.nowMs(), 0, walk !== this.#head, newest)));
      }),
    )
  }

  /** Ends after what is under way. */
  close(): void {
    this.#closed = true
  }

  #walkFrom(from: Cursors): Walk {
    const { source, clock, pace } = this.#deps
    return new Walk(new MergedReader(source, from, clock, pace.orderMs))
  }

  async #join(follower: Follower, from: Cursors): Promise<void> {
    if (this.#headRests()) {
      const newest = this.#walkFrom(await newestOf(this.#deps.source))
      if (this.#headRests()) this.#head = newest
    }
    const place = [this.#head, ...this.#behind.keys()].find(
      walk => !walk.busy && isAt(from, walk.reader.position) && isAt(walk.reader.position, from),
    )
    const walk = place ?? this.#walkFrom(from)
    walk.add(follower)
    if (walk === this.#head) this.#startHead()
    else if (place === undefined) this.#behind.set(walk, this.#catchUp(walk))
  }

  #headRests(): boolean {
    return this.#head.followers.size === 0 && this.#headLoop === undefined
  }

  #startHead(): void {
    this.#headLoop ??= this.#runHead(this.#head).finally(() => {
      this.#headLoop = undefined
      // Somebody may have come while the last look was under way.
      if (!this.#closed && this.#head.followers.size > 0) this.#startHead()
    })
  }

  async #runHead(head: Walk): Promise<void> {
    while (!this.#closed && head.followers.size > 0) {
      const more = await this.#attempt(head)
      await (more ? nextTurn() : sleep(this.#deps.pace.tickMs))
    }
  }

  async #catchUp(walk: Walk): Promise<void> {
    // Whoever comes in the meantime may be at the same place: at a start, most are.
    await sleep(this.#deps.pace.tickMs)
    while (!this.#closed && walk.followers.size > 0) {
      const more = await this.#attempt(walk, this.#head.reader.position)
      if (!this.#head.busy && isAt(walk.reader.position, this.#head.reader.position)) break
      await (more ? nextTurn() : sleep(this.#deps.pace.tickMs))
    }
    // Who leaves while the last records are handed out is looked for among those that are behind.
    if (this.#closed) return
    this.#behind.delete(walk)
    if (walk.followers.size === 0) return
    for (const follower of walk.followers) this.#head.add(follower)
    this.#startHead()
  }

  async #attempt(walk: Walk, until?: Cursors): Promise<boolean> {
    const { clock, pace, onError } = this.#deps
    try {
      return await walk.step(clock.nowMs(), pace.orderMs, until !== undefined, until)
    } catch (error) {
      onError('log records cannot be read; it is tried again', error)
      await sleep(pace.retryFirstMs)
      return false
    }
  }
}
