/** A token of an expression that may be incomplete. */
export interface Piece {
  readonly kind: 'name' | 'string' | 'number' | 'list' | 'symbol'
  readonly from: number
  readonly to: number
  /** For strings: true when the closing quote is there. */
  readonly closed?: boolean
}

const name = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*\.?/y
const list = /\$[a-z0-9_.]*/y
const number = /-?[0-9][0-9A-Fa-fx:./]*|::[0-9A-Fa-f:./]*/y
const raw = /r(#*)"/y
const symbol = /&&|\|\||\^\^|[=!<>]=|[^\s]/y

/** Tokens for colours and completion, in one pass. The engine reports faults. */
export function scan(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  while (at < text.length) {
    const found = stringAt(text, at, pieces) ?? simpleAt(text, at)
    if (found === undefined) at++
    else {
      pieces.push(found)
      at = found.to
    }
  }
  return pieces
}

function simpleAt(text: string, from: number): Piece | undefined {
  for (const [kind, pattern] of [
    ['list', list],
    ['number', number],
    ['name', name],
    ['symbol', symbol],
  ] as const) {
    pattern.lastIndex = from
    if (pattern.test(text)) return { kind, from, to: pattern.lastIndex }
  }
  return undefined
}

function stringAt(text: string, from: number, before: readonly Piece[]): Piece | undefined {
  raw.lastIndex = from
  const opened = raw.exec(text)
  if (opened !== null)
    return stringUntil(text, from, text.indexOf(`"${opened[1]}`, raw.lastIndex), 1 + opened[1]!.length)
  if (text[from] !== '"') return undefined
  const last = before.at(-1)
  const word = last === undefined ? '' : text.slice(last.from, last.to)
  return stringUntil(text, from, quoteEnd(text, from + 1, word === 'matches' || word === '~'), 1)
}

function stringUntil(text: string, from: number, end: number, length: number): Piece {
  const closed = end >= 0
  return { kind: 'string', from, to: closed ? end + length : text.length, closed }
}

/** Index of the closing quote, or -1. A quote inside a character class does not close the pattern. */
function quoteEnd(text: string, from: number, isPattern: boolean): number {
  let inClass = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '"' && !inClass) return at
    else if (isPattern && character === '[') inClass = true
    else if (character === ']') inClass = false
  }
  return -1
}
