import { after } from './after-operand.ts'
import { ends } from './ends.ts'
import { Evidence } from './evidence.ts'
import { Value } from './expression.ts'
import { isOperandKind, Kind } from './kinds.ts'
import { operand, start } from './operand.ts'
import { goOnWithStatement, procedure, skip, union } from './phrases.ts'
import { Reader, State } from './reader.ts'
import type { Reading } from './reading.ts'

/**
 * Reads a value as SQL that continues after an operand of the surrounding statement, in one reading and without
 * backtracking.
 *
 * The grammar alternates between two states: an operand is expected, or one is complete. Operators, parentheses, calls
 * and lists fold into one operand as they are read. So neither their number nor their depth hides later input. If two
 * operands are side by side, as words of a sentence are, the fragment breaks off and the next one begins.
 */
export class Grammar {
  readonly #reader = new Reader()

  /** Some part was read in one way that the other dialect reads differently. */
  get ambiguous(): boolean {
    return this.#reader.lexer.ambiguous
  }

  /** Start of the detected fragment. */
  get foundAt(): number {
    return this.#reader.fragment.start
  }

  /** @returns false if the value stays inside the string that the reading has open: then there is nothing to read */
  begin(value: string, reading: Reading): boolean {
    const reader = this.#reader
    reader.lexer.begin(value, reading)
    reader.begin()
    return reading.quote === '' || leavesString(reader, reading.quote.charCodeAt(0))
  }

  /**
   * Reads up to a position of the value, or slightly further.
   * @returns whether a fragment of the value is an injection; undefined while that is open
   */
  readTo(position: number): boolean | undefined {
    this.#reader.lexer.pauseAt = position
    return reads(this.#reader)
  }
}

/** The first token closes the open string of the surrounding statement. */
function leavesString(reader: Reader, quote: number): boolean {
  const { lexer, fragment } = reader
  if (lexer.next() !== Kind.string) return false
  fragment.quote = quote
  fragment.points.rooted = true
  fragment.expression.term = Value.constant
  reader.atQuote = true
  reader.lastKind = Kind.string
  reader.state = State.after
  return true
}

function reads(reader: Reader): boolean | undefined {
  const { lexer, fragment } = reader
  const { points } = fragment
  for (;;) {
    const kind = reader.ending ? lexer.kind : lexer.next()
    if (kind === Kind.gap) return undefined
    if (lexer.running && (kind !== Kind.name || lexer.word.rank > 0)) points.add(Evidence.runningComment)
    if (lexer.nested && points.rooted) points.add(Evidence.nestedComment)
    if (kind === Kind.end || kind === Kind.tail) {
      const levels = lexer.pauseAt === Number.POSITIVE_INFINITY ? lexer.pauseAt : levelsAtOnce
      return ends(reader, kind === Kind.tail || lexer.afterLine, levels)
    }
    step(reader, kind)
    if (points.convinces) return true
    reader.lastKind = kind
    reader.lastWord = lexer.word
  }
}

function step(reader: Reader, kind: Kind): void {
  switch (reader.state) {
    case State.start:
      start(reader, kind)
      break
    case State.operand:
      operand(reader, kind)
      break
    case State.after:
      after(reader, kind)
      break
    case State.union:
      union(reader, kind)
      break
    case State.by:
      if (kind !== Kind.by) reader.break(kind)
      else {
        reader.fragment.expression.ordering = true
        reader.state = State.operand
      }
      break
    case State.into:
      if (kind === Kind.file) reader.state = State.file
      else skip(reader, kind)
      break
    case State.file:
      if (isOperandKind(kind) || kind === Kind.open) reader.add(Evidence.intoFile)
      operand(reader, kind)
      break
    case State.list:
      if (kind === Kind.open || kind === Kind.type) operand(reader, kind)
      else reader.break(kind)
      break
    case State.procedure:
      procedure(reader, kind)
      break
    case State.skipped:
      skip(reader, kind)
      break
    case State.statement:
      goOnWithStatement(reader, kind)
  }
}

/** Parentheses that are closed between two pauses: some tenths of a millisecond. */
const levelsAtOnce = 16 * 1024
