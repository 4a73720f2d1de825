import { hexValue } from '../../../kit/ascii.ts'

export const percent = 0x25

/**
 * The position of the two digits of a percent-encoded byte, which may be encoded repeatedly: `%3D`, `%253D`.
 * @param at position of the percent sign
 * @returns -1 when no such digits follow
 */
export function digitsAt(text: string, at: number): number {
  let digits = at + 1
  if (!isByte(text, digits)) return -1
  while (text.startsWith('25', digits) && isByte(text, digits + 2)) digits += 2
  return digits
}

/** The byte with its digits at this position. */
export function hexByte(text: string, digits: number): number {
  return hexValue(text.charCodeAt(digits)) * 16 + hexValue(text.charCodeAt(digits + 1))
}

function isByte(text: string, digits: number): boolean {
  return hexValue(text.charCodeAt(digits)) >= 0 && hexValue(text.charCodeAt(digits + 1)) >= 0
}
