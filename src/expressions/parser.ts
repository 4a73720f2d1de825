import { parseIp } from '../kit/cidr.ts'
import { expressionLimits } from '../kit/limits.ts'
import { nearest } from '../kit/nearest.ts'
import type { Argument, Call, Expression, LogicalOperator, Operand, Root, Step } from './ast.ts'
import { checkArguments, requireBool, requireBoolArray, requireSameLogicalType, typeBehind } from './check.ts'
import { comparisonFollows, readTest } from './comparison.ts'
import { type FunctionSpec, functions } from './functions/table.ts'
import { isDigit, isHexDigit, isIdentifierByte, type Lexer } from './lexer.ts'
import { readInteger, readQuoted, readString, startsRaw } from './literals.ts'
import type { Scheme } from './types.ts'
import { boolArray, isBoolArray, type ValueType, valueTypeOf } from './value-type.ts'

/**
 * Reads and checks a filter expression.
 * @throws ExpressionFault
 * @source rules-language grammar
 */
export function parseFilter<C>(lexer: Lexer, scheme: Scheme<C>): Expression<C> {
  const expression = new Parser(lexer, scheme).expression()
  requireBool(lexer, expression.type, { start: lexer.at, end: lexer.end })
  lexer.skipSpace()
  if (!lexer.atEnd) lexer.failRest('unexpected-input', 'unrecognised input')
  return expression
}

/** The words `true` and `false` are names of constants. */
const constants: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

class Parser<C> {
  readonly #lexer: Lexer
  readonly #scheme: Scheme<C>
  #depth = 0

  constructor(lexer: Lexer, scheme: Scheme<C>) {
    this.#lexer = lexer
    this.#scheme = scheme
  }

  /** Loosest first: or, xor, and, not. */
  expression(): Expression<C> {
    return this.#chain('or', '||', () =>
      this.#chain('xor', '^^', () => this.#chain('and', '&&', () => this.#simple())),
    )
  }

  #chain(operator: LogicalOperator, symbol: string, next: () => Expression<C>): Expression<C> {
    const lexer = this.#lexer
    const first = next()
    const items = [first]
    for (;;) {
      const before = lexer.at
      lexer.skipSpace()
      if (!lexer.takeWord(operator) && !lexer.take(symbol)) {
        lexer.at = before
        break
      }
      lexer.skipSpace()
      const start = lexer.at
      const item = next()
      requireSameLogicalType(lexer, first.type, item.type, { start, end: lexer.at })
      items.push(item)
    }
    if (items.length === 1) return first
    if (first.type !== 'Bool') requireBoolArray(lexer, first.type, { start: lexer.at, end: lexer.at })
    return { kind: 'logical', operator, items, type: first.type }
  }

  #simple(): Expression<C> {
    const lexer = this.#lexer
    lexer.skipSpace()
    if (lexer.peek() === '(') return this.#nested(() => this.#parenthesised())
    if (this.#negationFollows()) return this.#nested(() => this.#negation())
    if (this.#quantifierFollows()) return this.#nested(() => this.#quantifier())
    const operand = this.#operand()
    if (standsAlone(operand)) return truth(operand)
    return this.#comparison(operand)
  }

  #nested<T>(read: () => T): T {
    if (this.#depth === expressionLimits.nestingDepthMax) {
      this.#lexer.failRest(
        'too-deep',
        `maximum nesting depth exceeded (limit: ${expressionLimits.nestingDepthMax})`,
      )
    }
    this.#depth++
    const result = read()
    this.#depth--
    return result
  }

  #parenthesised(): Expression<C> {
    this.#lexer.expect('(')
    const expression = this.expression()
    this.#lexer.skipSpace()
    this.#lexer.expect(')')
    return expression
  }

  #negationFollows(): boolean {
    return this.#lexer.peek() === '!' || this.#wordFollows('not')
  }

  #negation(): Expression<C> {
    if (!this.#lexer.take('!')) this.#lexer.takeWord('not')
    const item = this.#simple()
    return { kind: 'not', item, type: item.type }
  }

  #quantifierFollows(): boolean {
    return this.#wordFollows('any') || this.#wordFollows('all')
  }

  #quantifier(): Expression<C> {
    const lexer = this.#lexer
    const every = lexer.takeWord('all')
    if (!every) lexer.takeWord('any')
    lexer.skipSpace()
    lexer.expect('(')
    const argument = this.#argument()
    const item = asExpression(argument)
    requireBoolArray(lexer, item?.type ?? argument.type, argument.span)
    lexer.skipSpace()
    lexer.expect(')')
    return { kind: 'quantifier', every, item: item!, type: 'Bool' }
  }

  #wordFollows(word: string): boolean {
    return this.#lexer.startsWith(word) && !isIdentifierByte(this.#lexer.peek(word.length))
  }

  #comparison(operand: Operand<C>): Expression<C> {
    this.#lexer.skipSpace()
    const test = readTest(this.#lexer, operand.type)
    return { kind: 'comparison', operand, test, type: operand.many ? boolArray : 'Bool' }
  }

  #operand(): Operand<C> {
    const lexer = this.#lexer
    const start = lexer.at
    const { root, type: rootType } = this.#root()
    const path: Step[] = []
    let type = rootType
    let many = false
    while (lexer.peek() === '[') {
      const open = lexer.at
      const step = readStep(lexer)
      type = typeBehind(lexer, type, step, { start: open, end: lexer.at })
      many ||= step.kind === 'each'
      path.push(step)
    }
    return { root, path, many, type, span: { start, end: lexer.at } }
  }

  #root(): { root: Root<C>; type: ValueType } {
    const lexer = this.#lexer
    const start = lexer.at
    const name = lexer.identifier()
    const constant = constants.get(name)
    if (constant !== undefined) return { root: { kind: 'constant', value: constant }, type: 'Bool' }
    const field = this.#scheme.fields.get(name)
    if (field !== undefined) return { root: { kind: 'field', field }, type: valueTypeOf(field.type) }
    const spec = functions.get(name)
    if (spec === undefined) this.#failUnknown(name, start)
    const call = this.#nested(() => this.#call(spec!))
    return { root: { kind: 'call', call }, type: call.type }
  }

  #failUnknown(name: string, start: number): never {
    const close = nearest(name, [...this.#scheme.fields.keys(), ...functions.keys()])
    const hint = close === undefined ? undefined : `did you mean ${close}?`
    return this.#lexer.fail('unknown-identifier', 'unknown identifier', { start, end: this.#lexer.at }, hint)
  }

  #call(spec: FunctionSpec): Call<C> {
    const lexer = this.#lexer
    lexer.skipSpace()
    lexer.expect('(')
    const given: Argument<C>[] = []
    lexer.skipSpace()
    if (lexer.peek() !== ')') {
      do given.push(this.#argument())
      while (this.#takeComma())
    }
    const close = { start: lexer.at, end: lexer.at + 1 }
    lexer.expect(')')
    checkArguments(lexer, spec, given, close)
    const first = given[0]!
    const mapped = first.kind === 'operand' && first.operand.many
    const result = spec.result(first.type)
    return { spec, arguments: given, mapped, type: mapped ? { array: result } : result }
  }

  #takeComma(): boolean {
    this.#lexer.skipSpace()
    return this.#lexer.take(',')
  }

  /** One literal, operand or comparison; a whole expression only when it shows that by how it begins. */
  #argument(): Argument<C> {
    const lexer = this.#lexer
    lexer.skipSpace()
    const start = lexer.at
    if (lexer.peek() === '"' || startsRaw(lexer)) {
      return { kind: 'literal', value: readString(lexer), type: 'Bytes', span: { start, end: lexer.at } }
    }
    if (lexer.peek() === '(' || this.#negationFollows() || this.#quantifierFollows()) {
      return expressionArgument(this.expression(), start, lexer.at)
    }
    if (bareLiteralFollows(lexer)) return readBareLiteral(lexer)
    const operand = this.#operand()
    const end = lexer.at
    lexer.skipSpace()
    if (!standsAlone(operand) && comparisonFollows(lexer)) {
      return expressionArgument(this.#comparison(operand), start, lexer.at)
    }
    return { kind: 'operand', operand, type: operand.type, span: { start, end } }
  }
}

