import { isDigit } from '../../kit/ascii.ts'

/**
 * Rough number of occurrences of a byte in 100 bytes of ordinary requests: only the order of magnitude matters. Letters
 * count for both cases.
 */
const frequency: Float64Array = Float64Array.from({ length: 256 }, (_, byte) => frequencyOf(byte))

function frequencyOf(byte: number): number {
  const char = String.fromCharCode(byte).toLowerCase()
  if ('etaoinsrhlcdmu'.includes(char)) return 5
  if (char >= 'a' && char <= 'z') return 1.5
  if (char >= '0' && char <= '9') return 4
  if (char === ' ') return 5
  if ('-_.,/'.includes(char)) return 1.5
  if ('=&:;()*+%'.includes(char)) return 0.5
  return byte < 0x20 || byte >= 0x7f ? 0.05 : 0.1
}

/** Longest literal in a requirement; more bytes add little and cost states. */
export const literalBytes = 8

/** Whether the presence of a byte is a useful condition. Letters and digits are everywhere. */
export function isTelling(byte: number): boolean {
  return !isLetter(byte) && !isDigit(byte)
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Expected occurrences of the bytes in 100. */
export function byteCost(byte: number): number {
  return frequency[byte]!
}

/** Expected occurrences of a literal in 100 bytes. */
export function literalCost(literal: string): number {
  let product = 100
  for (let at = 0; at < literal.length; at++) product *= frequency[literal.charCodeAt(at)]! / 100
  return product
}

/** The rarest piece of a literal with at most `literalBytes` bytes. */
export function rarestPiece(literal: string): string {
  if (literal.length <= literalBytes) return literal
  let best = literal.slice(0, literalBytes)
  for (let start = 1; start + literalBytes <= literal.length; start++) {
    const piece = literal.slice(start, start + literalBytes)
    if (literalCost(piece) < literalCost(best)) best = piece
  }
  return best
}

/** The rarest telling byte of a literal, preferring bytes in `chosen`; -1 if it has none. */
export function rarestByte(literal: string, chosen: readonly number[]): number {
  let best = -1
  for (let at = 0; at < literal.length; at++) {
    const byte = literal.charCodeAt(at)
    if (chosen.includes(byte)) return byte
    if (isTelling(byte) && (best < 0 || frequency[byte]! < frequency[best]!)) best = byte
  }
  return best
}
