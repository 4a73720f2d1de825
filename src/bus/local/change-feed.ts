import { busLimits } from '../limits.ts'
import type { Change, ChangeFeed, StoredChange } from '../port.ts'

/** The source of the entries: `store.changes`. */
export interface ChangeSource {
  /** Entries after a sequence number, oldest first; the newest entry is always kept. */
  after(sequence: number): Promise<readonly StoredChange[]>
  head(): Promise<number>
}

/** The last change that was seen. Without a mark: none yet. */
interface LastChange {
  readonly sequence: number
  readonly mark: string | undefined
}

/**
 * Follows the changes from now on: a write that commits after this resolves is announced. It polls, on PostgreSQL
 * too. Ten look-ups a second by primary key cost next to nothing, keep the promise of 300 ms and survive a lost
 * connection. LISTEN/NOTIFY would need a second way to catch up. Each look-up begins with the change that was seen
 * last: if it is gone, or has another mark, the database went back.
 * @param onError receives a failed poll (it is repeated) and errors of subscribers
 * @throws the error of `source` when it cannot be read at the start
 */
export async function createChangeFeed(
  source: ChangeSource,
  onError: (error: unknown) => void,
): Promise<ChangeFeed> {
  return new PollingFeed(source, onError, await newestOf(source))
}

async function newestOf(source: ChangeSource): Promise<LastChange> {
  const head = await source.head()
  const [newest] = await source.after(head - 1)
  return newest ?? { sequence: head, mark: undefined }
}

class PollingFeed implements ChangeFeed {
  readonly #source: ChangeSource
  readonly #onError: (error: unknown) => void
  readonly #subscribers = new Set<(change: Change) => void>()
  readonly #stop = new AbortController()
  readonly #polling: Promise<void>
  #last: LastChange

  constructor(source: ChangeSource, onError: (error: unknown) => void, last: LastChange) {
    this.#source = source
    this.#onError = onError
    this.#last = last
    this.#polling = this.#poll()
  }

  subscribe(onChange: (change: Change) => void): () => void {
    // One function may subscribe twice, so each subscription is a separate object.
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

  /** @returns whether everything is read for now */
  async #deliver(): Promise<boolean> {
    try {
      const { sequence, mark } = this.#last
      const read = await this.#source.after(mark === undefined ? sequence : sequence - 1)
      if (mark !== undefined && read[0]?.mark !== mark) {
        // Before the subscribers read, so that writes from then on are announced.
        this.#last = await newestOf(this.#source)
        this.#report({ kind: 'everything' })
        return true
      }
      const changes = mark === undefined ? read : read.slice(1)
      for (const change of changes) {
        if (this.#stop.signal.aborted) return true
        this.#last = change
        this.#report(change)
      }
      return changes.length === 0
    } catch (error) {
      this.#onError(error)
      return true
    }
  }

  #report(change: Change): void {
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