function standsAlone<C>(operand: Operand<C>): boolean {
  return operand.type === 'Bool' || isBoolArray(operand.type)
}

function truth<C>(operand: Operand<C>): Expression<C> {
  return { kind: 'truth', operand, type: operand.many ? { array: operand.type } : operand.type }
}

function expressionArgument<C>(expression: Expression<C>, start: number, end: number): Argument<C> {
  return { kind: 'expression', expression, type: expression.type, span: { start, end } }
}

/** An argument of a quantifier; undefined for a literal. */
function asExpression<C>(argument: Argument<C>): Expression<C> | undefined {
  if (argument.kind === 'expression') return argument.expression
  return argument.kind === 'operand' ? truth(argument.operand) : undefined
}

/** `[3]`, `["key"]` or `[*]`. */
function readStep(lexer: Lexer): Step {
  lexer.expect('[')
  lexer.skipSpace()
  const step = readStepInside(lexer)
  lexer.skipSpace()
  lexer.expect(']')
  return step
}

function readStepInside(lexer: Lexer): Step {
  if (lexer.take('*')) return { kind: 'each' }
  if (lexer.peek() === '"') return { kind: 'key', key: readQuoted(lexer) }
  const start = lexer.at
  if (!isDigit(lexer.peek()) && lexer.peek() !== '-') {
    lexer.failRest('bad-index', 'expected literal "expected quoted utf8 string or positive integer"')
  }
  const index = readInteger(lexer)
  if (index < 0n) {
    lexer.at = start
    lexer.failRest('bad-index', 'expected literal "expected positive integer as index"')
  }
  return { kind: 'index', index: Number(index) }
}

/** An integer, address or byte string: a digit, a sign, a colon, or a hex pair with a colon or dash behind it. */
function bareLiteralFollows(lexer: Lexer): boolean {
  const byte = lexer.peek()
  if (isDigit(byte) || byte === '-' || byte === ':') return true
  const joined = lexer.peek(2) === ':' || lexer.peek(2) === '-'
  return isHexDigit(byte) && isHexDigit(lexer.peek(1)) && joined
}

function readBareLiteral<C>(lexer: Lexer): Argument<C> {
  const start = lexer.at
  const token = lexer.takeWhile(
    byte => isIdentifierByte(byte) || byte === ':' || byte === '.' || byte === '-',
  )
  const isAddress = parseIp(token) !== undefined
  if (isAddress) return { kind: 'literal', value: token, type: 'Ip', span: { start, end: lexer.at } }
  lexer.at = start
  const isInteger = [...token].every((byte, at) => isIdentifierByte(byte) || (byte === '-' && at === 0))
  const value = isInteger ? Number(readInteger(lexer)) : readString(lexer)
  return { kind: 'literal', value, type: isInteger ? 'Int' : 'Bytes', span: { start, end: lexer.at } }
}
