/**
 * Sets of rules: one bit per rule, by index. Plain arrays of 30 bits a word: small integers need no box, and the array
 * is cheaper to make than a typed one. Every request makes some.
 */
export type RuleBits = number[]

const wordBits = 30

/** The last empty set: a copy takes a fraction of the time. */
let noRules: RuleBits = []

export function newRuleBits(rules: number): RuleBits {
  const words = Math.ceil(rules / wordBits)
  if (words !== noRules.length) noRules = new Array<number>(words).fill(0)
  return noRules.slice()
}

export function addRule(bits: RuleBits, index: number): void {
  const word = (index / wordBits) | 0
  bits[word]! |= 1 << (index - word * wordBits)
}

export function hasRule(bits: RuleBits, index: number): boolean {
  const word = (index / wordBits) | 0
  return (bits[word]! & (1 << (index - word * wordBits))) !== 0
}

export function addRules(bits: RuleBits, more: RuleBits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! |= more[word]!
}

export function deleteRules(bits: RuleBits, fewer: RuleBits): void {
  for (let word = 0; word < bits.length; word++) bits[word]! &= ~fewer[word]!
}

/** Whether there is a member with `from` ≤ index < `end`. */
export function hasRuleBetween(bits: RuleBits, from: number, end: number): boolean {
  for (let index = from; index < end; index++) if (hasRule(bits, index)) return true
  return false
}

export function countRules(bits: RuleBits): number {
  let count = 0
  for (const word of bits) for (let left = word; left !== 0; left &= left - 1) count++
  return count
}

/**
 * The lowest index from `from` on that is in `of`, and in `some` or in both of `others` and `ofOthers`; -1 without one.
 */
export function nextOf(
  from: number,
  of: RuleBits,
  some: RuleBits,
  others: RuleBits,
  ofOthers: RuleBits,
): number {
  let word = (from / wordBits) | 0
  let mask = -1 << (from - word * wordBits)
  for (; word < of.length; word++) {
    const bits = (some[word]! | (others[word]! & ofOthers[word]!)) & of[word]! & mask
    if (bits !== 0) return word * wordBits + 31 - Math.clz32(bits & -bits)
    mask = -1
  }
  return -1
}
