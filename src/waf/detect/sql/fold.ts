import { completesStatement } from './keywords.ts'
import { type Reading, type Token, Tokenizer } from './tokens.ts'

/** Tokens left after folding that are judged. Injected SQL stands at the front of a value; prose leaves few tokens. */
const foldedTokensMax = 256

export interface Folded {
  readonly tokens: readonly Token[]
  /** The other dialect would read the value differently. */
  readonly ambiguous: boolean
}

/**
 * Reads a value and folds what is one operand to SQL into one token: arithmetic, comparisons, lists, parentheses,
 * calls of unknown functions, runs of bare words. Long prefixes such as `1+1+(2),3` do not hide what follows them.
 * Where a quote was open, the first token is the string that the value closes, and nothing is folded into it.
 * Every step drops a token or pushes one, so the work is linear in the value.
 */
export function fold(value: string, reading: Reading): Folded {
  const tokenizer = new Tokenizer(value, reading)
  const folder = new Folder(reading.quote === '' ? 0 : 1)
  for (let token = tokenizer.next(); token !== null; token = tokenizer.next()) {
    folder.push(token)
    if (folder.tokens.length > foldedTokensMax) break
  }
  return { tokens: folder.finish(), ambiguous: tokenizer.ambiguous }
}

/** Numbers, strings, bare words and variables: what an operator may stand between. */
export function isOperand(token: Token | undefined): token is Token & { type: '1' | 's' | 'n' | 'v' } {
  return (
    token !== undefined &&
    (token.type === '1' || token.type === 's' || token.type === 'n' || token.type === 'v')
  )
}

const comparisons = new Set([
  '=',
  '==',
  '<>',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '<=>',
  '!<',
  '!>',
  '@>',
  '<@',
  '->',
  '->>',
  '#>>',
])
const wordComparisons = new Set([
  'like',
  'rlike',
  'regexp',
  'glob',
  'ilike',
  'sounds',
  'similar',
  'between',
  'is',
  'in',
])
const unaries = new Set(['+', '-', '~', '!', 'not'])

class Folder {
  readonly tokens: Token[] = []
  /** Tokens at the front that never fold: the string that the value closes. */
  readonly #fixed: 0 | 1
  /** A comment counts only as the end of the value; with more behind it, it is white space. */
  #comment: Token | null = null

  constructor(fixed: 0 | 1) {
    this.#fixed = fixed
  }

  finish(): readonly Token[] {
    if (this.#comment !== null) this.tokens.push(this.#comment)
    return this.tokens
  }

  push(token: Token): void {
    if (token.type === 'c') {
      this.#comment = token
      return
    }
    this.#comment = null
    if (this.tokens.length < this.#fixed) this.tokens.push(token)
    else if (this.#joinsPrevious(token)) return
    else if (isOperand(token)) this.#operand(token)
    else if (token.type === ')') this.#close(token)
    else if (token.type === 'o') this.#operator(token)
    else if (token.type === '&') this.#logic(token)
    else if (token.type === ';' && this.tokens.at(-1)?.type === ';') return
    else this.tokens.push(token)
  }

  /** The folded token `back` places from the end; undefined where folding must not reach. */
  #top(back = 0): Token | undefined {
    const index = this.tokens.length - 1 - back
    return index < this.#fixed ? undefined : this.tokens[index]
  }

  /** Keywords of several words, and words that only modify the one before them. */
  #joinsPrevious(token: Token): boolean {
    const top = this.#top()
    if (top === undefined || token.text === '') return false
    if (top.type === 'T' && !top.complete) return this.#joinsStatement(top, token)
    if (top.type === 'B' && !top.complete) return this.#joinsBy(top, token)
    switch (token.text) {
      case 'all':
      case 'distinct':
      case 'top':
        return top.type === 'U' || top.type === 'E'
      case 'to':
        return top.text === 'similar'
      case 'asc':
      case 'desc':
        return this.#top(1)?.type === 'B'
      case 'outfile':
      case 'dumpfile':
        if (top.text !== 'into') return false
        top.type = 'X'
        return true
      default:
        return false
    }
  }

  #joinsStatement(top: Token, token: Token): boolean {
    const { text } = top
    if (
      completesStatement(text, token.text) ||
      (text === 'waitfor' && (token.text === 'delay' || token.text === 'time'))
    ) {
      top.complete = true
      top.end = token.end
      if (text === 'waitfor') top.type = 'X'
      return true
    }
    return false
  }

