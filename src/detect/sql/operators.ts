import { Kind } from './kinds.ts'
import { signWord, type Word } from './words.ts'

const comparisons = '= == <> != ^= < > <= >= <=> !< !> ~* !~ !~* ~~ @> @@'.split(' ')
const logic = '|| &&'.split(' ')
const operators = '+ - * / % | & ^ ~ ! << >> := -> ->> #> #>> ** :: @'.split(' ')

const words: readonly Word[] = [
  ...comparisons.map(text => signWord(text, Kind.comparison)),
  ...logic.map(text => signWord(text, Kind.logic)),
  ...operators.map(text => signWord(text, Kind.operator)),
  signWord(':', Kind.colon),
]

/** Operators by first byte, longest first, then the byte alone, which is no SQL here. */
const byFirstCode: readonly (readonly Word[])[] = Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code)
  const own = words.filter(({ text }) => text.startsWith(sign)).sort((a, b) => b.text.length - a.text.length)
  return own.some(({ text }) => text.length === 1) ? own : [...own, signWord(sign, Kind.other)]
})

/** The longest operator at `at`, or its one byte. */
export function operatorAt(value: string, at: number): Word {
  const candidates = byFirstCode[value.charCodeAt(at)]!
  let index = 0
  while (index < candidates.length - 1 && !value.startsWith(candidates[index]!.text, at)) index++
  return candidates[index]!
}

const structures: readonly (Word | null)[] = Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code)
  const kind = (
    {
      '(': Kind.open,
      ')': Kind.close,
      ',': Kind.comma,
      ';': Kind.semicolon,
      '.': Kind.dot,
      '{': Kind.brace,
      '}': Kind.braceEnd,
    } as Record<string, Kind>
  )[sign]
  return kind === undefined ? null : signWord(sign, kind)
})

/** The structural token of one byte: parentheses, `,`, `;`, `.` and braces; null for other bytes. */
export function structureOf(code: number): Word | null {
  return structures[code]!
}
