/** Parts of an expression, the most telling last. */
export const Value = { none: 0, constant: 1, name: 2, call: 3 } as const
export type Value = (typeof Value)[keyof typeof Value]

/** Kinds of parentheses: around an expression or a query, around the arguments of a call, or CASE … END. */
export const Level = { group: 0, call: 1, hotCall: 2, case: 3 } as const
export type Level = (typeof Level)[keyof typeof Level]

/** The operator that waits for its right operand: none, arithmetic, or a comparison or logic. */
export const Waiting = { none: 0, arithmetic: 1, logic: 2 } as const
export type Waiting = (typeof Waiting)[keyof typeof Waiting]

/** Words beside an item of a list: `a as b` without AS, `a left join b`. */
export const aliasesOfItem = 2

/** Memory for more levels is released after the value. */
const levelsKept = 4096

/**
 * The folded expression at the innermost open parenthesis, and a summary of the expressions around it. A level takes 15
 * bits, so depth costs next to nothing.
 */
export class Expression {
  /** The operands since the last comparison or logic operator. */
  term: Value = Value.none
  /** The operands left of the comparison; none without a comparison. */
  left: Value = Value.none
  /** The condition left of the last logic operator, if it was a bare operand. */
  before: Value = Value.none
  waiting: Waiting = Waiting.none
  /** A condition: after a logic operator, WHERE, HAVING, IF or WHEN. */
  logical = false
  /** The next AND belongs to BETWEEN. */
  between = false
  /**
   * The operand has something that plain values lack: a sign, parentheses, a comment before it, NOT, NULL, TRUE. The
   * second field is for the previous operand.
   */
  dressed = false
  dressedBefore = false
  /** After SELECT; and there: between it and FROM, in its list of tables, or after BY. */
  query = false
  selecting = false
  tables = false
  ordering = false
  /** Names beside the last item of a list. */
  aliases = 0

  depth = 0
  #levels = new Uint16Array(64)

  begin(): void {
    this.depth = 0
    if (this.#levels.length > levelsKept) this.#levels = new Uint16Array(64)
    this.clear()
  }

  clear(): void {
    this.query = false
    this.selecting = false
    this.tables = false
    this.ordering = false
    this.nextItem()
  }

  /** The next item of a list. */
  nextItem(): void {
    this.term = Value.none
    this.left = Value.none
    this.before = Value.none
    this.waiting = Waiting.none
    this.logical = false
    this.between = false
    this.dressed = false
    this.dressedBefore = false
    this.aliases = 0
  }

  /** All operands of the comparison, or of the bare expression. */
  get widest(): Value {
    return Math.max(this.term, this.left) as Value
  }

  /** The kind of the innermost open parenthesis; a group if none is open. */
  get level(): Level {
    return this.depth === 0 ? Level.group : (((this.#levels[this.depth - 1]! >> 11) & 3) as Level)
  }

  compare(): void {
    this.left = this.widest
    this.term = Value.none
  }

  push(level: Level): void {
    if (this.depth === this.#levels.length) {
      const larger = new Uint16Array(this.depth * 2)
      larger.set(this.#levels)
      this.#levels = larger
    }
    const { logical, query, selecting, ordering } = this
    this.#levels[this.depth++] =
      (this.waiting << 13) |
      (level << 11) |
      (this.before << 9) |
      (this.term << 7) |
      (this.left << 5) |
      (logical ? 1 : 0) |
      (query ? 2 : 0) |
      (selecting ? 4 : 0) |
      (this.tables ? 8 : 0) |
      (ordering ? 16 : 0)
    this.clear()
    // Parentheses around a condition or an item change nothing; parentheses of a call begin a new expression.
    if (level === Level.group) {
      this.logical = logical
      this.selecting = selecting
      this.ordering = ordering
    } else this.query = query && level === Level.case
  }

  /** Returns to the enclosing expression. */
  pop(): void {
    const bits = this.#levels[--this.depth]!
    this.clear()
    this.waiting = (bits >> 13) as Waiting
    this.before = ((bits >> 9) & 3) as Value
    this.term = ((bits >> 7) & 3) as Value
    this.left = ((bits >> 5) & 3) as Value
    this.logical = (bits & 1) !== 0
    this.query = (bits & 2) !== 0
    this.selecting = (bits & 4) !== 0
    this.tables = (bits & 8) !== 0
    this.ordering = (bits & 16) !== 0
  }
}
