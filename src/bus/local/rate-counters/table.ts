import { randomFillSync } from 'node:crypto'

/**
 * The layout of counts in the memory that all threads share: a secret for the hash of keys, a lock for each bucket,
 * and buckets of entries. A key belongs to one bucket and may be in any entry of it.
 */
export interface RateTable {
  /** Secret of the hash. */
  readonly secret: Uint32Array
  /** 0, or the ticket of the thread that has locked the bucket. */
  readonly locks: Int32Array
  /** Hashes of keys, four words for each entry. */
  readonly hashes: Uint32Array
  /** `numbersOf` for each entry. An unused entry counts as one that has ended. */
  readonly numbers: Float64Array
  /** A power of two. */
  readonly buckets: number
}

export const entriesPerBucket = 16
export const wordsOfHash = 4

/** Indexes of an entry's numbers: the count of its period, the end of the period, and the end of the mitigation. */
export const numbersOf = 3
export const countAt = 0
export const periodEndAt = 1
export const limitedUntilAt = 2

const secretBytes = 16

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
  const memory = new SharedArrayBuffer(secretBytes + buckets * bucketBytes)
  new Uint8Array(memory).set(secret)
  return memory
}

/** A lock takes eight bytes, so that the numbers behind the locks are aligned. */
const bucketBytes = 8 + entriesPerBucket * (wordsOfHash * 4 + numbersOf * 8)

export function rateTableIn(memory: SharedArrayBuffer): RateTable {
  const buckets = (memory.byteLength - secretBytes) / bucketBytes
  const entries = buckets * entriesPerBucket
  const hashesAt = secretBytes + buckets * 8
  return {
    secret: new Uint32Array(memory, 0, secretBytes / 4),
    locks: new Int32Array(memory, secretBytes, buckets * 2),
    hashes: new Uint32Array(memory, hashesAt, entries * wordsOfHash),
    numbers: new Float64Array(memory, hashesAt + entries * wordsOfHash * 4, entries * numbersOf),
    buckets,
  }
}
