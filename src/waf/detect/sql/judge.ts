import { isOperand } from './fold.ts'
import { quotedComment, quotedOperator } from './quoted.ts'
import { beginsStatement, Place, yieldsValues } from './statement.ts'
import { type Case, nameOf, type Token } from './token.ts'

const comparisonSigns = new Set(['=', '==', '<>', '!=', '<', '>', '<=', '>=', '<=>'])

/**
 * Whether a folded value is an injection. What the shapes below have in common: a value that is put into a statement
 * must leave its place (close the string, end the operand), go on with SQL that changes what is asked, and leave the
 * rest of the statement valid (comment it out, open the string again). Text with an apostrophe does the first, a
 * sentence with "or" or "select" the second; hardly anything but an injection does what belongs together.
 */
export function isInjection(value: string, tokens: readonly Token[], quoted: boolean): boolean {
  const item: Case = { value, tokens, quoted }
  if (tokens.some(token => token.type === 'X')) return true
  const first = tokens[0]
  if (quoted) {
    // The string never closes: the value stays data. A word behind the quote: an apostrophe.
    if (first === undefined || first.open || isOperand(tokens[1])) return false
    return afterString(item, first, skipClosing(tokens, 1)) || anywhere(item)
  }
  return afterOperand(item, skipClosing(tokens, isOperand(first) ? 1 : 0)) || anywhere(item)
}

/** Shapes that need no particular place. */
function anywhere(item: Case): boolean {
  const { tokens, quoted } = item
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    switch (token.type) {
      case 'f':
        if (isAttackCall(tokens, at) || probes(tokens, at)) return true
        break
      case 'U':
        if (isUnion(tokens, at, quoted)) return true
        break
      case 'E':
        if (yieldsValues(item, at, placeOf(tokens, at))) return true
        break
      case ';':
        if (beginsStatement(item, at + 1)) return true
        break
      case '&':
        // A comparison of constants asks nothing: it is there to be true (or false).
        if (token.claim === 2 || tokens[skipOpening(tokens, at + 1)]?.claim === 2) return true
        break
    }
  }
  return false
}

/** A select list behind `;`, an operator between operands or a parenthesis is a query; elsewhere it may be a sentence. */
function placeOf(tokens: readonly Token[], at: number): Place {
  const before = tokens[at - 1]?.type
  if (before === 'o')
    return isOperand(tokens[at - 2]) || tokens[at - 2]?.type === ')' ? Place.nested : Place.plain
  return before === '(' || before === '&' || before === ';' ? Place.nested : Place.plain
}

/** `sleep(20)` where an operand stands, not `await sleep(20)` nor `timer.sleep(20)`. */
function isAttackCall(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]!.word.rank !== 3) return false
  const [before, open, argument] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]]
  // "sleep (8 hours)"
  if (open !== undefined && open.start > tokens[at]!.end && argument?.prose) return false
  return before === undefined || !(isOperand(before) || before.type === '?')
}

/** `ascii(substring(version()…`: what a blind injection asks, one character at a time. */
function probes(tokens: readonly Token[], at: number): boolean {
  const [open, inner, openInner, innermost] = [tokens[at + 1], tokens[at + 2], tokens[at + 3], tokens[at + 4]]
  if (open?.type !== '(' || inner?.type !== 'f' || tokens[at]!.word.rank < 2) return false
  if (inner.word.rank < 2 || openInner?.type !== '(') return false
  return (
    innermost?.type === ')' ||
    innermost?.type === 'E' ||
    (innermost?.type === 'f' && innermost.word.rank >= 2)
  )
}

/** `union select` with something to select; people write "the union select committee". */
function isUnion(tokens: readonly Token[], at: number, quoted: boolean): boolean {
  let next = at + 1
  while (tokens[next]?.type === '(') next++
  const select = tokens[next]
  if (select?.text === 'values') return select.type === 'f' || tokens[next + 1]?.type === '('
  if (select?.type !== 'E') return false
  const before = tokens[at - 1]
  const placed = quoted || (before?.type === '1' && !before.prose) || before?.type === ')'
  const what = tokens[next + 1]
  if (what === undefined) return placed
  if (what.type === 'o') return what.text === '*'
  if (what.type !== 'n') return what.type !== '?'
  const then = tokens[next + 2]
  return (
    !what.prose &&
    (placed || what.list || then?.type === 'c' || then?.text === 'from' || then?.text === 'into')
  )
}

