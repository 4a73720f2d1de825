import { lowerCode } from '../../kit/ascii.ts'
import { ByteSet, type Requirements } from '../../regex/index.ts'

/** Number of bytes that make a literal selective enough. */
const literalBytes = 6

/** Requirements of a text with `literal` at its start, at its end, or anywhere. */
export function holding(literal: string): Requirements {
  return holdingOneOf([literal])
}

/** Requirements of a text with one of the literals. */
export function holdingOneOf(literals: readonly string[]): Requirements {
  if (literals.some(literal => literal === '')) return []
  const folded = literals.map(literal => foldCase(pieceOf(literal)))
  if (folded.every(literal => literal.length > 1))
    return [{ kind: 'literals', literals: [...new Set(folded)] }]
  const bytes = ByteSet.of(folded.map(literal => literal.charCodeAt(0)))
  return [{ kind: 'bytes', bytes: bytes.folded() }]
}

/** Long phrases often have the same beginning (`mozilla/5.0 …`) and different ends. */
function pieceOf(literal: string): string {
  return literal.length > 2 * literalBytes ? literal.slice(-literalBytes) : literal.slice(0, literalBytes)
}

/** ASCII letters in lower case. */
export function foldCase(text: string): string {
  let folded = ''
  for (let i = 0; i < text.length; i++) folded += String.fromCharCode(lowerCode(text.charCodeAt(i)))
  return folded
}
