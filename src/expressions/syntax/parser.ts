import type { FunctionSpec } from '../functions/spec.ts'
import { functions } from '../functions/table.ts'
import { expressionLimits } from '../limits.ts'
import type { ListTest, Scheme } from '../types.ts'
import { boolArray, isBoolArray, showType, type ValueType, valueTypeOf } from '../value-type.ts'
import type { Argument, Call, Expression, LogicalOperator, Operand, Root, Step } from './ast.ts'
import { bareLiteralFollows, readBareLiteral } from './bare-literals.ts'
import { checkArguments, requireBool, requireBoolArray, requireSameLogicalType, typeBehind } from './check.ts'
import { comparisonFollows, type RightSide, readTest } from './comparison.ts'
import { isIdentifierByte, type Lexer, type Span } from './lexer.ts'
import { readString, startsRaw } from './literals.ts'
import { failUnknown } from './names.ts'
import { readStep } from './steps.ts'

/** The expression, and the names of its fields. */
interface Parsed<T> {
  readonly tree: T
  readonly fields: ReadonlySet<string>
  /** Whether it contains something with a bounded cost: a call, or a regular expression. */
  readonly works: boolean
}

/**
 * Reads and checks a filter expression.
 * @throws ExpressionFault
 * @source rules-language grammar
 */
export function parseFilter<C>(lexer: Lexer, scheme: Scheme<C>): Parsed<Expression<C>> {
  const parser = new Parser(lexer, scheme)
  const tree = parser.expression()
  requireBool(lexer, tree.type, { start: lexer.at, end: lexer.end })
  requireEnd(lexer)
  return { tree, fields: parser.fields, works: parser.works }
}

/**
 * Reads and checks a value expression.
 * @throws ExpressionFault
 */
export function parseValue<C>(lexer: Lexer, scheme: Scheme<C>): Parsed<Operand<C>> {
  const parser = new Parser(lexer, scheme)
  const tree = parser.readOperand()
  if (tree.many) lexer.fail('bad-each', 'invalid use of map each access operator', tree.span)
  requireEnd(lexer)
  return { tree, fields: parser.fields, works: parser.works }
}

function requireEnd(lexer: Lexer): void {
  lexer.skipSpace()
  if (!lexer.atEnd) lexer.failRest('unexpected-input', 'unrecognised input')
}

/** The words `true` and `false` are names of constants. */
const constants: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

class Parser<C> implements RightSide<C> {
  readonly #lexer: Lexer
  readonly #scheme: Scheme<C>
  readonly fields = new Set<string>()
  works = false
  #depth = 0
  #replaces = false

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
    const operand = this.readOperand()
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
    const test = readTest(this.#lexer, operand.type, this)
    if (test.kind === 'matches') this.works = true
    return { kind: 'comparison', operand, test, type: operand.many ? boolArray : 'Bool' }
  }

  readOperand(): Operand<C> {
    const lexer = this.#lexer
    const start = lexer.at
    const { root, type: rootType } = this.#root()
    const path: Step[] = []
    let type = rootType
    let many = false
    while (lexer.peek() === '[') {
      const open = lexer.at
      const step = readStep(lexer)
      const span = { start: open, end: lexer.at }
      if (path.length === 0 && step.kind === 'each') refuseEachOfTests(lexer, root, type, span)
      type = typeBehind(lexer, type, step, span)
      many ||= step.kind === 'each'
      path.push(step)
    }
    return { root, path, many, type, span: { start, end: lexer.at } }
  }

  knows(name: string): boolean {
    return this.#scheme.fields.has(name) || functions.has(name) || constants.has(name)
  }

  list(name: string, type: 'Ip' | 'Bytes' | 'Int'): ListTest | undefined {
    const { lists } = this.#scheme
    return lists === undefined ? () => false : lists(name, type)
  }

  #root(): { root: Root<C>; type: ValueType } {
    const lexer = this.#lexer
    const start = lexer.at
    const name = lexer.identifier()
    const constant = constants.get(name)
    if (constant !== undefined) return { root: { kind: 'constant', value: constant }, type: 'Bool' }
    const field = this.#scheme.fields.get(name)
    if (field !== undefined) {
      this.fields.add(name)
      return { root: { kind: 'field', field }, type: valueTypeOf(field.type) }
    }
    const span = { start, end: lexer.at }
    const spec = this.#function(name)
    if (spec === undefined) return failUnknown(lexer, name, this.#scheme, span)
    if (spec.replaces === true) this.#countReplacement(span)
    this.works = true
    const call = this.#nested(() => this.#call(spec))
    return { root: { kind: 'call', call }, type: call.type }
  }

  #function(name: string): FunctionSpec | undefined {
    const allowed = this.#scheme.functions
    return allowed === undefined || allowed.has(name) ? functions.get(name) : undefined
  }

  #countReplacement(span: Span): void {
    if (this.#replaces) {
      const message = 'regex_replace and wildcard_replace may be used once in an expression'
      this.#lexer.fail('repeated-replacement', message, span)
    }
    this.#replaces = true
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
    const apply = checkArguments(lexer, spec, given, close)
    const first = given[0]!
    const mapped = first.kind === 'operand' && first.operand.many
    const result = spec.result(first.type)
    return { spec, apply, arguments: given, mapped, type: mapped ? { array: result } : result }
  }

  #takeComma(): boolean {
    this.#lexer.skipSpace()
    return this.#lexer.take(',')
  }

  /** One literal, operand or comparison; a whole expression only if its first token shows that. */
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
    const operand = this.readOperand()
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

/** A function of each element with Boolean results is already an argument for `any` and `all`. */
function refuseEachOfTests<C>(lexer: Lexer, root: Root<C>, type: ValueType, span: Span): void {
  if (root.kind === 'call' && root.call.mapped && isBoolArray(type)) {
    lexer.fail('bad-index', `cannot access index MapEach for type ${showType(type)}`, span)
  }
}
