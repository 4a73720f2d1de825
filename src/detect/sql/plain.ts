import { isDigit } from '../../kit/ascii.ts'
import { DOLLAR, DOT } from './codes.ts'
import { wordAt } from './names.ts'
import { digitsEnd, isWordCode, wordEnd } from './scan.ts'
import { unknownWord } from './words.ts'

/** Letters, digits, `_`, `.` and bytes above ASCII alone cannot leave their position in a statement. */
export function isWord(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === DOLLAR || (!isWordCode(code) && code !== DOT)) return false
  }
  return true
}

/**
 * Whether there are only blanks, whole numbers, and words without a meaning in SQL, as in names and titles: the grammar
 * finds only operands side by side. Longer values are left to the grammar, which can pause.
 */
export function arePlainWords(value: string): boolean {
  if (value.length > plainBytes) return false
  let at = 0
  while (at < value.length) {
    const code = value.charCodeAt(at)
    if (code === 0x20) {
      at++
      continue
    }
    if (code === DOLLAR || !isWordCode(code)) return false
    const end = wordEnd(value, at)
    if (isDigit(code) ? digitsEnd(value, at) < end : wordAt(value, at, end) !== unknownWord) return false
    at = end
  }
  return true
}

const plainBytes = 1024
