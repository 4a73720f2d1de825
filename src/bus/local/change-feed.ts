import { backoffMs } from '../../kit/clock.ts'
import { busLimits } from '../limits.ts'
import type { Change, ChangeFeed, StoredChange } from '../port.ts'

/** The source of the entries: `store.changes`. */
export interface ChangeSource {
  /** Entries after a sequence number, oldest first; the newest entry is always kept. */
  after(sequence: number): Promise<readonly StoredChange[]>
  head(): Promise<number>
  /**
   * Calls back when entries may have been committed, and when the connection was lost that brings notices. Absent: the
   * source gives no notices.
   */
  readonly onNotice?: (callback: (reason: 'commit' | 'lost') => void) => void
}

/** The last change that was seen. Without a mark: none yet. */
export interface ChangePosition {
  readonly sequence: number
  readonly mark?: string | undefined
}

/** Takes changes before subscribers hear of them, and remembers the last one across restarts. */
export interface ChangeKeeper {
  /** Undefined: it needs everything. */
  readonly last: ChangePosition | undefined
  /** @throws if it cannot take them now: they come again */
  take(changes: readonly Change[], last: ChangePosition): Promise<void>
}

/**
 * Follows the changes from now on: a write that commits after this resolves is announced. A source that gives notices
 * is read after each notice, and now and then in case one was lost. Any other source is polled ten times a second.
 * Each read begins with the change that was seen last: if it is gone, or has another mark, the database went back.
 * @param onError receives a failed read (it is repeated) and errors of subscribers
 * @param keeper has taken the changes up to now, if the source can be read
 * @throws the error of `source` when it cannot be read at the start, unless the keeper can do without
 */
export async function createChangeFeed(
  source: ChangeSource,
  onError: (error: unknown) => void,
  keeper?: ChangeKeeper,
): Promise<ChangeFeed> {
  if (keeper?.last === undefined) {
    const newest = await newestOf(source)
    await keeper?.take([{ kind: 'everything' }], newest)
    return new SourceFeed(source, onError, newest, keeper)
  }
  const feed = new SourceFeed(source, onError, keeper.last, keeper)
  await feed.hasRead
  return feed
}

async function newestOf(source: ChangeSource): Promise<ChangePosition> {
  const head = await source.head()
  const [newest] = await source.after(head - 1)
  return newest ?? { sequence: head, mark: undefined }
}

class SourceFeed implements ChangeFeed {
  readonly #source: ChangeSource
  readonly #onError: (error: unknown) => void
  readonly #subscribers = new Set<(change: Change) => void>()
  readonly #stop = new AbortController()
  readonly #following: Promise<void>
  readonly #keeper: ChangeKeeper | undefined
  readonly #hasRead = Promise.withResolvers<void>()
  /** Resolves when no more changes are waiting, or after a failed read. */
  readonly hasRead = this.#hasRead.promise
  #last: ChangePosition
  #failures = 0
  /** Whether the source has given notice since the last read began: another read follows at once. */
  #noticed = false
  /** False while changes come without notice, as behind a proxy that does not pass notices on. */
  #givesNotice: boolean
  #wake = (): void => {}

  constructor(
    source: ChangeSource,
    onError: (error: unknown) => void,
    last: ChangePosition,
    keeper: ChangeKeeper | undefined,
  ) {
    this.#source = source
    this.#keeper = keeper
    this.#onError = onError
    this.#last = last
    this.#givesNotice = source.onNotice !== undefined
    source.onNotice?.(reason => {
      this.#noticed = true
      this.#givesNotice ||= reason === 'commit'
      this.#wake()
    })
    this.#following = this.#follow()
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
    this.#wake()
    await this.#following
  }

  async #follow(): Promise<void> {
    // Whether the next read has a reason: a notice, or changes that are left.
    let isExpected = true
    while (!this.#stop.signal.aborted) {
      this.#noticed = false
      try {
        const changes = await this.#read()
        this.#failures = 0
        for (const change of changes) {
          if (this.#stop.signal.aborted) return
          this.#report(change)
        }
        const isOver = changes.length === 0
        if (isOver) this.#hasRead.resolve()
        if (!isOver) this.#givesNotice &&= isExpected
        else await this.#pause(this.#givesNotice ? busLimits.changeCheckMs : busLimits.changePollMs)
        isExpected = !isOver || this.#noticed
      } catch (error) {
        this.#failures++
        this.#onError(error)
        this.#hasRead.resolve()
        await this.#pause(backoffMs(retry, this.#failures))
        isExpected = true
      }
    }
  }

  /** The changes since the last one, which they replace. */
  async #read(): Promise<readonly Change[]> {
    const { sequence, mark } = this.#last
    const read = await this.#source.after(mark === undefined ? sequence : sequence - 1)
    if (mark !== undefined && read[0]?.mark !== mark) {
      // Before the subscribers read, so that writes from then on are announced.
      return this.#taken([{ kind: 'everything' }], await newestOf(this.#source))
    }
    const changes = mark === undefined ? read : read.slice(1)
    const newest = changes.at(-1)
    return newest === undefined ? [] : this.#taken(changes, newest)
  }

  async #taken(changes: readonly Change[], last: ChangePosition): Promise<readonly Change[]> {
    await this.#keeper?.take(changes, { sequence: last.sequence, mark: last.mark })
    this.#last = last
    return changes
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

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      if (this.#noticed || this.#stop.signal.aborted) return resolve()
      const timer = setTimeout(() => this.#wake(), ms)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = () => {}
        resolve()
      }
    })
  }
}

const retry = { firstMs: busLimits.changePollMs, longestMs: 5000 } as const
