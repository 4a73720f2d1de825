import { completesStatement } from './keywords.ts'
import { Token } from './token.ts'
import { type Reading, Tokenizer } from './tokens.ts'
import { findWord, noWord } from './words.ts'

/** Tokens left after folding that are judged. Injected SQL stands at the front of a value; prose leaves few tokens. */
const foldedTokensMax = 256

export interface Folded {
  /** Valid until the next value is folded: the tokens are reused. */
  readonly tokens: readonly Token[]
  /** The other dialect would read the value differently. */
  readonly ambiguous: boolean
}

/**
 * Reads a value and folds what is one operand to SQL into one token: arithmetic, comparisons, lists, parentheses,
 * calls of unknown functions, runs of bare words. Long prefixes such as `1+1+(2),3` do not hide what follows them.
 * Where a quote was open, the first token is the string that the value closes, and nothing is folded into it.
 * Every step drops a token or pushes one, so the work is linear in the value.
 * @param stopsAtApostrophe a word or another operand behind that string settles the matter: nothing more is read
 */
export function fold(value: string, reading: Reading, stopsAtApostrophe: boolean): Folded {
  tokenizer.begin(value, reading)
  folder.begin(reading.quote === '' ? 0 : 1)
  while (tokenizer.next(folder.free())) {
    folder.push()
    if (folder.count > foldedTokensMax || (stopsAtApostrophe && folder.isApostrophe())) break
    if (folder.endsInOperand()) folder.extendTo(tokenizer.skipProse())
  }
  // No value outlives its request.
  tokenizer.value = ''
  return { tokens: folder.finish(), ambiguous: tokenizer.ambiguous }
}

/** Numbers, strings, bare words and variables: what an operator may stand between. */
export function isOperand(token: Token | undefined): token is Token & { type: '1' | 's' | 'n' | 'v' } {
  return (
    token !== undefined &&
    (token.type === '1' || token.type === 's' || token.type === 'n' || token.type === 'v')
  )
}

/** Places on the stack. A step leaves at most two tokens more than the limit, and one is being read. */
const places: Token[] = Array.from({ length: foldedTokensMax + 8 }, () => new Token())
const comment = new Token()
/** The places in use, as the judge sees them. */
const folded: Token[] = []
const between = findWord('between', 0, 7)

/** A stack of tokens, whose first free place holds the token that is being read. */
class Folder {
  count = 0
  /** Tokens at the front that never fold: the string that the value closes. */
  #fixed: 0 | 1 = 0
  /** A comment counts only as the end of the value; with more behind it, it is white space. */
  #endsWithComment = false

  begin(fixed: 0 | 1): void {
    this.count = 0
    this.#fixed = fixed
    this.#endsWithComment = false
  }

  free(): Token {
    return places[this.count]!
  }

  finish(): readonly Token[] {
    folded.length = 0
    for (let at = 0; at < this.count; at++) folded.push(places[at]!)
    if (this.#endsWithComment) folded.push(comment)
    return folded
  }

  endsInOperand(): boolean {
    return isOperand(this.#top())
  }

  /** More words stand behind the operand on top, up to `end`; none do when it is negative. */
  extendTo(end: number): void {
    if (end < 0) return
    const top = this.#top()!
    top.end = end
    top.open = false
    top.prose = true
    this.#endsWithComment = false
  }

  /** Something stands at once behind the string that the value closed. */
  isApostrophe(): boolean {
    return this.#fixed === 1 && this.count === 2 && isOperand(places[1])
  }

  /** Takes the token in the free place. */
  push(): void {
    const token = this.free()
    this.#endsWithComment = token.type === 'c'
    if (this.#endsWithComment) keepComment(token)
    else if (this.count < this.#fixed) this.#put(token)
    else if (this.#joinsPrevious(token)) return
    else if (isOperand(token)) this.#operand(token)
    else if (token.type === ')') this.#close(token)
    else if (token.type === 'o') this.#operator(token)
    else if (token.type === '&') this.#logic(token)
    else if (token.type === ';' && this.#last()?.type === ';') return
    else this.#put(token)
  }

  /** Puts a token, which stands in a place that is not in use, on the stack. */
  #put(token: Token): void {
    const { count } = this
    let at = count
    // Steps that dropped tokens left it a few places up.
    while (places[at] !== token) at++
    places[at] = places[count]!
    places[count] = token
    this.count++
  }

  #last(): Token | undefined {
    return this.count > 0 ? places[this.count - 1] : undefined
  }

  /** The folded token `back` places from the end; undefined where folding must not reach. */
  #top(back = 0): Token | undefined {
    const index = this.count - 1 - back
    return index < this.#fixed ? undefined : places[index]
  }

  /** Keywords of several words, and words that only modify the one before them. */
  #joinsPrevious(token: Token): boolean {
    if (token.word === noWord) return false
    const top = this.#top()
    if (top === undefined) return false
    if (top.type === 'T' && !top.complete) return this.#joinsStatement(top, token)
    if (top.type === 'B' && !top.complete) return this.#joinsBy(top, token)
    if (!token.word.joins) return false
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
    this.count--
    top.type = 'n'
    this.#operand(top)
    return this.#joinsPrevious(token)
  }

  #operand(token: Token): void {
    let top = this.#top()
    while (top !== undefined && top.type === 'o' && top.word.unary && this.#unaryPlace()) {
      this.count--
      top = this.#top()
    }
    if (top === undefined) {
      this.#put(token)
      return
    }
    if (isOperand(top)) {
      sideBySide(top, token)
      return
    }
    const below = this.#top(1)
    if (!isOperand(below)) this.#put(token)
    else if (top.type === 'o') {
      compare(below, top, token)
      this.count--
    } else if (top.type === ',') {
      extend(below, token)
      below.list = true
      this.count--
    } else if (top.type === '&' && below.list && below.word === between) {
      extend(below, token)
      this.count--
    } else this.#put(token)
  }

  /** Whether the operator on top has no left operand. */
  #unaryPlace(): boolean {
    const index = this.count - 2
    if (index < 0) return true
    if (index < this.#fixed) return false
    const below = places[index]!
    return !isOperand(below) && below.type !== ')'
  }

  #operator(token: Token): void {
    const top = this.#top()
    if (top?.type === 'o') {
      if (token.word.unary && !(top.word.unary && this.#unaryPlace())) {
        const under = this.#top(1)
        if (under?.type !== 'o') this.#put(token)
        return
      }
      // "not like", "sounds like", "- -": the last one says what is done.
      this.count--
    }
    this.#put(token)
  }

  /** `X & Y &` becomes `X &`; what the comparison in Y said is kept at the operator. */
  #logic(token: Token): void {
    const y = this.#top()
    const operator = this.#top(1)
    // A string after the string that the value closed stays: judge.ts looks at the quotes of both.
    const strings = this.#fixed === 1 && y?.type === 's' && y.claim === 0
    const x = this.count < 3 ? undefined : places[this.count - 3]
    if (isOperand(y) && operator?.type === '&' && isOperand(x) && !strings) {
      operator.claim = stronger(operator.claim, y.prose && y.claim < 2 ? 0 : y.claim)
      operator.end = token.end
      operator.complete = true
      this.count--
    } else this.#put(token)
  }

