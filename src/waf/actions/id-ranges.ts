/** Both ends included. */
export type IdRange = readonly [number, number]

/**
 * Reads `942100`, `942100-942199`, or several of them separated by blanks or commas.
 * @returns undefined if some piece is neither
 */
export function parseIdRanges(text: string): IdRange[] | undefined {
  const ranges: IdRange[] = []
  for (const piece of text.split(/[\s,]+/)) {
    if (piece === '') continue
    const found = /^([0-9]{1,10})(?:-([0-9]{1,10}))?$/.exec(piece)
    if (found === null) return undefined
    const from = Number(found[1])
    ranges.push([from, found[2] === undefined ? from : Number(found[2])])
  }
  return ranges.length === 0 ? undefined : ranges
}

export function inRanges(id: number, ranges: readonly IdRange[]): boolean {
  for (const [from, to] of ranges) if (id >= from && id <= to) return true
  return false
}
