import { Kind } from './kinds.ts'
import { Lexer } from './lexer.ts'
import type { Reading } from './reading.ts'

const lettersKept = 5
/** Tokens that folding may drop before there are enough letters. */
const tokensFolded = 64

const letters: Readonly<Record<Kind, string>> = {
  [Kind.end]: '',
  [Kind.number]: '1',
  [Kind.string]: 's',
  [Kind.openString]: 's',
  [Kind.variable]: 'v',
  [Kind.name]: 'n',
  [Kind.quotedName]: 'n',
  [Kind.constant]: '1',
  [Kind.operator]: 'o',
  [Kind.comparison]: 'o',
  [Kind.logic]: '&',
  [Kind.open]: '(',
  [Kind.close]: ')',
  [Kind.comma]: ',',
  [Kind.semicolon]: ';',
  [Kind.dot]: '.',
  [Kind.brace]: '{',
  [Kind.braceEnd]: '}',
  [Kind.colon]: ':',
  [Kind.tail]: 'c',
  [Kind.other]: '?',
  [Kind.not]: 'o',
  [Kind.type]: 't',
  [Kind.select]: 'E',
  [Kind.union]: 'U',
  [Kind.quantifier]: 'k',
  [Kind.from]: 'k',
  [Kind.where]: 'k',
  [Kind.group]: 'B',
  [Kind.by]: '',
  [Kind.having]: 'B',
  [Kind.limit]: 'B',
  [Kind.into]: 'k',
  [Kind.file]: '',
  [Kind.procedure]: 'k',
  [Kind.join]: 'k',
  [Kind.as]: 'k',
  [Kind.postfix]: 'A',
  [Kind.suffix]: '',
  [Kind.case]: 'E',
  [Kind.when]: 'k',
  [Kind.caseThen]: 'k',
  [Kind.else]: 'k',
  [Kind.caseEnd]: 'k',
  [Kind.exists]: 'E',
  [Kind.values]: 'k',
  [Kind.statement]: 'T',
  [Kind.gap]: '',
  [Kind.modifier]: 'k',
  [Kind.if]: 'T',
  [Kind.on]: 'k',
}

const lexer = new Lexer()

/**
 * The shape of an injection in at most five letters, known from other engines: `s` string, `1` number or constant,
 * `n` name, `v` variable, `f` function, `o` operator, `&` logic. `U` UNION, `E` SELECT or CASE, `T` statement, `B`
 * GROUP BY, ORDER BY, HAVING or LIMIT, `k` other keyword, `t` type. `A` COLLATE, `c` comment, `X` comment that runs.
 * Punctuation stands for itself. Operands with operators or commas between them fold into one.
 * @param at start of the detected fragment
 */
export function fingerprintOf(value: string, reading: Reading, at: number): string {
  lexer.begin(value, reading)
  if (at > 0) lexer.seek(at)
  const found: string[] = []
  for (let tokens = 0; tokens < tokensFolded && found.length <= lettersKept; tokens++) {
    const kind = lexer.next()
    if (lexer.running) found.push('X')
    if (kind === Kind.end) break
    if (kind === Kind.open && found.at(-1) === 'n') found[found.length - 1] = 'f'
    const letter = letters[kind]
    if (letter !== '' && !isDropped(kind, found)) found.push(letter)
    fold(found)
  }
  lexer.begin('', reading)
  return found.slice(0, lettersKept).join('')
}

/** Signs before an operand, ALL after UNION, types before an operand. */
function isDropped(kind: Kind, found: readonly string[]): boolean {
  const last = found.at(-1)
  if (kind === Kind.quantifier) return last === 'U' || last === 'E'
  if (kind === Kind.type) return last === undefined || !isOperand(last)
  const isSign = kind === Kind.not || (kind === Kind.operator && lexer.word.isUnary)
  return isSign && (last === undefined || !(isOperand(last) || last === ')'))
}

/** `1 o 1` and `1 , 1` are `1`. */
function fold(found: string[]): void {
  const [left, between, right] = found.slice(-3)
  if (right === undefined || !isOperand(left!) || !isOperand(right)) return
  // The first operand of a quoted reading is the string of the surrounding statement. The attack follows it.
  if ((between === 'o' || between === ',') && found.length > 3) found.length -= 2
}

function isOperand(letter: string): boolean {
  return '1snv'.includes(letter)
}
