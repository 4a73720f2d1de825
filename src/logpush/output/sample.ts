/** Whether the record with this number is delivered. */
export type Sampler = (sequence: number) => boolean

/**
 * Chooses a share of the records of a partition. The choice depends on partition and number alone, so that a batch
 * that is written again has the same lines.
 * @param rate above 0 and at most 1
 */
export function sampler(rate: number, partition: string): Sampler {
  if (rate >= 1) return () => true
  const seed = textHash(partition)
  const kept = rate * 2 ** 32
  return sequence => mixed(seed ^ mixed(sequence >>> 0) ^ Math.floor(sequence / 2 ** 32)) < kept
}

/** FNV-1a over code units. */
function textHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/**
 * Spreads neighbouring numbers over 32 bits.
 * @source the finalizer of MurmurHash3
 */
function mixed(number: number): number {
  let hash = number
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
