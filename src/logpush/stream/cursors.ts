import type { BatchRange, Cursors } from '../../store/port/delivery.ts'

/** Whether `cursors` equals `other` in every partition of `other`. */
export function isAt(cursors: Cursors, other: Cursors): boolean {
  for (const [partition, sequence] of other) if ((cursors.get(partition) ?? 0) !== sequence) return false
  return true
}

/** The records between two positions, by partition. */
export function rangesBetween(from: Cursors, to: Cursors): readonly BatchRange[] {
  const ranges: BatchRange[] = []
  for (const [partition, last] of to) {
    const first = (from.get(partition) ?? 0) + 1
    if (first <= last) ranges.push({ partition, first, last })
  }
  return ranges.sort((a, b) => (a.partition < b.partition ? -1 : 1))
}

/** The positions at which reading these ranges begins and ends. */
export function cursorsOf(ranges: readonly BatchRange[]): {
  readonly from: Cursors
  readonly until: Cursors
} {
  return {
    from: new Map(ranges.map(({ partition, first }) => [partition, first - 1])),
    until: new Map(ranges.map(({ partition, last }) => [partition, last])),
  }
}

/** The ranges that end at or before these positions. A partition without a position is gone: all of it is passed. */
export function rangesUpTo(ranges: readonly BatchRange[], cursors: Cursors): readonly BatchRange[] {
  return ranges.filter(({ partition, last }) => last <= (cursors.get(partition) ?? Number.POSITIVE_INFINITY))
}
