import { Evidence } from './evidence.ts'
import { Level, Value, Waiting } from './expression.ts'
import { Fragment } from './fragment.ts'
import { isNameKind, isOperandKind, Kind } from './kinds.ts'
import { Lexer } from './lexer.ts'
import { StatementReader } from './statement.ts'
import { unknownWord, type Word } from './words.ts'

/** The expected token. */
export const State = {
  /** A statement, an operand, or the continuation of an operand of the surrounding statement. */
  start: 0,
  operand: 1,
  /** An operand is complete. */
  after: 2,
  /** After UNION. */
  union: 3,
  /** After GROUP or ORDER. */
  by: 4,
  into: 5,
  file: 6,
  procedure: 7,
  /** An operand that changes nothing: after COLLATE, AS, FOR. */
  skipped: 8,
  /** After the first word of a statement. */
  statement: 9,
  /** After IN. */
  list: 10,
} as const
export type State = (typeof State)[keyof typeof State]

/** The state of a reading, and the steps that all parts of the grammar share. */
export class Reader {
  readonly lexer = new Lexer()
  readonly fragment = new Fragment(this.lexer)
  readonly statement = new StatementReader()
  state: State = State.start
  /** The previous token. */
  lastKind: Kind = Kind.end
  lastWord: Word = unknownWord
  /** The previous token closed the string of the surrounding statement. */
  atQuote = false
  /** A command follows `;` after a complete operand of the surrounding statement. */
  stacked = false
  /** The operand of UNION is not a plain one. */
  unionDressed = false
  /** The value is read, and its open parentheses are being closed. */
  ending = false

  begin(): void {
    this.ending = false
    this.fragment.begin(0)
    this.fragment.fresh = true
    this.state = State.start
    this.lastKind = Kind.end
    this.lastWord = unknownWord
    this.atQuote = false
    this.stacked = false
  }

  add(row: number): void {
    this.fragment.points.add(row)
  }

  take(value: Value): void {
    this.fragment.take(value)
    this.state = State.after
  }

  open(level: Level): void {
    this.fragment.expression.push(level)
    this.state = State.operand
  }

  /** Begins a call of the previous name. */
  call(rank: Word['rank']): void {
    this.fragment.call(rank)
    this.state = State.operand
  }

  close(): void {
    const { fragment } = this
    this.state = State.after
    if (fragment.expression.depth > 0) fragment.close()
    else {
      fragment.condition(false)
      fragment.closed = true
      if (fragment.points.rooted) this.add(Evidence.closedHost)
    }
  }

  /** Lets an operator wait for its right operand. */
  wait(kind: Kind): void {
    const { fragment, lexer } = this
    const { expression } = fragment
    if (kind !== Kind.operator) expression.waiting = Waiting.logic
    else {
      fragment.calculated = true
      if (expression.waiting === Waiting.none) expression.waiting = Waiting.arithmetic
    }
    this.state = lexer.word.text === 'in' ? State.list : State.operand
  }

  beginQuery(): void {
    const { expression } = this.fragment
    expression.clear()
    expression.query = true
    expression.selecting = true
    this.state = State.operand
  }

  beginStatement(): void {
    const { allowsStatement, quote, expression } = this.fragment
    this.statement.begin(this.lexer.word.statement, allowsStatement, quote !== 0)
    expression.clear()
    this.state = State.statement
  }

  /**
   * Handles a token that is no SQL here. The next fragment begins with it, as the operand of the surrounding statement.
   */
  break(kind: Kind): void {
    const { fragment } = this
    // The caller checks this next.
    if (fragment.points.convinces) return
    fragment.begin(this.lexer.start)
    this.state = State.after
    if (isNameKind(kind) && kind !== Kind.statement) {
      fragment.expression.term = Value.name
      fragment.hasName = true
    } else if (isOperandKind(kind)) fragment.expression.term = Value.constant
    else this.#restart(kind)
  }

  #restart(kind: Kind): void {
    switch (kind) {
      case Kind.statement:
        this.beginStatement()
        break
      case Kind.select:
        this.beginQuery()
        break
      case Kind.case:
        this.open(Level.case)
        break
      case Kind.open:
        this.open(Level.group)
        break
      case Kind.logic:
        this.fragment.expression.logical = true
        this.state = State.operand
        break
      case Kind.union:
        this.state = State.union
        break
      case Kind.procedure:
        this.state = State.procedure
        break
      case Kind.semicolon:
        this.fragment.allowsStatement = true
        this.state = State.start
        break
      default:
        this.state = State.start
    }
  }
}
