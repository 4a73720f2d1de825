import { sipHash128 } from '../../../kit/sip-hash.ts'
import { busLimits } from '../../limits.ts'
import type { RateCounters, RateLimit, RateState } from '../../port.ts'
import { acquire, newTicket, release } from './lock.ts'
import {
  bucketOf,
  countAt,
  endMsOf,
  entriesPerBucket,
  entryOf,
  limitedUntilAt,
  newRateTable,
  numbersOf,
  othersAt,
  periodAt,
  periodEndAt,
  type RateTable,
  rateTableIn,
  soonestOf,
  wordsOfHash,
} from './table.ts'

/**
 * Memory for the counters of one machine; allocated once and given to every thread that counts.
 * @param secret of `newRateSecret`, for memory that exchanges counts with another process
 */
export function newRateMemory(secret?: Uint8Array): SharedArrayBuffer {
  return newRateTable(busLimits.rateCountersMax, secret)
}

/** Counts on their way from one memory to another with the same secret: entries as in the table. */
export interface RateCounts {
  readonly hashes: Uint32Array
  readonly numbers: Float64Array
}

/** How far a thread's time may lag behind another's: an end may exceed its limit by this much. */
const threadLagMs = 1000

const notLimited: RateState = { limited: false, untilMs: 0 }

/** A count that has reached this part of its maximum is told to other machines at once. */
const nearShare = 0.5

/**
 * Counters in memory that threads share, exact over all of them. A call takes about a microsecond and, while the key
 * is not limited, allocates nothing. Keys are identified by 128 bits of a keyed hash. `CountExchange` shares them with
 * other machines.
 */
export class LocalRateCounters implements RateCounters {
  readonly #table: RateTable
  readonly #ticket = newTicket()
  readonly #hash = new Uint32Array(wordsOfHash)
  #displaced = 0

  /** @param memory from `newRateMemory`; existing counts continue */
  constructor(memory: SharedArrayBuffer) {
    this.#table = rateTableIn(memory)
  }

  /** Counts that this thread dropped before their end because the table was full. */
  get displaced(): number {
    return this.#displaced
  }

