import { parseAddress } from '../address.ts'
import { integerCell } from '../value-type.ts'
import type { LiteralArgument } from './ast.ts'
import { isDigit, isHexDigit, isIdentifierByte, type Lexer } from './lexer.ts'
import { readInteger, readString } from './literals.ts'

/** An integer, address or byte string: a digit, a sign, a colon, or a hex pair followed by a colon or dash. */
export function bareLiteralFollows(lexer: Lexer): boolean {
  const byte = lexer.peek()
  if (isDigit(byte) || byte === '-' || byte === ':') return true
  const joined = lexer.peek(2) === ':' || lexer.peek(2) === '-'
  return isHexDigit(byte) && isHexDigit(lexer.peek(1)) && joined
}

export function readBareLiteral(lexer: Lexer): LiteralArgument {
  const start = lexer.at
  const token = lexer.takeWhile(
    byte => isIdentifierByte(byte) || byte === ':' || byte === '.' || byte === '-',
  )
  const isAddress = parseAddress(token) !== undefined
  if (isAddress) return { kind: 'literal', value: token, type: 'Ip', span: { start, end: lexer.at } }
  lexer.at = start
  const isInteger = [...token].every((byte, at) => isIdentifierByte(byte) || (byte === '-' && at === 0))
  const value = isInteger ? integerCell(readInteger(lexer)) : readString(lexer)
  return { kind: 'literal', value, type: isInteger ? 'Int' : 'Bytes', span: { start, end: lexer.at } }
}