  #close(token: Token): void {
    this.#joinLogic()
    const inner = this.#top()
    const open = this.#top(1)
    if (isOperand(inner) && open?.type === '(') this.#closed(inner, token)
    else if (inner?.type === '(' && this.#top(1)?.type !== 'f') {
      this.count--
      const name = this.#top()
      if (name?.type === 'n') name.end = token.end
      else {
        token.type = '1'
        this.#operand(token)
      }
    } else if (this.#last()?.type !== ')') this.#put(token)
  }

  /** Inside parentheses `X & Y` is one operand. */
  #joinLogic(): void {
    const y = this.#top()
    const operator = this.#top(1)
    const x = this.#top(2)
    if (!isOperand(y) || operator?.type !== '&' || !isOperand(x) || this.#top(3)?.type !== '(') return
    extend(x, y)
    x.claim = stronger(x.claim, operator.claim)
    this.count -= 2
  }

  /** A whole pair of parentheses, `inner` on top: the arguments of a call, or an operand. */
  #closed(inner: Token, token: Token): void {
    const before = this.#top(2)
    if (before?.type === 'f') {
      this.#put(token)
      return
    }
    this.count -= 2
    inner.end = token.end
    inner.list = false
    if (isOperand(before) && before.complete) {
      before.end = token.end
      before.claim = stronger(before.claim, inner.claim)
    } else this.#operand(inner)
  }
}

function keepComment(token: Token): void {
  comment.set('c', token.word, token.start, token.end)
  comment.open = token.open
}

const tokenizer = new Tokenizer()
const folder = new Folder()

/** Two operands without an operator. `'a' 'b'` and `date '2020-01-01'` are SQL, the rest is how people write. */
function sideBySide(left: Token, right: Token): void {
  const sql =
    right.type === 's' &&
    !left.prose &&
    (left.type === 's' || left.text === 'date' || left.text === 'timestamp' || left.text === 'interval')
  extend(left, right)
  if (!sql) left.prose = true
}

function compare(left: Token, operator: Token, right: Token): void {
  const { comparison } = operator.word
  const constants = isConstant(left) && isConstant(right)
  const someConstant = isConstant(left) || isConstant(right)
  const prose = left.prose || right.prose
  const isSign = comparison === 'sign'
  const own = isSign
    ? constants
      ? 2
      : 1
    : comparison === 'word' && someConstant
      ? wordClaim(operator, constants, right)
      : 0
  extend(left, right)
  if (operator.word === between) {
    left.list = true
    left.word = between
    left.nameEnd = left.nameStart
  }
  left.claim = stronger(left.claim, prose && !constants ? 0 : own)
}

/** `5 in 10`, `7 is 7` and `between 5 and 9` are English as well. */
function wordClaim(operator: Token, constants: boolean, right: Token): 0 | 1 | 2 {
  if (operator.text === 'in') return 0
  if (operator.text === 'is') return right.text === '' ? 0 : 1
  return constants && operator.word !== between ? 2 : 1
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