  count(key: string, amount: number, limit: RateLimit, nowMs: number): RateState {
    const { secret, locks } = this.#table
    sipHash128(secret, key, this.#hash)
    // The same key with other times is another count: the old end would not fit the new times.
    this.#hash[2] = this.#hash[2]! ^ limit.periodMs
    this.#hash[3] = this.#hash[3]! ^ limit.mitigationMs
    const bucket = bucketOf(this.#table, this.#hash)
    acquire(locks, bucket * 2, this.#ticket)
    try {
      return this.#countInBucket(bucket * entriesPerBucket, amount, limit, nowMs)
    } finally {
      release(locks, bucket * 2, this.#ticket)
    }
  }

  /** The counts that have not ended. Reads without locks: a count that changes at this moment may be wrong. */
  live(nowMs: number): RateCounts {
    const { hashes, numbers, buckets } = this.#table
    const entries: number[] = []
    for (let entry = 0; entry < buckets * entriesPerBucket; entry++)
      if (endMsOf(this.#table, entry) > nowMs) entries.push(entry)
    const counts = {
      hashes: new Uint32Array(entries.length * wordsOfHash),
      numbers: new Float64Array(entries.length * numbersOf),
    }
    for (const [to, from] of entries.entries()) {
      counts.hashes.set(hashes.subarray(from * wordsOfHash, (from + 1) * wordsOfHash), to * wordsOfHash)
      counts.numbers.set(numbers.subarray(from * numbersOf, (from + 1) * numbersOf), to * numbersOf)
    }
    return counts
  }

  /** Adds counts of `live`, whose periods began before those of this memory. */
  add({ hashes, numbers }: RateCounts, nowMs: number): void {
    const { locks } = this.#table
    for (let from = 0; from < hashes.length / wordsOfHash; from++) {
      this.#hash.set(hashes.subarray(from * wordsOfHash, (from + 1) * wordsOfHash))
      const bucket = bucketOf(this.#table, this.#hash)
      acquire(locks, bucket * 2, this.#ticket)
      try {
        this.#join(
          bucket * entriesPerBucket,
          numbers.subarray(from * numbersOf, (from + 1) * numbersOf),
          nowMs,
        )
      } finally {
        release(locks, bucket * 2, this.#ticket)
      }
    }
  }

  /** The process that has counted them reports them to other machines itself, so they count here as those of others. */
  #join(first: number, earlier: Float64Array, nowMs: number): void {
    const table = this.#table
    const { hashes, numbers, sharedEnds } = table
    const sum = earlier[countAt]! + earlier[othersAt]!
    const known = entryOf(table, first, this.#hash)
    const entry = known < 0 ? this.#entryIn(first, nowMs) : known
    const at = entry * numbersOf
    if (known < 0 || endMsOf(table, known) <= nowMs) {
      hashes.set(this.#hash, entry * wordsOfHash)
      numbers.set(earlier, at)
      numbers[at + countAt] = 0
      numbers[at + othersAt] = sum
      sharedEnds[entry] = 0
      return
    }
    const isOver = earlier[periodEndAt]! <= nowMs
    if (!isOver) {
      numbers[at + othersAt] = Math.max(numbers[at + othersAt]!, sum)
      numbers[at + periodEndAt] = earlier[periodEndAt]!
      sharedEnds[entry] = 0
    }
    numbers[at + limitedUntilAt] = Math.max(numbers[at + limitedUntilAt]!, earlier[limitedUntilAt]!)
  }

  #countInBucket(first: number, amount: number, limit: RateLimit, nowMs: number): RateState {
    let entry = entryOf(this.#table, first, this.#hash)
    const known = entry >= 0 && this.#isLive(entry, limit, nowMs)
    if (!known) {
      if (amount === 0) return notLimited
      if (entry < 0) entry = this.#entryIn(first, nowMs)
      this.#begin(entry, limit, nowMs)
    }
    return this.#add(entry, amount, limit, nowMs)
  }

  /** An end that is much later than the limit allows belongs to a clock that was set back. */
  #isLive(entry: number, { periodMs, mitigationMs }: RateLimit, nowMs: number): boolean {
    const { numbers } = this.#table
    const at = entry * numbersOf
    const periodLeftMs = numbers[at + periodEndAt]! - nowMs
    const limitedLeftMs = numbers[at + limitedUntilAt]! - nowMs
    if (periodLeftMs > periodMs + threadLagMs) return false
    if (limitedLeftMs > Math.max(periodMs, mitigationMs) + threadLagMs) return false
    return periodLeftMs > 0 || limitedLeftMs > 0
  }

  /** An entry that has ended, or else the one that ends soonest. */
  #entryIn(first: number, nowMs: number): number {
    const soonest = soonestOf(this.#table, first)
    if (endMsOf(this.#table, soonest) > nowMs) this.#displaced++
    return soonest
  }

  #begin(entry: number, { periodMs }: RateLimit, nowMs: number): void {
    const { hashes, numbers, sharedEnds } = this.#table
    hashes.set(this.#hash, entry * wordsOfHash)
    sharedEnds[entry] = 0
    const at = entry * numbersOf
    numbers[at + countAt] = 0
    numbers[at + othersAt] = 0
    numbers[at + periodAt] = periodMs
    numbers[at + periodEndAt] = nowMs + periodMs
    numbers[at + limitedUntilAt] = 0
  }

  /** The key's period may be over while the key is still limited: a new period begins after that. */
  #add(entry: number, amount: number, { max, mitigationMs }: RateLimit, nowMs: number): RateState {
    const { numbers } = this.#table
    const at = entry * numbersOf
    const own = numbers[at + countAt]! + amount
    numbers[at + countAt] = own
    const limitedUntilMs = numbers[at + limitedUntilAt]!
    if (limitedUntilMs > nowMs) return { limited: true, untilMs: limitedUntilMs }
    if (amount === 0) return notLimited
    const count = own + numbers[at + othersAt]!
    this.#tellOthers(entry, count >= max * nearShare)
    if (count <= max) return notLimited
    const untilMs = mitigationMs === 0 ? numbers[at + periodEndAt]! : nowMs + mitigationMs
    numbers[at + limitedUntilAt] = untilMs
    return { limited: true, untilMs }
  }

  /** Counts of a limited key change nothing, so only those before it are told. */
  #tellOthers(entry: number, soon: boolean): void {
    const { locks, signal } = this.#table
    const bucket = Math.floor(entry / entriesPerBucket)
    locks[bucket * 2 + 1] = locks[bucket * 2 + 1]! | (1 << (entry % entriesPerBucket))
    if (soon && Atomics.load(signal, 0) === 0 && Atomics.exchange(signal, 0, 1) === 0)
      Atomics.notify(signal, 0)
  }
}
