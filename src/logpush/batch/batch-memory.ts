/**
 * The memory for the batches of all jobs and replays of a process. A job ends its batch in two cases:
 *
 * - all batches that are collected use a quarter of the memory, and its own uses an equal share of that quarter
 * - all batches, also those in upload, use half of the memory, and its own use an equal share of that half
 *
 * So a job with less than its share never waits for another one, also while destinations do not answer: the other half is
 * for such jobs. All together never use more than the whole, apart from the piece of text that each job compresses.
 */
export class BatchMemory {
  readonly #bytes: number
  readonly #all = new Shared()
  readonly #collected = new Shared()

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** For a job, or a replay. */
  account(): MemoryAccount {
    return new MemoryAccount(this.#all, this.#collected, this.#bytes)
  }
}

/** The sum of the bytes of several holders. */
class Shared {
  #bytes = 0
  /** So many have more than none. */
  #holders = 0

  change(before: number, after: number): void {
    this.#bytes += after - before
    this.#holders += Number(after > 0) - Number(before > 0)
  }

  /** Whether all have reached the limit, and a holder of so much its share. */
  isReached(limit: number, held: number): boolean {
    return this.#bytes >= limit && held >= limit / this.#holders
  }
}

/** The memory of a job or a replay. */
export class MemoryAccount {
  readonly #sharedAll: Shared
  readonly #sharedCollected: Shared
  readonly #limit: number
  #all = 0
  #collected = 0

  constructor(all: Shared, collected: Shared, limit: number) {
    this.#sharedAll = all
    this.#sharedCollected = collected
    this.#limit = limit
  }

  /** Whether the batch that is collected has to end now. */
  get isOver(): boolean {
    return (
      this.#collected > 0 &&
      (this.#sharedCollected.isReached(this.#limit / 4, this.#collected) ||
        this.#sharedAll.isReached(this.#limit / 2, this.#all))
    )
  }

  hold(): Holding {
    return new Holding((bytes, collectedBytes) => {
      this.#sharedAll.change(this.#all, this.#all + bytes)
      this.#all += bytes
      this.#sharedCollected.change(this.#collected, this.#collected + collectedBytes)
      this.#collected += collectedBytes
    })
  }
}

/** The memory of one batch. */
export class Holding {
  readonly #add: (bytes: number, collectedBytes: number) => void
  #bytes = 0
  #state: 'collected' | 'complete' | 'ended' = 'collected'

  constructor(add: (bytes: number, collectedBytes: number) => void) {
    this.#add = add
  }

  /** @param bytes negative when some are free again */
  add(bytes: number): void {
    if (this.#state === 'ended') return
    this.#bytes += bytes
    this.#add(bytes, this.#state === 'collected' ? bytes : 0)
  }

  /** No lines are added to the batch any more. */
  complete(): void {
    if (this.#state !== 'collected') return
    this.#state = 'complete'
    this.#add(0, -this.#bytes)
  }

  /** All of it is free; further calls do nothing. */
  end(): void {
    this.complete()
    this.add(-this.#bytes)
    this.#state = 'ended'
  }
}