  #joinsBy(top: Token, token: Token): boolean {
    if (token.text === 'by') {
      top.complete = true
      top.end = token.end
      return true
    }
    // "order", "group", "partition" alone are words like any other.
    this.tokens.pop()
    this.#operand({ ...top, type: 'n' })
    return this.#joinsPrevious(token)
  }

  #operand(token: Token): void {
    const { tokens } = this
    let top = this.#top()
    while (top !== undefined && top.type === 'o' && unaries.has(top.text) && this.#unaryPlace()) {
      tokens.pop()
      top = this.#top()
    }
    const below = this.#top(1)
    if (top === undefined) tokens.push(token)
    else if (isOperand(top)) sideBySide(top, token)
    else if (top.type === 'o' && isOperand(below)) {
      compare(below, top.text, token)
      tokens.pop()
    } else if (top.type === ',' && isOperand(below)) {
      extend(below, token)
      below.list = true
      tokens.pop()
    } else if (top.type === '&' && isOperand(below) && below.list && below.text === 'between') {
      extend(below, token)
      tokens.pop()
    } else tokens.push(token)
  }

  /** Whether the operator on top has no left operand. */
  #unaryPlace(): boolean {
    const index = this.tokens.length - 2
    const below = this.tokens[index]
    if (below === undefined) return true
    if (index < this.#fixed) return false
    return !isOperand(below) && below.type !== ')'
  }

  #operator(token: Token): void {
    const top = this.#top()
    if (top?.type === 'o') {
      if (unaries.has(token.text) && !(unaries.has(top.text) && this.#unaryPlace())) {
        const under = this.#top(1)
        if (under?.type !== 'o') this.tokens.push(token)
        return
      }
      // "not like", "sounds like", "- -": the last one says what is done.
      this.tokens.pop()
    }
    this.tokens.push(token)
  }

  /** `X & Y &` becomes `X &`; what the comparison in Y said is kept at the operator. */
  #logic(token: Token): void {
    const [y, operator, x] = [this.#top(), this.#top(1), this.tokens.at(-3)]
    // A string after the string that the value closed stays: judge.ts looks at the quotes of both.
    const strings = this.#fixed === 1 && y?.type === 's' && y.claim === 0
    if (isOperand(y) && operator?.type === '&' && isOperand(x) && !strings) {
      operator.claim = stronger(operator.claim, y.prose && y.claim < 2 ? 0 : y.claim)
      operator.end = token.end
      operator.complete = true
      this.tokens.pop()
    } else this.tokens.push(token)
  }

  #close(token: Token): void {
    const { tokens } = this
    this.#joinLogic()
    const inner = this.#top()
    const open = this.#top(1)
    if (isOperand(inner) && open?.type === '(') {
      tokens.length -= 2
      this.#closed(open, inner, token)
    } else if (inner?.type === '(' && this.#top(1)?.type !== 'f') {
      tokens.pop()
      const name = this.#top()
      if (name?.type === 'n') name.end = token.end
      else this.#operand({ ...token, type: '1' })
    } else if (tokens.at(-1)?.type !== ')') tokens.push(token)
  }

  /** Inside parentheses `X & Y` is one operand. */
  #joinLogic(): void {
    const [y, operator, x, open] = [this.#top(), this.#top(1), this.#top(2), this.#top(3)]
    if (!isOperand(y) || operator?.type !== '&' || !isOperand(x) || open?.type !== '(') return
    extend(x, y)
    x.claim = stronger(x.claim, operator.claim)
    this.tokens.length -= 2
  }

  /** A whole pair of parentheses: the arguments of a call, or an operand. */
  #closed(open: Token, inner: Token, token: Token): void {
    const before = this.tokens.at(-1)
    if (before?.type === 'f' && this.tokens.length > this.#fixed) {
      this.tokens.push(open, inner, token)
      return
    }
    inner.end = token.end
    inner.list = false
    if (isOperand(before) && before.complete && this.tokens.length > this.#fixed) {
      before.end = token.end
      before.claim = stronger(before.claim, inner.claim)
    } else this.#operand(inner)
  }
}

/** Two operands without an operator. `'a' 'b'` and `date '2020-01-01'` are SQL, the rest is how people write. */
function sideBySide(left: Token, right: Token): void {
  const sql =
    right.type === 's' &&
    !left.prose &&
    (left.type === 's' || left.text === 'date' || left.text === 'timestamp' || left.text === 'interval')
  extend(left, right)
  if (!sql) left.prose = true
}

function compare(left: Token, operator: string, right: Token): void {
  const constants = isConstant(left) && isConstant(right)
  const someConstant = isConstant(left) || isConstant(right)
  const prose = left.prose || right.prose
  const own = comparisons.has(operator)
    ? constants
      ? 2
      : 1
    : wordComparisons.has(operator) && someConstant
      ? wordClaim(operator, constants, right)
      : 0
  if (operator === 'between') left.list = true
  extend(left, right)
  if (operator === 'between') left.text = 'between'
  left.claim = stronger(left.claim, prose && !constants ? 0 : own)
}

/** `5 in 10`, `7 is 7` and `between 5 and 9` are English as well. */
function wordClaim(operator: string, constants: boolean, right: Token): 0 | 1 | 2 {
  if (operator === 'in') return 0
  if (operator === 'is') return right.text === '' ? 0 : 1
  return constants && operator !== 'between' ? 2 : 1
}

function isConstant(token: Token): boolean {
  return token.type === '1' || token.type === 's'
}

function extend(left: Token, right: Token): void {
  left.end = right.end
  left.open = right.open
  left.claim = stronger(left.claim, right.claim)
  left.prose ||= right.prose
}

function stronger(a: 0 | 1 | 2, b: 0 | 1 | 2): 0 | 1 | 2 {
  return a > b ? a : b
}
