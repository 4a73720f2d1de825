import { type ByteSet, wordBytes } from '../byte-set.ts'
import type { Assertion } from '../syntax/ast.ts'

/** The neighbour at one side of a position: the end of the input, a line feed, a word byte or another byte. */
export const edge = 0
export const lineFeedByte = 1
export const wordByte = 2
export const otherByte = 3

export const neighbourOf: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x0a ? lineFeedByte : wordBytes.has(byte) ? wordByte : otherByte,
)

/**
 * Whether an assertion holds between two bytes.
 * @param last whether the byte after the position is the last one; only `\Z` needs it
 */
export function holds(assertion: Assertion, before: number, after: number, last: boolean): boolean {
  switch (assertion) {
    case 'text-start':
      return before === edge
    case 'text-end':
      return after === edge
    case 'text-end-or-last-line-feed':
      return after === edge || (after === lineFeedByte && last)
    case 'line-start':
      return before === edge || before === lineFeedByte
    case 'line-start-inside':
      return before === edge || (before === lineFeedByte && after !== edge)
    case 'line-end':
      return after === edge || after === lineFeedByte
    case 'word-boundary':
      return (before === wordByte) !== (after === wordByte)
    case 'no-word-boundary':
      return (before === wordByte) === (after === wordByte)
    case 'word-start':
      return before !== wordByte && after === wordByte
    case 'word-end':
      return before === wordByte && after !== wordByte
  }
}

/** The same at a position of a byte string. */
export function holdsAt(assertion: Assertion, input: string, position: number): boolean {
  const before = position > 0 ? neighbourOf[input.charCodeAt(position - 1)]! : edge
  const after = position < input.length ? neighbourOf[input.charCodeAt(position)]! : edge
  return holds(assertion, before, after, position === input.length - 1)
}

/** Whether the byte at a position is in the set; with `negative`, whether no byte of the set is there. */
export function isNext(set: ByteSet, negative: boolean, input: string, position: number): boolean {
  return (position < input.length && set.has(input.charCodeAt(position))) !== negative
}
