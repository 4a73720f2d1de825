import { randomFillSync } from 'node:crypto'

/**
 * The layout of counts in the memory that all threads share: a secret for the hash of keys, a signal, a lock for each
 * bucket, and buckets of entries. A key belongs to one bucket and may be in any entry of it.
 */
export interface RateTable {
  /** Secret of the hash. */
  readonly secret: Uint32Array
  /** One word: 0 while a thread waits for a count near its limit (`CountExchange`). */
  readonly signal: Int32Array
  /**
   * Two words for each bucket: 0 or the ticket of the thread that has locked it, and a bit for each entry whose state
   * other machines do not know.
   */
  readonly locks: Int32Array
  /** Hashes of keys, four words for each entry. */
  readonly hashes: Uint32Array
  /** `numbersOf` for each entry. An unused entry counts as one that has ended. */
  readonly numbers: Float64Array
  /**
   * For each entry, the end of its period in the time of the server that machines share counts through, ms since the
   * epoch. 0: the server has not told it.
   */
  readonly sharedEnds: Float64Array
  /** A power of two. */
  readonly buckets: number
}

export const entriesPerBucket = 16
export const wordsOfHash = 4

/**
 * Indexes of an entry's numbers: the counts of its period on this machine and on others, the length and end of the
 * period, the end of the mitigation.
 */
export const numbersOf = 5
export const countAt = 0
export const othersAt = 1
export const periodAt = 2
export const periodEndAt = 3
export const limitedUntilAt = 4

const secretBytes = 16
/** The signal takes eight bytes, so that the numbers are aligned. */
const headBytes = secretBytes + 8

/** @returns a secret for `newRateTable` */
export function newRateSecret(): Uint8Array {
  return randomFillSync(new Uint8Array(secretBytes))
}

/**
 * Memory for at most this many counts at once, all empty.
 * @param secret tables with the same one can exchange counts
 */
export function newRateTable(entriesMax: number, secret = newRateSecret()): SharedArrayBuffer {
  const buckets = 2 ** Math.max(0, Math.floor(Math.log2(entriesMax / entriesPerBucket)))
  const memory = new SharedArrayBuffer(headBytes + buckets * bucketBytes)
  new Uint8Array(memory).set(secret)
  rateTableIn(memory).signal[0] = 1
  return memory
}

const bucketBytes = 8 + entriesPerBucket * (wordsOfHash * 4 + numbersOf * 8 + 8)

export function rateTableIn(memory: SharedArrayBuffer): RateTable {
  const buckets = (memory.byteLength - headBytes) / bucketBytes
  const entries = buckets * entriesPerBucket
  const hashesAt = headBytes + buckets * 8
  const numbersFrom = hashesAt + entries * wordsOfHash * 4
  return {
    secret: new Uint32Array(memory, 0, secretBytes / 4),
    signal: new Int32Array(memory, secretBytes, 1),
    locks: new Int32Array(memory, headBytes, buckets * 2),
    hashes: new Uint32Array(memory, hashesAt, entries * wordsOfHash),
    numbers: new Float64Array(memory, numbersFrom, entries * numbersOf),
    sharedEnds: new Float64Array(memory, numbersFrom + entries * numbersOf * 8, entries),
    buckets,
  }
}

/** The entry in this bucket of the hash of a key, live or not; -1 when there is none. @param first entry of the bucket */
export function entryOf({ hashes }: RateTable, first: number, hash: Uint32Array): number {
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

export function bucketOf({ buckets }: RateTable, hash: Uint32Array): number {
  return hash[0]! & (buckets - 1)
}

/** When an entry has ended: its period, and its mitigation. 0 for one that was never used. */
export function endMsOf({ numbers }: RateTable, entry: number): number {
  const at = entry * numbersOf
  return Math.max(numbers[at + periodEndAt]!, numbers[at + limitedUntilAt]!)
}

/** Of a bucket, the entry that ends soonest, or has ended. */
export function soonestOf(table: RateTable, first: number): number {
  let soonest = first
  let soonestMs = Infinity
  for (let entry = first; entry < first + entriesPerBucket; entry++) {
    const endMs = endMsOf(table, entry)
    if (endMs < soonestMs) {
      soonest = entry
      soonestMs = endMs
    }
  }
  return soonest
}