/** What follows a string that the value closed. */
function afterString(item: Case, host: Token, at: number): boolean {
  const { value, tokens } = item
  const token = tokens[at]
  const next = tokens[at + 1]
  if (token === undefined) return false
  switch (token.type) {
    case 'c':
      // `admin'--`: the rest of the statement is gone, a check of the password with it.
      return !quotedComment(value, host, token)
    case ';':
      return next?.type === 'c'
    case '&':
      return logicAfterString(item, host, at)
    case 'o':
      return operatorAfterString(item, host, at)
    case 'B':
      // `' order by 5` counts columns; `' group by x--` raises errors.
      return sorts(tokens, at, true)
    case 'k':
      return clauseAfterString(tokens, at)
    case ',':
      // `x',1)--` ends a row of an INSERT early.
      return tokens.at(-1)?.type === 'c' && isOperand(next) && !next.prose
    case '?':
      return token.text === '.' && isAttack(next)
    case 'U':
      return next?.type === 'c'
    case 'f':
      return isAttack(token) || endsBroken(tokens)
    case '(':
      return next?.type === 'E' && yieldsValues(item, at + 1, Place.nested)
    case 'T':
      return beginsStatement(item, at)
    default:
      return false
  }
}

/** `order by 5`, `group by x--`, `group by x having …`; behind prose a number is not enough. */
function sorts(tokens: readonly Token[], at: number, byNumber: boolean): boolean {
  const [by, what, next] = [tokens[at]!, tokens[at + 1], tokens[at + 2]]
  if (!by.complete) return false
  if (what?.type === 'f') return byNumber
  if (!isOperand(what) || what.prose) return false
  if (next?.type === 'c') return true
  if (next?.text === 'having') return isOperand(tokens[at + 3])
  return byNumber && what.type === '1'
}

function clauseAfterString(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  switch (tokens[at]!.text) {
    case 'having':
    case 'where':
      return isOperand(next) && next.claim > 0 && !next.prose
    case 'limit':
      return next?.type === '1' && !next.prose && (next.list || tokens[at + 2]?.type === 'c')
    case 'procedure':
      return next?.type === 'f'
    default:
      return false
  }
}

function isAttack(token: Token | undefined): boolean {
  return token?.type === 'f' && token.word.rank === 3
}

/** `' or …`: a condition of the attacker's own. */
function logicAfterString(item: Case, host: Token, at: number): boolean {
  const { value, tokens } = item
  const operator = tokens[at]!
  if (operator.claim > 0) return true
  const from = skipOpening(tokens, at + 1)
  const operand = tokens[from]
  if (operand === undefined) return false
  if (operand.type === 'f') return true
  if (operand.type === 'E') return tokens[from - 1]?.type === '(' || yieldsValues(item, from, Place.nested)
  if (!isOperand(operand)) return false
  if (operand.claim === 2) return true
  if (operand.prose) return false
  if (operand.claim === 1 || operand.type === 'v') return true
  const next = tokens[from + 1]
  if (next?.type === 'c') return true
  if (next?.type === 'o' && comparisonSigns.has(next.text)) return true
  // A constant alone is true or false: `' or 1`. A word alone is how sentences go on.
  if (operand.type === '1') return true
  if (operand.type === 's') {
    if (quotedOperator(value, host, operator)) return false
    // The string that opens again takes the quote that the statement has left.
    return operand.open || next?.type === '&'
  }
  return operand.complete && isUnderscored(nameOf(value, operand))
}

function isUnderscored(name: string): boolean {
  return name.length > 3 && name.includes('_')
}

/** `'+…+'`, `'=…`: the string becomes part of an expression. */
function operatorAfterString(item: Case, host: Token, at: number): boolean {
  const { value, tokens } = item
  const operator = tokens[at]!
  const from = skipOpening(tokens, at + 1)
  const operand = tokens[from]
  if (operand === undefined) return false
  if (operand.type === 'f') return operand.word.rank >= 2 || endsBroken(tokens)
  if (operand.type === 'E') return yieldsValues(item, from, Place.nested)
  if (!isOperand(operand) || operand.prose) return false
  if (operand.type === 'v') return operand.text === '@@' || operand.open || endsBroken(tokens)
  const next = tokens[from + 1]
  if (next?.type === 'c') return true
  if (next?.type === '&') return logicAfterString(item, operand, from + 1)
  if (operator.text === 'is') return operand.text === 'null'
  if (!operand.open) return false
  // PostgreSQL's # is for numbers only: between texts it is no operator anywhere.
  return operator.text !== 'in' && operator.text !== '#' && !quotedOperator(value, host, operator)
}

