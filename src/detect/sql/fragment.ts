import { Evidence, Points } from './evidence.ts'
import { Expression, Level, Value, Waiting } from './expression.ts'
import { Kind, Rank } from './kinds.ts'
import type { Lexer } from './lexer.ts'
import { isCatalogue } from './words.ts'

/** A part of a value that reads as SQL: its folded expression, and its evidence. */
export class Fragment {
  readonly points = new Points()
  readonly expression = new Expression()
  readonly #lexer: Lexer

  start = 0
  /** No fragment of the value before it broke off. */
  fresh = true
  /** Code of the quote that its first token closed; 0 if it begins in no string of the surrounding statement. */
  quote = 0
  /** It continued after a parenthesis that the surrounding statement had opened. */
  closed = false
  /** A statement was complete, so that another may follow. */
  allowsStatement = false
  /** It has an operand, a name that is no call, a parenthesis, a list outside parentheses, arithmetic. */
  hasOperand = false
  hasName = false
  grouped = false
  listed = false
  calculated = false
  /** It has THEN, a logic operator, a call of a listed function; a clause after a constant. */
  hasThen = false
  joined = false
  called = false
  claused = false
  /** The last name was where an operand was expected, not beside another word. */
  inOperandPosition = false
  /** A query follows its UNION. */
  united = false
  #inCall = false
  /** Arithmetic with the closed string continues with a name. */
  #addsName = false
  /** The string of the surrounding statement is open again. */
  #reopened = false
  /** The value of `hasName` before the last name, which may turn out to be the name of a call. */
  #hadName = false
  #numberStart = 0
  #numberEnd = 0

  constructor(lexer: Lexer) {
    this.#lexer = lexer
  }

  begin(start: number): void {
    this.points.begin()
    this.expression.begin()
    this.start = start
    this.fresh = false
    this.quote = 0
    this.closed = false
    this.allowsStatement = false
    this.hasOperand = false
    this.hasName = false
    this.grouped = false
    this.listed = false
    this.calculated = false
    this.hasThen = false
    this.joined = false
    this.called = false
    this.claused = false
    this.inOperandPosition = false
    this.united = false
    this.#inCall = false
    this.#addsName = false
    this.#reopened = false
    this.#hadName = false
    this.#numberStart = 0
    this.#numberEnd = 0
  }

  /** Reads the lexer's token as an operand. Only a following parenthesis shows that it is the name of a call. */
  take(value: Value): void {
    const { points, expression } = this
    const lexer = this.#lexer
    const { kind } = lexer
    if (value === Value.name) {
      this.#hadName = this.hasName
      this.hasName = true
      if (expression.tables) {
        points.add(Evidence.from)
        if (isCatalogue(lexer.value, lexer.start, lexer.end)) points.add(Evidence.catalogue)
      }
    }
    if (expression.selecting) this.#selects(value, kind === Kind.variable)
    if (value === Value.constant) {
      if (expression.ordering && points.rooted) points.add(Evidence.orderByValue)
      if (this.fresh && !this.hasOperand) points.rooted = true
      if (kind === Kind.number) this.#takeNumber()
      if (kind === Kind.openString && lexer.value.charCodeAt(lexer.start) === this.quote)
        this.#reopened = true
    }
    if (value === Value.call && expression.logical && points.rooted) points.add(Evidence.callLogic)
    if (lexer.afterComment) expression.dressed = true
    this.hasOperand = true
    this.inOperandPosition = true
    this.join(value)
  }

  /** `*` as an item. */
  takeStar(): void {
    if (this.expression.selecting) this.#selects(Value.call, false)
    this.expression.term = Value.call
  }

