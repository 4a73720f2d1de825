import { compileRegex } from '../regex/index.ts'
import type { OrderOperator, Test } from './ast.ts'
import type { Lexer, Span } from './lexer.ts'
import {
  readInteger,
  readIntRange,
  readIp,
  readIpRange,
  readPattern,
  readQuotedOrRaw,
  readString,
} from './literals.ts'
import { showTypeForOperator, type ValueType } from './value-type.ts'
import { compileWildcard } from './wildcard.ts'

type Operator = OrderOperator | 'in' | 'bits' | 'contains' | 'matches' | 'wildcard' | 'strict wildcard'

const words: readonly (readonly [word: string, operator: Operator])[] = [
  ['eq', 'eq'],
  ['ne', 'ne'],
  ['lt', 'lt'],
  ['le', 'le'],
  ['gt', 'gt'],
  ['ge', 'ge'],
  ['in', 'in'],
  ['contains', 'contains'],
  ['matches', 'matches'],
  ['wildcard', 'wildcard'],
  ['strict wildcard', 'strict wildcard'],
  ['bitwise_and', 'bits'],
]

/** Longer symbols first. */
const symbols: readonly (readonly [symbol: string, operator: Operator])[] = [
  ['==', 'eq'],
  ['!=', 'ne'],
  ['<=', 'le'],
  ['>=', 'ge'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['~', 'matches'],
  ['&', 'bits'],
]

/** Does a comparison operator come next? Takes nothing. */
export function comparisonFollows(lexer: Lexer): boolean {
  const at = lexer.at
  const found = takeOperator(lexer) !== undefined
  lexer.at = at
  return found
}

/** Operator and right-hand side behind an operand of this type. */
export function readTest(lexer: Lexer, type: ValueType): Test {
  const start = lexer.at
  const operator = takeOperator(lexer)
  if (operator === undefined) return lexer.failRest('expected-operator', 'expected ComparisonOp')
  const span = { start, end: lexer.at }
  lexer.skipSpace()
  if (type === 'Bytes') return readStringTest(lexer, operator, span)
  if (type === 'Int') return readIntegerTest(lexer, operator, span)
  if (type === 'Ip') return readIpTest(lexer, operator, span)
  return failOperator(lexer, type, span)
}

function takeOperator(lexer: Lexer): Operator | undefined {
  if (lexer.startsWith('&&')) return undefined
  for (const [word, operator] of words) if (lexer.takeWord(word)) return operator
  for (const [symbol, operator] of symbols) if (lexer.take(symbol)) return operator
  return undefined
}

function readStringTest(lexer: Lexer, operator: Operator, span: Span): Test {
  switch (operator) {
    case 'in':
      return { kind: 'in-strings', items: readSet(lexer, readString) }
    case 'contains':
      return { kind: 'contains', literal: readString(lexer) }
    case 'matches':
      return readRegexTest(lexer)
    case 'wildcard':
    case 'strict wildcard':
      return readWildcardTest(lexer, operator === 'strict wildcard')
    case 'bits':
      return failOperator(lexer, 'Bytes', span)
    default:
      return { kind: 'order-string', operator, literal: readString(lexer) }
  }
}

function readIntegerTest(lexer: Lexer, operator: Operator, span: Span): Test {
  if (operator === 'in') return { kind: 'in-integers', items: readSet(lexer, readIntRange) }
  if (operator === 'bits') return { kind: 'bits', literal: readInteger(lexer) }
  if (!isOrder(operator)) return failOperator(lexer, 'Int', span)
  return { kind: 'order-integer', operator, literal: readInteger(lexer) }
}

function readIpTest(lexer: Lexer, operator: Operator, span: Span): Test {
  if (operator === 'in') return { kind: 'in-ips', items: readSet(lexer, readIpRange) }
  if (!isOrder(operator)) return failOperator(lexer, 'Ip', span)
  return { kind: 'order-ip', operator, literal: readIp(lexer) }
}

function isOrder(operator: Operator): operator is OrderOperator {
  return ['eq', 'ne', 'lt', 'le', 'gt', 'ge'].includes(operator)
}

/** `{item item}`, blanks between, no commas. */
function readSet<T>(lexer: Lexer, readItem: (lexer: Lexer) => T): readonly T[] {
  if (lexer.peek() === '$') {
    lexer.failRest('unsupported', 'lists are not available in this version')
  }
  lexer.expect('{')
  const items: T[] = []
  for (;;) {
    lexer.skipSpace()
    if (lexer.take('}')) return items
    if (lexer.atEnd) lexer.expect('}')
    items.push(readItem(lexer))
  }
}

function readWildcardTest(lexer: Lexer, strict: boolean): Test {
  const start = lexer.at
  const wildcard = compileWildcard(readQuotedOrRaw(lexer), strict)
  if (wildcard.ok) return { kind: 'wildcard', test: wildcard.test }
  return lexer.fail('bad-wildcard', wildcard.message, { start, end: lexer.at })
}

function readRegexTest(lexer: Lexer): Test {
  const { pattern, start, end } = readPattern(lexer)
  const compiled = compileRegex(pattern, { dialect: 'rust' })
  if (compiled.ok) return { kind: 'matches', matcher: compiled.matcher }
  return lexer.fail('bad-regex', `regex parse error: ${compiled.error.message}`, { start, end })
}

function failOperator(lexer: Lexer, type: ValueType, span: Span): never {
  const message = `cannot perform this operation on type ${showTypeForOperator(type)}`
  return lexer.fail('unsupported-operator', message, span)
}
