import type { ScalarType } from '../value-type.ts'
import { isDigit, isHexDigit, type Lexer } from './lexer.ts'
import { startsRaw } from './literals.ts'

/**
 * Whether an operand follows an ordering operator, and not a literal of the left side's type. Every literal of the
 * language before operands existed is still a literal. An unknown name counts as an operand, so that it is reported as
 * such.
 * @source rules-language, dynamic right-hand side
 */
export function rightIsOperand(
  lexer: Lexer,
  type: Exclude<ScalarType, 'Bool'>,
  knows: (name: string) => boolean,
): boolean {
  const name = lexer.peekIdentifier()
  if (name === '' || (type === 'Bytes' && startsRaw(lexer))) return false
  const behind = lexer.peek(name.length)
  if (type === 'Ip' && (behind === ':' || behind === '/')) return false
  if (type === 'Bytes' && isByteString(name, behind)) return false
  return knows(name) || !looksLiteral(name)
}

/** Hex pairs joined by dots, or the first pair before another separator. */
function isByteString(name: string, behind: string): boolean {
  const pairs = name.split('.')
  if (!pairs.every(pair => pair.length === 2 && isHexDigit(pair[0]!) && isHexDigit(pair[1]!))) return false
  return pairs.length > 1 || behind === ':' || behind === '-'
}

function looksLiteral(name: string): boolean {
  return isDigit(name[0]!) || [...name].every(byte => isHexDigit(byte) || byte === '.')
}
