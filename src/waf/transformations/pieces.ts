import { wafLimits } from '../limits.ts'

/**
 * Finds a position where a value can be cut: transforming the two parts and joining the results equals transforming the
 * whole.
 * @param from such a position, or the beginning
 * @param searched there is none from `from` up to here, so that no byte is read twice
 * @param at the wanted position
 * @returns the last such position up to `at`; `from` if there is none after it
 */
export type Seam = (value: string, from: number, searched: number, at: number) => number

/**
 * Applies a transformation to a long value piece by piece, with a pause after each.
 * @returns `value` itself if nothing changed
 */
export function* inPieces(
  apply: (piece: string) => string,
  seam: Seam,
  value: string,
  bytes: number = wafLimits.sliceBytes,
): Generator<void, string, void> {
  const pieces: string[] = []
  let changed = false
  let from = 0
  let searched = 0
  for (let at = bytes; from < value.length; at += bytes) {
    const end = at < value.length ? seam(value, from, searched, at) : value.length
    if (end > from) {
      const piece = value.slice(from, end)
      const after = apply(piece)
      if (after !== piece) changed = true
      pieces.push(after)
      from = end
      searched = end
    } else searched = at
    if (from < value.length) yield
  }
  return changed ? pieces.join('') : value
}
