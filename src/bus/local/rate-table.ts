import { randomFillSync } from 'node:crypto'

/**
 * How counts lie in the memory that all threads share: a secret for the hash of keys, a lock a bucket, and buckets of
 * entries. A key belongs to one bucket and may lie anywhere in it.
 */
export interface RateTable {
  /** Secret of the hash. */
  readonly secret: Uint32Array
  /** 0, or the ticket of the thread that holds the bucket. */
  readonly locks: Int32Array
  /** Hashes of keys, four words an entry. */
  readonly hashes: Uint32Array
  /** `numbersOf` an entry. An entry that was never used is one that has ended. */
  readonly numbers: Float64Array
  /** A power of two. */
  readonly buckets: number
}

export const entriesPerBucket = 16
export const wordsOfHash = 4

/** Places of an entry's numbers: the count of its period, when that ends, and how long the key is limited. */
export const numbersOf = 3
export const countAt = 0
export const periodEndAt = 1
export const limitedUntilAt = 2

const secretBytes = 16

/** Memory for at most so many counts at once, all of it empty. */
export function newRateTable(entriesMax: number): SharedArrayBuffer {
  const buckets = 2 ** Math.max(0, Math.floor(Math.log2(entriesMax / entriesPerBucket)))
  const memory = new SharedArrayBuffer(secretBytes + buckets * bucketBytes)
  // Random bytes are written to memory of one's own only.
  new Uint8Array(memory).set(randomFillSync(new Uint8Array(secretBytes)))
  return memory
}

/** A lock takes eight bytes, so that the numbers behind the locks lie where such numbers may. */
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
