import { sipHash128 } from '../../../kit/sip-hash.ts'
import { busLimits } from '../../limits.ts'
import type { RateCounters, RateLimit, RateState } from '../../port.ts'
import { acquire, newTicket, release } from './lock.ts'
import {
  countAt,
  entriesPerBucket,
  limitedUntilAt,
  newRateTable,
  numbersOf,
  periodEndAt,
  type RateTable,
  rateTableIn,
  wordsOfHash,
} from './table.ts'

/** Memory for the counters of one machine; allocated once and given to every thread that counts. */
export function newRateMemory(): SharedArrayBuffer {
  return newRateTable(busLimits.rateCountersMax)
}

/** How far a thread's time may lag behind another's: an end may exceed its limit by this much. */
const lateMsMax = 1000

const notLimited: RateState = { limited: false, untilMs: 0 }

/**
 * Counters in memory that threads share, exact over all of them. A call takes about a microsecond and, while the key
 * is not limited, allocates nothing. Keys are identified by 128 bits of a keyed hash.
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
    const { secret, locks, buckets } = this.#table
    sipHash128(secret, key, this.#hash)
    const bucket = this.#hash[0]! & (buckets - 1)
    acquire(locks, bucket * 2, this.#ticket)
    try {
      return this.#countInBucket(bucket * entriesPerBucket, amount, limit, nowMs)
    } finally {
      release(locks, bucket * 2, this.#ticket)
    }
  }

  #countInBucket(first: number, amount: number, limit: RateLimit, nowMs: number): RateState {
    let entry = this.#find(first)
    const known = entry >= 0 && this.#isLive(entry, limit, nowMs)
    if (!known) {
      if (amount === 0) return notLimited
      if (entry < 0) entry = this.#entryIn(first, nowMs)
      this.#begin(entry, nowMs + limit.periodMs)
    }
    return this.#add(entry, amount, limit, nowMs)
  }

  /** The entry of the hash, live or not; -1 when there is none. */
  #find(first: number): number {
    const { hashes } = this.#table
    const hash = this.#hash
    for (let entry = first; entry < first + entriesPerBucket; entry++) {
      const at = entry * wordsOfHash
      if (
        hashes[at] === hash[0] &&
        hashes[at + 1] === hash[1] &&
        hashes[at + 2] === hash[2] &&
        hashes[at + 3] === hash[3]
      )
        return entry
    }
    return -1
  }

  /** An end that is much later than the limit allows belongs to another limit, or to a clock that was set back. */
  #isLive(entry: number, { periodMs, mitigationMs }: RateLimit, nowMs: number): boolean {
    const { numbers } = this.#table
    const at = entry * numbersOf
    const periodLeftMs = numbers[at + periodEndAt]! - nowMs
    const limitedLeftMs = numbers[at + limitedUntilAt]! - nowMs
    if (periodLeftMs > periodMs + lateMsMax) return false
    if (limitedLeftMs > Math.max(periodMs, mitigationMs) + lateMsMax) return false
    return periodLeftMs > 0 || limitedLeftMs > 0
  }

  /** An entry that has ended, or else the one that ends soonest. */
  #entryIn(first: number, nowMs: number): number {
    const { numbers } = this.#table
    let soonest = first
    let soonestMs = Infinity
    for (let entry = first; entry < first + entriesPerBucket; entry++) {
      const at = entry * numbersOf
      const endMs = Math.max(numbers[at + periodEndAt]!, numbers[at + limitedUntilAt]!)
      if (endMs < soonestMs) {
        soonest = entry
        soonestMs = endMs
      }
    }
    if (soonestMs > nowMs) this.#displaced++
    return soonest
  }

  #begin(entry: number, periodEndMs: number): void {
    const { hashes, numbers } = this.#table
    hashes.set(this.#hash, entry * wordsOfHash)
    const at = entry * numbersOf
    numbers[at + countAt] = 0
    numbers[at + periodEndAt] = periodEndMs
    numbers[at + limitedUntilAt] = 0
  }

  /** The key's period may be over while the key is still limited: a new period begins after that. */
  #add(entry: number, amount: number, { max, mitigationMs }: RateLimit, nowMs: number): RateState {
    const { numbers } = this.#table
    const at = entry * numbersOf
    const count = numbers[at + countAt]! + amount
    numbers[at + countAt] = count
    const limitedUntilMs = numbers[at + limitedUntilAt]!
    if (limitedUntilMs > nowMs) return { limited: true, untilMs: limitedUntilMs }
    if (amount === 0 || count <= max) return notLimited
    const untilMs = mitigationMs === 0 ? numbers[at + periodEndAt]! : nowMs + mitigationMs
    numbers[at + limitedUntilAt] = untilMs
    return { limited: true, untilMs }
  }
}
