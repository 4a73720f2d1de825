import { compileRegex } from '../../regex/index.ts'
import { compileWildcard } from '../evaluate/wildcard.ts'
import type { ListTest } from '../types.ts'
import { type ScalarType, sameType, showType, showTypeForOperator, type ValueType } from '../value-type.ts'
import type { LiteralTest, Operand, OrderOperator, Test } from './ast.ts'
import type { Lexer, Span } from './lexer.ts'
import {
  readInteger,
  readIntRange,
  readIp,
  readIpRange,
  readListName,
  readPattern,
  readQuotedOrRaw,
  readString,
} from './literals.ts'
import { rightIsOperand } from './right-side.ts'

type Operator = OrderOperator | OtherOperator
type OtherOperator = 'in' | 'bits' | 'contains' | 'matches' | 'wildcard' | 'strict wildcard'

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

/** Whether a comparison operator comes next; takes nothing. */
export function comparisonFollows(lexer: Lexer): boolean {
  const at = lexer.at
  const found = takeOperator(lexer) !== undefined
  lexer.at = at
  return found
}

/** The parts of the parser that a comparison needs. */
export interface RightSide<C> {
  /** Whether a field, function or constant has this name. */
  knows(name: string): boolean
  readOperand(): Operand<C>
  /** The test of a list; undefined if there is none. */
  list(name: string, type: 'Ip' | 'Bytes' | 'Int'): ListTest | undefined
}

/** Reads operator and right-hand side after an operand of this type. */
export function readTest<C>(lexer: Lexer, type: ValueType, right: RightSide<C>): Test<C> {
  const start = lexer.at
  const operator = takeOperator(lexer)
  if (operator === undefined) return lexer.failRest('expected-operator', 'expected ComparisonOp')
  const span = { start, end: lexer.at }
  lexer.skipSpace()
  if (type !== 'Bytes' && type !== 'Int' && type !== 'Ip') return failOperator(lexer, type, span)
  if (operator === 'in' && lexer.peek() === '$') return readListTest(lexer, type, right)
  if (isOrder(operator)) return readOrderTest(lexer, operator, type, right)
  if (type === 'Bytes') return readStringTest(lexer, operator, span)
  return type === 'Int' ? readIntegerTest(lexer, operator, span) : readIpTest(lexer, operator, span)
}

function readListTest<C>(lexer: Lexer, type: 'Ip' | 'Bytes' | 'Int', right: RightSide<C>): Test<C> {
  const start = lexer.at
  const name = readListName(lexer)
  const has = right.list(name, type)
  if (has !== undefined) return { kind: 'in-list', name, has }
  const hint = name.startsWith('cf.')
    ? 'the items of managed lists belong to Cloudflare; create a list instead'
    : 'create the list first; its kind must fit the field'
  return lexer.fail('unknown-list', `unknown list "$${name}"`, { start, end: lexer.at }, hint)
}

function readOrderTest<C>(
  lexer: Lexer,
  operator: OrderOperator,
  type: Exclude<ScalarType, 'Bool'>,
  side: RightSide<C>,
): Test<C> {
  if (rightIsOperand(lexer, type, name => side.knows(name))) {
    return { kind: 'order-operand', operator, right: readRightOperand(lexer, type, side) }
  }
  if (type === 'Bytes') return { kind: 'order-string', operator, literal: readString(lexer) }
  if (type === 'Int') return { kind: 'order-integer', operator, literal: readInteger(lexer) }
  return { kind: 'order-ip', operator, literal: readIp(lexer) }
}

function readRightOperand<C>(lexer: Lexer, type: ScalarType, side: RightSide<C>): Operand<C> {
  const right = side.readOperand()
  if (right.many) lexer.fail('bad-each', 'invalid use of map each access operator', right.span)
  if (sameType(right.type, type)) return right
  const message = `expected value of type ${type}, but got ${showType(right.type)}`
  return lexer.fail('type-mismatch', message, right.span)
}

function takeOperator(lexer: Lexer): Operator | undefined {
  if (lexer.startsWith('&&')) return undefined
  for (const [word, operator] of words) if (lexer.takeWord(word)) return operator
  for (const [symbol, operator] of symbols) if (lexer.take(symbol)) return operator
  return undefined
}

function readStringTest(lexer: Lexer, operator: OtherOperator, span: Span): LiteralTest {
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
  }
}

function readIntegerTest(lexer: Lexer, operator: OtherOperator, span: Span): LiteralTest {
  if (operator === 'in') return { kind: 'in-integers', items: readSet(lexer, readIntRange) }
  if (operator === 'bits') return { kind: 'bits', literal: readInteger(lexer) }
  return failOperator(lexer, 'Int', span)
}

function readIpTest(lexer: Lexer, operator: OtherOperator, span: Span): LiteralTest {
  if (operator === 'in') return { kind: 'in-ips', items: readSet(lexer, readIpRange) }
  return failOperator(lexer, 'Ip', span)
}

function isOrder(operator: Operator): operator is OrderOperator {
  return ['eq', 'ne', 'lt', 'le', 'gt', 'ge'].includes(operator)
}

/** `{item item}`, blanks between, no commas. */
function readSet<T>(lexer: Lexer, readItem: (lexer: Lexer) => T): readonly T[] {
  lexer.expect('{')
  const items: T[] = []
  for (;;) {
    lexer.skipSpace()
    if (lexer.take('}')) return items
    if (lexer.atEnd) lexer.expect('}')
    items.push(readItem(lexer))
  }
}

function readWildcardTest(lexer: Lexer, strict: boolean): LiteralTest {
  const start = lexer.at
  const pattern = readQuotedOrRaw(lexer)
  const wildcard = compileWildcard(pattern, strict)
  if (wildcard.ok) return { kind: 'wildcard', pattern, strict, test: wildcard.test }
  return lexer.fail('bad-wildcard', wildcard.message, { start, end: lexer.at })
}

function readRegexTest(lexer: Lexer): LiteralTest {
  const { pattern, start, end } = readPattern(lexer)
  const compiled = compileRegex(pattern, { dialect: 'rust' })
  if (compiled.ok) return { kind: 'matches', matcher: compiled.matcher }
  return lexer.fail('bad-regex', `regex parse error: ${compiled.error.message}`, { start, end })
}

function failOperator(lexer: Lexer, type: ValueType, span: Span): never {
  const message = `cannot perform this operation on type ${showTypeForOperator(type)}`
  return lexer.fail('unsupported-operator', message, span)
}
