import { acquire, newTicket, release } from './lock.ts'
import {
  bucketOf,
  countAt,
  endMsOf,
  entriesPerBucket,
  entryOf,
  limitedUntilAt,
  numbersOf,
  othersAt,
  periodAt,
  periodEndAt,
  type RateTable,
  rateTableIn,
  soonestOf,
  wordsOfHash,
} from './table.ts'

/** A count of this machine, for the others. Times are the machine's own, ms since the epoch. */
export interface OwnCount {
  /** Of the key; the same on machines whose memory has the same secret. */
  readonly hash: Uint32Array
  readonly count: number
  readonly periodMs: number
  readonly periodEndMs: number
  /** The same as the server has told it, in the server's time; 0: it has not. */
  readonly sharedEndMs: number
  /** 0: not limited. */
  readonly limitedUntilMs: number
}

/** The state of a key on all machines together. */
export interface SharedCount {
  /** Of all other machines, in the same period. */
  readonly others: number
  /** In the machine's time. */
  readonly periodEndMs: number
  /** The same in the server's time. 0: the server has a later period. */
  readonly sharedEndMs: number
  readonly limitedUntilMs: number
}

/**
 * The other side of `LocalRateCounters`: takes the counts that have changed out of their memory, and puts in what other
 * machines have counted. One for each memory.
 */
export class CountExchange {
  readonly #table: RateTable
  readonly #ticket = newTicket()
  /** Where the next `take` begins, so that no bucket waits for others. */
  #bucket = 0

  constructor(memory: SharedArrayBuffer) {
    this.#table = rateTableIn(memory)
  }

  /** Resolves when a count is near its limit, or after `ms`. */
  async nearLimit(ms: number): Promise<void> {
    await Atomics.waitAsync(this.#table.signal, 0, 0, ms).value
  }

  /** Ends `nearLimit`. */
  wake(): void {
    Atomics.store(this.#table.signal, 0, 1)
    Atomics.notify(this.#table.signal, 0)
  }

  /**
   * Counts that have changed since they were taken before, at most about `max`: the others come next. Each call looks at
   * every bucket.
   */
  take(max: number, nowMs: number): readonly OwnCount[] {
    const { locks, buckets, signal } = this.#table
    Atomics.store(signal, 0, 0)
    const taken: OwnCount[] = []
    let next = this.#bucket
    for (let looked = 0; looked < buckets && taken.length < max; looked++) {
      const bucket = next
      next = (bucket + 1) & (buckets - 1)
      if (locks[bucket * 2 + 1] === 0) continue
      this.#locked(bucket, () => {
        const changed = locks[bucket * 2 + 1]!
        locks[bucket * 2 + 1] = 0
        for (let at = 0; at < entriesPerBucket; at++)
          if ((changed & (1 << at)) !== 0) {
            const entry = bucket * entriesPerBucket + at
            if (endMsOf(this.#table, entry) > nowMs) taken.push(this.#read(entry))
          }
      })
    }
    this.#bucket = next
    return taken
  }

  /** All counts that have not ended come again, with no end of the server: others may have lost them, or be others. */
  retakeAll(nowMs: number): void {
    const { locks, buckets, numbers, sharedEnds } = this.#table
    sharedEnds.fill(0)
    for (let bucket = 0; bucket < buckets; bucket++) {
      let live = 0
      for (let at = 0; at < entriesPerBucket; at++) {
        const entry = bucket * entriesPerBucket + at
        const isOwn = numbers[entry * numbersOf + countAt]! > 0
        if (isOwn && endMsOf(this.#table, entry) > nowMs) live |= 1 << at
      }
      if (live !== 0)
        this.#locked(bucket, () => {
          locks[bucket * 2 + 1] = locks[bucket * 2 + 1]! | live
        })
    }
  }

  /** Notes the answer of the others, unless the count has begun another period meanwhile. */
  put({ hash, periodEndMs }: OwnCount, shared: SharedCount): void {
    const { numbers, sharedEnds } = this.#table
    this.#atEntry(hash, entry => {
      if (entry < 0) return
      const at = entry * numbersOf
      if (numbers[at + periodEndAt] === periodEndMs) {
        numbers[at + othersAt] = shared.others
        // The period that began first is the period of all. The end is converted once, so that delays do not add up.
        if (shared.sharedEndMs !== sharedEnds[entry])
          numbers[at + periodEndAt] = Math.min(periodEndMs, shared.periodEndMs)
        sharedEnds[entry] = shared.sharedEndMs
      }
      numbers[at + limitedUntilAt] = Math.max(numbers[at + limitedUntilAt]!, shared.limitedUntilMs)
    })
  }

  /** Limits a key that another machine has limited. This one may not have counted it. */
  limit(hash: Uint32Array, untilMs: number): void {
    const table = this.#table
    const { hashes, numbers, sharedEnds } = table
    this.#atEntry(hash, (known, first) => {
      const entry = known < 0 ? soonestOf(table, first) : known
      const at = entry * numbersOf
      if (known < 0) {
        hashes.set(hash, entry * wordsOfHash)
        numbers.fill(0, at, at + numbersOf)
        sharedEnds[entry] = 0
      }
      numbers[at + limitedUntilAt] = Math.max(numbers[at + limitedUntilAt]!, untilMs)
    })
  }

  #read(entry: number): OwnCount {
    const { hashes, numbers, sharedEnds } = this.#table
    const at = entry * numbersOf
    return {
      // A copy, not shared.
      hash: new Uint32Array(hashes.subarray(entry * wordsOfHash, (entry + 1) * wordsOfHash)),
      count: numbers[at + countAt]!,
      periodMs: numbers[at + periodAt]!,
      periodEndMs: numbers[at + periodEndAt]!,
      sharedEndMs: sharedEnds[entry]!,
      limitedUntilMs: numbers[at + limitedUntilAt]!,
    }
  }

  #atEntry(hash: Uint32Array, change: (entry: number, first: number) => void): void {
    const bucket = bucketOf(this.#table, hash)
    const first = bucket * entriesPerBucket
    this.#locked(bucket, () => change(entryOf(this.#table, first, hash), first))
  }

  #locked(bucket: number, change: () => void): void {
    const { locks } = this.#table
    acquire(locks, bucket * 2, this.#ticket)
    try {
      change()
    } finally {
      release(locks, bucket * 2, this.#ticket)
    }
  }
}
