import { Evidence } from './evidence.ts'
import { aliasesOfItem, Level } from './expression.ts'
import { isNameKind, isOperandKind, Kind, Rank } from './kinds.ts'
import { operand, start } from './operand.ts'
import { type Reader, State } from './reader.ts'
import { Outcome } from './statement.ts'

/** Reads a token after UNION. */
export function union(reader: Reader, kind: Kind): void {
  const fragment = reader.fragment
  switch (kind) {
    case Kind.quantifier:
      return
    case Kind.open:
      reader.add(Evidence.unionOfGroup)
      fragment.expression.push(Level.group)
      return
    case Kind.select:
    case Kind.values:
      beginUnited(reader)
      return
    default:
      // UNION TABLE a
      if (reader.lexer.word.text === 'table') beginUnited(reader)
      else reader.break(kind)
  }
}

function beginUnited(reader: Reader): void {
  const { fragment } = reader
  reader.add(fragment.points.rooted ? Evidence.unionAtOperand : Evidence.unionAtName)
  fragment.united = true
  reader.beginQuery()
}

/** Reads a token after PROCEDURE: a name and its parenthesis. */
export function procedure(reader: Reader, kind: Kind): void {
  const isName = reader.lastKind !== Kind.procedure
  if (isName && kind === Kind.open) {
    reader.add(Evidence.procedure)
    operand(reader, kind)
  } else if (isName || kind !== Kind.name) reader.break(kind)
}

/** Reads a token after the first word of a statement. */
export function goOnWithStatement(reader: Reader, kind: Kind): void {
  const fragment = reader.fragment
  switch (reader.statement.read(reader.lexer)) {
    case Outcome.unfinished:
      return
    case Outcome.broken:
      reader.break(kind)
      return
    case Outcome.whole:
      completeStatement(reader)
      return
    case Outcome.sure:
      reader.add(Evidence.sureStatement)
      return
    case Outcome.call:
      completeStatement(reader)
      reader.call(Rank.none)
      return
    case Outcome.block:
      fragment.allowsStatement = true
      reader.state = State.start
      if (kind !== Kind.name) start(reader, kind)
  }
}

function completeStatement(reader: Reader): void {
  const fragment = reader.fragment
  if (fragment.points.rooted) reader.add(Evidence.statementAtHost)
  else if (fragment.allowsStatement) reader.add(Evidence.statement)
  fragment.allowsStatement = true
  // Clauses may follow.
  fragment.expression.query = true
  fragment.expression.aliases = aliasesOfItem
  reader.state = State.after
}

/** Skips an operand that changes nothing, such as an alias. */
export function skip(reader: Reader, kind: Kind): void {
  reader.state = State.after
  if (kind === Kind.open) {
    reader.call(Rank.none)
  } else if (!isOperandKind(kind) && !isNameKind(kind)) reader.break(kind)
}
