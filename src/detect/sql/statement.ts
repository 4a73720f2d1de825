import { standsAt } from '../word-table.ts'
import { isOperandKind, Kind, Rank } from './kinds.ts'
import type { Lexer } from './lexer.ts'
import { type Statement, statementFillers } from './words.ts'

/** The effect of a token on a statement that has begun. */
export const Outcome = {
  /** The statement needs more tokens. */
  unfinished: 0,
  /** No statement continues with this token. */
  broken: 1,
  /** A statement, if a statement may begin at its position. */
  whole: 2,
  /** A statement at any position. */
  sure: 3,
  /** The words were a statement; another one follows at once. */
  block: 4,
  /** A call of a procedure, at its parenthesis. */
  call: 5,
} as const
export type Outcome = (typeof Outcome)[keyof typeof Outcome]

/** Bytes of a procedure's name that are searched for `..`. */
const searchedNameBytes = 40

/** Follows a statement from its first word until it is complete. */
export class StatementReader {
  #statement: Statement | null = null
  #hasObject = false
  #hasName = false
  #follows = false
  #quoted = false

  /**
   * @param follows whether it follows another statement @param quoted whether a string of the surrounding statement was
   * closed before
   */
  begin(statement: Statement | null, follows: boolean, quoted: boolean): void {
    this.#statement = statement
    this.#follows = follows
    this.#quoted = quoted
    this.#hasObject = false
    this.#hasName = false
  }

  /** Whether the first word alone is a complete statement, if nothing follows. */
  get endsHere(): boolean {
    return this.#statement?.needs === 'end' && (this.#hasObject || this.#statement.objects.size === 0)
  }

  read(lexer: Lexer): Outcome {
    const { kind, word } = lexer
    const { objects, needs } = this.#statement!
    if (!this.#hasObject && objects.size > 0) return this.#object(lexer)
    switch (needs) {
      case 'name':
      case 'rows':
        if (kind === Kind.if || kind === Kind.exists || kind === Kind.not || objects.has(word.text))
          return Outcome.unfinished
        return isOperandKind(kind) ? Outcome.whole : Outcome.broken
      case 'string':
        return kind === Kind.string || kind === Kind.openString || kind === Kind.variable
          ? Outcome.sure
          : Outcome.broken
      case 'variable':
        return kind === Kind.variable ? Outcome.sure : Outcome.broken
      case 'set':
        return this.#set(kind, word.text)
      case 'call':
        return this.#call(kind)
      case 'procedure':
        return this.#procedure(lexer)
      case 'label':
        if (kind !== Kind.name) return Outcome.broken
        return this.#follows ? Outcome.whole : Outcome.block
      case 'block':
        return Outcome.block
      case 'end':
        return Outcome.broken
    }
  }

  /** DROP TABLE, INSERT INTO; INSERT a VALUES */
  #object(lexer: Lexer): Outcome {
    const { kind, word } = lexer
    const { objects, needs } = this.#statement!
    if (this.#hasName) return kind === Kind.values ? Outcome.whole : Outcome.broken
    this.#hasObject = objects.has(word.text)
    if (this.#hasObject || statementFillers.has(word.text)) return Outcome.unfinished
    this.#hasName = needs === 'rows' && kind === Kind.name
    return this.#hasName ? Outcome.unfinished : Outcome.broken
  }

  /** UPDATE a.b SET */
  #set(kind: Kind, text: string): Outcome {
    if (this.#hasName && text === 'set') return Outcome.whole
    if (kind !== Kind.name && kind !== Kind.quotedName && kind !== Kind.dot) return Outcome.broken
    this.#hasName = true
    return Outcome.unfinished
  }

  /** CALL a( */
  #call(kind: Kind): Outcome {
    if (kind === Kind.open && this.#hasName) return Outcome.call
    if (kind !== Kind.name || this.#hasName) return Outcome.broken
    this.#hasName = true
    return Outcome.unfinished
  }

  /** EXEC(@a), EXEC @a, EXEC xp_a; any procedure or text after another statement and a closed string. */
  #procedure(lexer: Lexer): Outcome {
    const { kind, word, value, start, end } = lexer
    if (kind === Kind.open) return Outcome.unfinished
    if (kind === Kind.variable) return Outcome.sure
    if (kind === Kind.string) return this.#follows && this.#quoted ? Outcome.whole : Outcome.broken
    if (kind !== Kind.name && kind !== Kind.quotedName) return Outcome.broken
    if (standsAt(value, start, 'xp_') || standsAt(value, start, 'sp_') || hasTwoDots(value, start, end))
      return Outcome.sure
    if (word.rank !== Rank.none || word.text === 'immediate') return Outcome.whole
    return this.#follows && this.#quoted ? Outcome.whole : Outcome.broken
  }
}

/** `master..xp_cmdshell` */
function hasTwoDots(value: string, start: number, end: number): boolean {
  const last = Math.min(end, start + searchedNameBytes) - 1
  for (let at = start; at < last; at++) {
    if (value.charCodeAt(at) === 0x2e && value.charCodeAt(at + 1) === 0x2e) return true
  }
  return false
}
