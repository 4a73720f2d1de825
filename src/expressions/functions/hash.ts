import type { Cell } from '../value-type.ts'

/**
 * A stable number for the same values, evenly spread over `width` integers from `first`. It must never change, because
 * rules roll out to shares of the traffic by it.
 */
export function hashInRange(first: number, width: number, values: readonly Cell[]): number {
  let high = 0x811c9dc5
  let low = 0x01000193
  for (const value of values) {
    const text = value === undefined ? '' : String(value)
    for (let at = 0; at < text.length; at++) {
      high = Math.imul(high ^ text.charCodeAt(at), 0x01000193)
      low = Math.imul(low ^ text.charCodeAt(at), 0x85ebca6b)
    }
    // The end of each value counts, and a missing value differs from an empty one.
    high = Math.imul(high ^ text.length, 0xcc9e2d51)
    low = Math.imul(low ^ (value === undefined ? 0xff : text.length), 0xc2b2ae35)
  }
  const fraction = (spread(high ^ low) + (spread(low) >>> 11) / 2 ** 21) / 2 ** 32
  return first + Math.floor(fraction * width)
}

/** Every bit of the input reaches every bit of the output (the finalizer of MurmurHash3). */
function spread(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