  #selects(value: Value, isVariable: boolean): void {
    const { points } = this
    if (this.united && value !== Value.name) points.add(Evidence.unionOfValue)
    if (isVariable) points.add(Evidence.selectVariable)
    else points.add(value === Value.name ? Evidence.selectName : Evidence.selectValue)
  }

  #takeNumber(): void {
    const { value, start, end } = this.#lexer
    const { expression } = this
    // "1 or 1" is stronger evidence than "1 or 2".
    if (expression.logical && sameText(value, start, end, this.#numberStart, this.#numberEnd))
      expression.dressed = true
    this.#numberStart = start
    this.#numberEnd = end
  }

  /** Completes an operand, and the operator that waited for it. */
  join(value: Value): void {
    const { expression, points } = this
    if (value > expression.term) expression.term = value
    if (this.quote === 0 || expression.waiting === Waiting.none) return
    if (expression.waiting === Waiting.logic) points.add(Evidence.quoteLogic)
    else if (value === Value.name) this.#addsName = true
    else points.add(Evidence.quoteArithmetic)
    expression.waiting = Waiting.none
    if (this.#reopened) points.add(Evidence.quoteOpened)
  }

  /** Handles the call of the last name; the lexer is at its parenthesis. */
  call(rank: Rank): void {
    const { points, expression } = this
    const known = rank !== Rank.none
    this.called ||= known
    if (known || this.#lexer.glued) this.hasName = this.#hadName
    if (this.inOperandPosition) this.#ranks(rank)
    if (expression.ordering) points.add(points.rooted ? Evidence.orderByValue : Evidence.clause)
    if (expression.logical && this.inOperandPosition && points.rooted) points.add(Evidence.callLogic)
    if (expression.selecting && (known || this.#lexer.glued)) this.#selects(Value.call, false)
    if (rank === Rank.cut || rank === Rank.server) this.#computes()
    if (this.inOperandPosition && this.#addsName) points.add(Evidence.quoteCall)
    if (this.inOperandPosition && rank === Rank.hot && points.rooted && this.#lexer.glued)
      points.add(Evidence.hotCall)
    expression.term = Value.none
    this.grouped = true
    this.#inCall = true
    expression.push(this.inOperandPosition && rank === Rank.hot ? Level.hotCall : Level.call)
    if (rank === Rank.choice) expression.logical = true
  }

  /** The operand of the surrounding statement continues as an expression with a call. */
  #computes(): void {
    const { points, expression, quote, inOperandPosition } = this
    if (points.rooted && quote === 0 && expression.waiting !== Waiting.none && inOperandPosition)
      points.add(Evidence.callOperand)
  }

  #ranks(rank: Rank): void {
    const { points } = this
    if (rank === Rank.server) {
      if (this.#inCall || points.has(Evidence.serverCall)) points.add(Evidence.secondServerCall)
      points.add(Evidence.serverCall)
    } else if (rank === Rank.cut) {
      if (points.has(Evidence.cutCall)) points.add(Evidence.secondCutCall)
      points.add(Evidence.cutCall)
    }
  }

  /** Closes the innermost parenthesis, or CASE: its content folds into one operand. */
  close(): void {
    const { expression, points } = this
    const { query, widest, level, depth } = expression
    this.condition(false)
    expression.pop()
    if (level === Level.hotCall) points.add(Evidence.hotCall)
    if (expression.selecting && !query) this.#selects(widest === Value.name ? Value.name : Value.call, false)
    if (depth === 1 && this.fresh && !this.hasName) points.rooted = true
    expression.dressed = true
    const isCall = query || level !== Level.group
    this.join(isCall ? Value.call : widest === Value.none ? Value.constant : widest)
  }

  /** Completes a condition; `joined` if a logic operator follows. */
  condition(joined: boolean): void {
    const { expression, points } = this
    const { logical, left, term } = expression
    if (left !== Value.none && term !== Value.none) this.#comparison(joined || logical)
    else if (term === Value.constant || (term === Value.call && !this.hasName)) this.#constant()
    else expression.before = term
    // `1 and a=1`: the surrounding statement had its operand, and now a condition.
    if (logical && left !== Value.none && points.rooted && this.quote === 0)
      points.add(Evidence.constantLogic)
    expression.term = Value.none
    expression.left = Value.none
    expression.dressed = false
  }

  #comparison(isJoined: boolean): void {
    const { expression, points } = this
    expression.before = Value.none
    if (!isJoined) return
    const { widest } = expression
    if (widest === Value.constant) points.add(Evidence.constantCondition)
    else points.add(widest === Value.call ? Evidence.callCondition : Evidence.nameCondition)
  }

  #constant(): void {
    const { expression, points } = this
    const isRooted = points.rooted || points.has(Evidence.clause)
    if (expression.logical && expression.before === Value.constant && isRooted) {
      points.add(Evidence.constantLogic)
      if (expression.dressed || expression.dressedBefore) points.add(Evidence.dressedLogic)
    }
    expression.before = Value.constant
    expression.dressedBefore = expression.dressed
  }
}

/** Longer numbers are not compared. */
const comparedBytes = 16

function sameText(value: string, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  const length = end - start
  if (length !== otherEnd - otherStart || length > comparedBytes) return false
  for (let at = 0; at < length; at++) {
    if (value.charCodeAt(start + at) !== value.charCodeAt(otherStart + at)) return false
  }
  return true
}
