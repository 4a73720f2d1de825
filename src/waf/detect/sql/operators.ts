import { makeWord, type Word } from './words.ts'

const longOperators = '<=> ->> #>> <> != <= >= == := << >> :: !< !> -> @> <@'.split(' ')
const singleOperators = '+-*/%^|&<>=!~#'

/**
 * Operators that begin with each byte, longest first, the byte alone last: an operator, or what SQL has no use for here.
 */
const byFirstCode: readonly (readonly Word[])[] = Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code)
  const long = longOperators.filter(operator => operator.startsWith(sign)).map(text => makeWord(text, 'o'))
  const logic = sign === '&' || sign === '|' ? [makeWord(sign + sign, '&')] : []
  return [...long, ...logic, makeWord(sign, singleOperators.includes(sign) ? 'o' : '?')]
})

/** Second signs of operators: most operators stand alone. */
const seconds = new Uint8Array(256)
for (const operator of [...longOperators, '||', '&&']) seconds[operator.charCodeAt(1)] = 1

/** The longest operator at `at`, or its one byte. */
export function operatorAt(value: string, at: number): Word {
  const candidates = byFirstCode[value.charCodeAt(at)]!
  const second = at + 1 < value.length ? value.charCodeAt(at + 1) : 0
  if (seconds[second] === 1) {
    for (let i = 0; i < candidates.length - 1; i++) {
      const { text } = candidates[i]!
      if (text.charCodeAt(1) !== second) continue
      if (text.length === 2 || value.charCodeAt(at + 2) === text.charCodeAt(2)) return candidates[i]!
    }
  }
  return candidates[candidates.length - 1]!
}
