import { Evidence } from './evidence.ts'
import { aliasesOfItem, Level, Value } from './expression.ts'
import { isNameKind, Kind, Rank } from './kinds.ts'
import { type Reader, State } from './reader.ts'

/** Reads a token after a complete operand. */
export function after(reader: Reader, kind: Kind): void {
  const { expression } = reader.fragment
  const atQuote = reader.atQuote
  reader.atQuote = false
  switch (kind) {
    case Kind.operator:
      reader.wait(kind)
      return
    case Kind.comparison:
      expression.between = reader.lexer.word.text === 'between'
      reader.wait(kind)
      expression.compare()
      return
    case Kind.logic:
      logic(reader, kind)
      return
    case Kind.not:
    case Kind.dot:
      reader.state = State.operand
      return
    case Kind.open:
      openBehind(reader, atQuote)
      return
    case Kind.close:
      reader.close()
      return
    case Kind.comma:
      reader.fragment.condition(false)
      reader.fragment.listed ||= expression.depth === 0
      expression.nextItem()
      reader.state = State.operand
      return
    case Kind.semicolon:
      reader.fragment.condition(false)
      expression.begin()
      reader.fragment.allowsStatement = true
      reader.state = State.start
      return
    case Kind.colon:
      // A label
      if (reader.fragment.allowsStatement) reader.state = State.start
      else reader.break(kind)
      return
    case Kind.braceEnd:
    case Kind.suffix:
      return
    case Kind.as:
      if (!expression.query && expression.depth === 0 && reader.lastKind !== Kind.close) reader.break(kind)
      else reader.state = State.skipped
      return
    case Kind.postfix:
    case Kind.modifier:
      reader.state = State.skipped
      return
    default:
      clause(reader, kind, atQuote)
  }
}

function logic(reader: Reader, kind: Kind): void {
  const { expression } = reader.fragment
  if (expression.between && reader.lexer.word.text === 'and') {
    expression.between = false
    reader.state = State.operand
    return
  }
  reader.fragment.condition(true)
  reader.fragment.joined = true
  expression.logical = true
  reader.wait(kind)
}

function openBehind(reader: Reader, atQuote: boolean): void {
  const fragment = reader.fragment
  if (isNameKind(reader.lastKind) || reader.lastKind === Kind.variable) {
    reader.call(reader.lastWord.rank)
  } else if (atQuote || (fragment.points.rooted && reader.lastKind === Kind.number)) {
    // `1' (select`, `1 (select`
    if (atQuote) reader.add(Evidence.quoteGroup)
    reader.open(Level.group)
  } else reader.break(Kind.open)
}

/** A clause, or a token beside the operand. */
function clause(reader: Reader, kind: Kind, atQuote: boolean): void {
  const fragment = reader.fragment
  const { expression } = fragment
  switch (kind) {
    case Kind.union:
      reader.unionDressed = isUnionDressed(reader)
      fragment.condition(false)
      reader.state = State.union
      return
    case Kind.select:
      fragment.condition(false)
      if (atQuote) reader.add(Evidence.quoteQuery)
      reader.beginQuery()
      return
    case Kind.from:
      from(reader, kind)
      return
    case Kind.join:
      if (!expression.query) {
        reader.break(kind)
        return
      }
      beginClause(reader, atQuote)
      expression.tables = true
      return
    case Kind.on:
      if (expression.query) beginCondition(reader, atQuote)
      else reader.break(kind)
      return
    case Kind.where:
      reader.add(Evidence.queryClause)
      beginCondition(reader, false)
      return
    case Kind.having:
      reader.add(Evidence.clause)
      beginCondition(reader, atQuote)
      return
    case Kind.group:
      beginClause(reader, atQuote)
      fragment.claused = true
      reader.state = State.by
      return
    case Kind.limit:
      beginClause(reader, atQuote)
      fragment.claused = true
      return
    case Kind.into:
      fragment.condition(false)
      reader.state = State.into
      return
    case Kind.procedure:
      fragment.condition(false)
      reader.state = State.procedure
      return
    case Kind.when:
    case Kind.caseThen:
    case Kind.else:
    case Kind.caseEnd:
      goOnWithCase(reader, kind)
      return
    case Kind.statement:
      if (!fragment.points.rooted && !fragment.allowsStatement) {
        reader.break(kind)
        return
      }
      fragment.condition(false)
      reader.beginStatement()
      return
    default:
      // `' sleep(5)`
      if (atQuote && reader.lexer.word.rank === Rank.hot) reader.take(Value.name)
      else beside(reader, kind)
  }
}

function isUnionDressed(reader: Reader): boolean {
  const { expression, calculated, quote, closed } = reader.fragment
  const { afterComment, glued } = reader.lexer
  return expression.dressed || calculated || afterComment || glued || (quote !== 0 && closed)
}

function from(reader: Reader, kind: Kind): void {
  const fragment = reader.fragment
  const { expression, points } = fragment
  if (expression.depth === 0 && fragment.closed && points.rooted) reader.add(Evidence.fromAtHost)
  else if (expression.depth === 0 && !expression.query) {
    reader.break(kind)
    return
  }
  fragment.condition(false)
  expression.selecting = false
  expression.tables = true
  expression.aliases = 0
  reader.state = State.operand
}

function beginClause(reader: Reader, atQuote: boolean): void {
  const { expression } = reader.fragment
  if (atQuote) reader.add(Evidence.quoteClause)
  if (expression.query) reader.add(Evidence.queryClause)
  reader.fragment.condition(false)
  expression.nextItem()
  expression.tables = false
  expression.ordering = false
  reader.state = State.operand
}

function beginCondition(reader: Reader, atQuote: boolean): void {
  beginClause(reader, atQuote)
  reader.fragment.expression.logical = true
}

function goOnWithCase(reader: Reader, kind: Kind): void {
  const fragment = reader.fragment
  const { expression } = fragment
  if (expression.level !== Level.case) {
    reader.break(kind)
    return
  }
  if (kind === Kind.caseEnd) {
    if (fragment.hasThen) reader.add(Evidence.wholeCase)
    reader.close()
    return
  }
  const hasName = expression.widest === Value.name
  fragment.condition(false)
  if (kind === Kind.caseThen && !hasName) reader.add(Evidence.constantCase)
  expression.logical = kind === Kind.when
  fragment.hasThen ||= kind === Kind.caseThen
  reader.state = State.operand
}

/** An operand beside an operand: an alias, a continued string, or no SQL. */
function beside(reader: Reader, kind: Kind): void {
  const { expression } = reader.fragment
  const isText = kind === Kind.string || kind === Kind.openString
  if (isText && reader.lastKind === Kind.string && (expression.left !== Value.none || expression.logical))
    return
  if (expression.query && expression.aliases < aliasesOfItem && (isText || isNameKind(kind))) {
    expression.aliases++
    return
  }
  reader.break(kind)
}
