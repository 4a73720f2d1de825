import type { BatchRange, Cursors } from '../../store/port.ts'

/** Is `cursors` where `other` is, in every partition that `other` knows? */
export function isAt(cursors: Cursors, other: Cursors): boolean {
  for (const [partition, sequence] of other) if ((cursors.get(partition) ?? 0) !== sequence) return false
  return true
}

/** The records between two places, partition by partition. */
export function rangesBetween(from: Cursors, to: Cursors): readonly BatchRange[] {
  const ranges: BatchRange[] = []
  for (const [partition, last] of to) {
    const first = (from.get(partition) ?? 0) + 1
    if (first <= last) ranges.push({ partition, first, last })
  }
  return ranges.sort((a, b) => (a.partition < b.partition ? -1 : 1))
}

/** Where to begin and where to end to read these ranges, and nothing else. */
export function cursorsOf(ranges: readonly BatchRange[]): {
  readonly from: Cursors
  readonly until: Cursors
} {
  return {
    from: new Map(ranges.map(({ partition, first }) => [partition, first - 1])),
    until: new Map(ranges.map(({ partition, last }) => [partition, last])),
  }
}

/** Those of some ranges that end at a place or before it. */
export function rangesUpTo(ranges: readonly BatchRange[], place: Cursors): readonly BatchRange[] {
  return ranges.filter(({ partition, last }) => last <= (place.get(partition) ?? 0))
}
