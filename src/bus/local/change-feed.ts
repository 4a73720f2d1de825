import { busLimits } from '../../kit/limits.ts'
import type { Change, ChangeFeed } from '../port.ts'

/** Where the entries are: `store.changes`. */
export interface ChangeSource {
  after(sequence: number): Promise<readonly Change[]>
  head(): Promise<number>
}

/**
 * Follows the changes from now on: a write that commits after this resolves is announced.
 *
 * It polls, on PostgreSQL too: ten look-ups a second by primary key cost next to nothing, keep the promise
 * of 300 ms with time to spare, and survive a lost connection without a second way to catch up, which
 * LISTEN/NOTIFY would need beside it.
 * @param onError a poll that failed (it is repeated) or a subscriber that threw
 * @throws what `source` throws when it cannot be read at the start
 */
export async function createChangeFeed(
  source: ChangeSource,
  onError: (error: unknown) => void,
): Promise<ChangeFeed> {
  return new PollingFeed(source, onError, await source.head())
}

class PollingFeed implements ChangeFeed {
  readonly #source: ChangeSource
  readonly #onError: (error: unknown) => void
  readonly #subscribers = new Set<(change: Change) => void>()
  readonly #stop = new AbortController()
  readonly #polling: Promise<void>
  #sequence: number

  constructor(source: ChangeSource, onError: (error: unknown) => void, sequence: number) {
    this.#source = source
    this.#onError = onError
    this.#sequence = sequence
    this.#polling = this.#poll()
  }

  subscribe(onChange: (change: Change) => void): () => void {
    // One function may be subscribed twice, so each subscription is an object of its own.
    const subscriber = (change: Change): void => onChange(change)
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#polling
  }

  async #poll(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const caughtUp = await this.#deliver()
      if (caughtUp) await this.#pause()
    }
  }

  /** @returns whether there is nothing more to ask for right now */
  async #deliver(): Promise<boolean> {
    try {
      const changes = await this.#source.after(this.#sequence)
      for (const change of changes) {
        if (this.#stop.signal.aborted) return true
        this.#sequence = change.sequence
        this.#tell(change)
      }
      return changes.length === 0
    } catch (error) {
      this.#onError(error)
      return true
    }
  }

  #tell(change: Change): void {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(change)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise(resolve => {
      const { signal } = this.#stop
      if (signal.aborted) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, busLimits.changePollMs)
      signal.addEventListener('abort', done)
    })
  }
}
