import { remembered } from './remembered.ts'

/** A set of characters: first and last code points in turn, ascending, with gaps between them. Immutable. */
export type CodeSet = readonly number[]

export const noCharacters: CodeSet = []
/** All but surrogates. */
export const allCharacters: CodeSet = [0, 0xd7ff, 0xe000, 0x10ffff]

export function codeRange(first: number, last: number): CodeSet {
  return [first, last]
}

/** O(n log n) in the number of ranges. */
export function unionOf(sets: readonly CodeSet[]): CodeSet {
  const ranges = sets.flatMap(set =>
    Array.from({ length: set.length / 2 }, (_, at) => [set[2 * at]!, set[2 * at + 1]!] as const),
  )
  ranges.sort((a, b) => a[0] - b[0])
  const union: number[] = []
  for (const [first, last] of ranges) {
    const reach = union.at(-1)
    if (reach !== undefined && first <= reach + 1) union[union.length - 1] = Math.max(reach, last)
    else union.push(first, last)
  }
  return union
}

export function intersectionOf(a: CodeSet, b: CodeSet): CodeSet {
  const both: number[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const first = Math.max(a[i]!, b[j]!)
    const last = Math.min(a[i + 1]!, b[j + 1]!)
    if (first <= last) both.push(first, last)
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return both
}

/** All other characters. */
export const complementOf: (set: CodeSet) => CodeSet = remembered(set => {
  const gaps: number[] = []
  let next = 0
  for (let at = 0; at < set.length; at += 2) {
    if (set[at]! > next) gaps.push(next, set[at]! - 1)
    next = set[at + 1]! + 1
  }
  if (next <= 0x10ffff) gaps.push(next, 0x10ffff)
  return intersectionOf(gaps, allCharacters)
})

export function hasCode(set: CodeSet, code: number): boolean {
  let low = 0
  let high = set.length / 2
  while (low < high) {
    const middle = (low + high) >> 1
    if (set[2 * middle + 1]! < code) low = middle + 1
    else high = middle
  }
  return 2 * low < set.length && set[2 * low]! <= code
}
