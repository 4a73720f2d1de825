import { after } from './after-operand.ts'
import { Evidence } from './evidence.ts'
import { Level, Value } from './expression.ts'
import { isNameKind, Kind } from './kinds.ts'
import { type Reader, State } from './reader.ts'

/** Reads a token at the beginning of a value or a statement. */
export function start(reader: Reader, kind: Kind): void {
  const fragment = reader.fragment
  const { points, expression } = fragment
  if (reader.lastKind === Kind.semicolon && points.rooted && reader.lexer.word.isCommand) {
    reader.stacked = true
    // `do sleep(5)`: an expression may follow.
    if (kind === Kind.name) {
      reader.state = State.operand
      return
    }
  }
  switch (kind) {
    case Kind.close:
      fragment.closed = true
      points.rooted = true
      reader.add(Evidence.closedHost)
      reader.state = State.after
      return
    case Kind.select:
      if (fragment.fresh && !fragment.hasOperand) {
        reader.add(Evidence.queryIsValue)
        points.rooted = true
      }
      if (fragment.allowsStatement) reader.add(Evidence.queryIsStatement)
      reader.beginQuery()
      return
    case Kind.statement:
      reader.beginStatement()
      return
    case Kind.if:
      fragment.allowsStatement = true
      expression.logical = true
      reader.state = State.operand
      return
    case Kind.semicolon:
      return
    case Kind.operator:
      if (reader.lexer.word.isUnary) expression.dressed = true
      else reader.state = State.operand
      return
    default:
      if (continuing.has(kind)) after(reader, kind)
      else operand(reader, kind)
  }
}

/** Reads a token where an operand is expected. */
export function operand(reader: Reader, kind: Kind): void {
  const { word } = reader.lexer
  const { expression } = reader.fragment
  reader.state = State.operand
  switch (kind) {
    case Kind.number:
      // TOP 1 a
      if (reader.lastWord.text !== 'top') reader.take(Value.constant)
      return
    case Kind.constant:
      expression.dressed = true
      reader.take(Value.constant)
      return
    case Kind.variable:
      if (isSystemVariable(reader)) expression.dressed = true
      reader.take(Value.constant)
      return
    case Kind.string:
    case Kind.openString:
      reader.take(Value.constant)
      return
    case Kind.type:
    case Kind.dot:
    case Kind.brace:
      return
    case Kind.open:
      open(reader)
      return
    case Kind.close:
      closeEmpty(reader)
      return
    case Kind.operator:
      if (word.isUnary) expression.dressed = true
      else if (word.text === '*' && beforeStar.has(reader.lastKind)) takeStar(reader)
      else withoutOperand(reader, kind)
      return
    case Kind.comparison:
      compareAgain(reader, kind)
      return
    case Kind.not:
      expression.dressed = true
      return
    case Kind.exists:
      if (reader.lastKind === Kind.if && reader.fragment.points.rooted) reader.add(Evidence.statementAtHost)
      return
    case Kind.quantifier:
      if (word.text === 'top') reader.add(Evidence.selectValue)
      return
    case Kind.select:
      beginSubquery(reader)
      return
    case Kind.case:
      expression.push(Level.case)
      return
    case Kind.when:
      // CASE WHEN
      if (reader.lastKind === Kind.case) expression.logical = true
      else reader.break(kind)
      return
    default:
      if (isNameKind(kind)) reader.take(word.isNiladic ? Value.call : Value.name)
      else withoutOperand(reader, kind)
  }
}

function takeStar(reader: Reader): void {
  reader.fragment.takeStar()
  reader.state = State.after
}

/** `@@version` */
function isSystemVariable(reader: Reader): boolean {
  return reader.lexer.value.charCodeAt(reader.lexer.start + 1) === 0x40
}

function open(reader: Reader): void {
  const { fragment } = reader
  fragment.expression.dressed = true
  fragment.grouped = true
  reader.open(Level.group)
}

function closeEmpty(reader: Reader): void {
  if (reader.lastKind === Kind.open) reader.close()
  else withoutOperand(reader, Kind.close)
}

/** `< >`, `! =`, NOT IN; MATCH a AGAINST; `~~1`. */
function compareAgain(reader: Reader, kind: Kind): void {
  const { expression } = reader.fragment
  if (afterSign.has(reader.lastKind)) {
    if (expression.left === Value.none && expression.term !== Value.none) expression.compare()
    reader.wait(kind)
  } else if (reader.lexer.word.isUnary) expression.dressed = true
  else if (reader.lexer.word.text !== 'match') withoutOperand(reader, kind)
}

/** A type before an operator is the name of a column; else an operand is missing. */
function withoutOperand(reader: Reader, kind: Kind): void {
  if (reader.lastKind !== Kind.type) {
    reader.break(kind)
    return
  }
  reader.take(Value.name)
  after(reader, kind)
}

function beginSubquery(reader: Reader): void {
  if (reader.lastKind === Kind.open || reader.lastKind === Kind.type) {
    const { points, expression } = reader.fragment
    reader.add(Evidence.queryIsOperand)
    if (expression.logical && points.rooted) reader.add(Evidence.callLogic)
  }
  reader.beginQuery()
}

/** Tokens that continue after an operand of the surrounding statement. */
const continuing: ReadonlySet<Kind> = new Set([
  Kind.comparison,
  Kind.logic,
  Kind.comma,
  Kind.union,
  Kind.from,
  Kind.where,
  Kind.group,
  Kind.having,
  Kind.limit,
  Kind.into,
  Kind.procedure,
])

/** Tokens before a `*` that means all columns. */
const beforeStar: ReadonlySet<Kind> = new Set([Kind.select, Kind.open, Kind.comma, Kind.dot, Kind.quantifier])

/** Tokens other than operands that may precede a comparison. */
const afterSign: ReadonlySet<Kind> = new Set([Kind.comparison, Kind.operator, Kind.not])