/** What follows an operand in a statement without quotes around the value: `1 or 1=1`, `1 order by 9`. */
function afterOperand(item: Case, at: number): boolean {
  const { value, tokens } = item
  const token = tokens[at]
  const next = tokens[at + 1]
  const lead = isOperand(tokens[0]) ? tokens[0] : undefined
  const number = lead?.type === '1' && !lead.prose
  if (token === undefined) return false
  switch (token.type) {
    case '&':
      return logicAfterOperand(item, lead, at)
    case 'o': {
      const operand = tokens[skipOpening(tokens, at + 1)]
      return number && operand?.type === 'f' && operand.word.rank >= 2
    }
    case 'B':
      return !lead?.prose && sorts(tokens, at, number)
    case 'k':
      if (token.text === 'procedure') return next?.type === 'f' && next.text === 'analyse'
      return token.text === 'having' && number && isOperand(next) && next.claim > 0 && !next.prose
    case ';':
      return number && isEmptyComment(value, next)
    case 'c':
      return number && isEmptyComment(value, token)
    default:
      return false
  }
}

function logicAfterOperand({ value, tokens }: Case, lead: Token | undefined, at: number): boolean {
  const operator = tokens[at]!
  const number = lead?.type === '1' && !lead.prose
  // "or" at the very start continues a number that the application put before the value.
  const placed = lead === undefined || number || (lead.type === 'n' && !lead.prose)
  if (operator.claim === 1 && number) return true
  const from = skipOpening(tokens, at + 1)
  const operand = tokens[from]
  if (operand === undefined) return false
  if (operand.type === 'f') {
    if (!placed) return false
    return operand.word.rank >= 2 || (number && asksSomething(tokens, from + 1))
  }
  if (!isOperand(operand) || operand.prose) return false
  const next = tokens[from + 1]
  if (operand.claim === 1) return number || (placed && next?.type === 'c')
  if (number && next?.type === 'o' && comparisonSigns.has(next.text) && asksSomething(tokens, from + 2))
    return true
  if (operand.type === 'v') return operand.text === '@@'
  if (operand.type !== '1' || !(lead === undefined || number)) return false
  if (isEmptyComment(value, next)) return true
  if (!number || next !== undefined) return false
  // `1 or true`, `1 or 1`; "1 or 2" is how people choose.
  return (
    operand.text === 'true' || value.slice(lead.start, lead.end) === value.slice(operand.start, operand.end)
  )
}

/** A call compared with something, or around a condition or a query. */
function asksSomething(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.claim > 0 || token.type === 'E' || (token.type === 'f' && token.word.rank >= 2)) return true
    if (token.type === 'o' && comparisonSigns.has(token.text)) return true
  }
  return false
}

/** `--` with nothing (or the usual `-`, `+`) behind it. */
function isEmptyComment(value: string, token: Token | undefined): boolean {
  if (token?.type !== 'c' || value.charAt(token.start) !== '-' || token.end - token.start > 8) return false
  const rest = value.slice(token.start + 2, token.end).trim()
  return rest === '' || rest === '-' || rest === '+'
}

/** The rest of the statement is commented out, or its closing quote is used up. */
function endsBroken(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)!
  return last.type === 'c' || last.open
}

function skipClosing(tokens: readonly Token[], at: number): number {
  let from = at
  while (tokens[from]?.type === ')') from++
  return from
}

function skipOpening(tokens: readonly Token[], at: number): number {
  let from = at
  while (
    tokens[from]?.type === '(' ||
    tokens[from]?.text === 'not' ||
    tokens[from]?.text === '!' ||
    tokens[from]?.text === '-' ||
    tokens[from]?.text === '+' ||
    tokens[from]?.text === '~'
  )
    from++
  return from
}
