import { isAlphanumeric, isDigit, isSpace } from '../../../kit/ascii.ts'
import type { Token } from './token.ts'

/**
 * Read with a quote open, `the word 'and' is` is a string, an operator and a string, as an injection would be, and
 * `color: '#fff'` a string and a comment. Here the quote that "closes" opens a quotation instead: no letter stands
 * before it, and text goes on behind the quotation. A database that turns any text into 0 could be fooled by just
 * that; stopping everybody who quotes a sign is the worse bargain.
 */

const quotationBytesMax = 64

/** Whether an operator begins a quotation inside a sentence: `the '=' sign`, `open "<name>" first`. */
export function quotedOperator(value: string, host: Token, operator: Token): boolean {
  if (operator.complete || host.end !== operator.start) return false
  const close = quotationEnd(value, host)
  if (close < 0) return false
  const atStart = host.end < 2
  const atEnd = close === value.length
  const isWord = isAlphanumeric(operator.text.charCodeAt(0))
  // `'-'` and `x '-'` are well-known ways past a login, `'or'` is nobody's.
  if (!isWord && (atStart || atEnd)) return false
  if (atStart && atEnd) return true
  if (!atStart && isAlphanumeric(value.charCodeAt(host.end - 2))) return false
  if (isAlphanumeric(value.charCodeAt(close))) return false
  // A text that begins with a number is that number to MySQL: `x 'or' 1` would be true.
  let at = close
  while (at < close + quotationBytesMax && isSpace(value.charCodeAt(at))) at++
  return at === close || !isDigit(value.charCodeAt(at))
}

/** Whether what reads as a comment is quoted text: `'#fff'`, `'--help'`, `href='#'`. */
export function quotedComment(value: string, host: Token, comment: Token): boolean {
  if (host.end !== comment.start) return false
  const atStart = host.end < 2
  const before = value.charCodeAt(host.end - 2)
  if (!atStart && isAlphanumeric(before)) return false
  const close = quotationEnd(value, host)
  if (close < 0 || isAlphanumeric(value.charCodeAt(close))) return false
  const first = value.charAt(comment.start)
  const body = comment.start + (first === '#' ? 1 : 2)
  // An attacker may add a quote of his own: `admin '#'`. Behind a sign such as `=` or `:` he would have no name left.
  if (close - 1 === body) return first === '/' || (!atStart && !isSpace(before))
  return !isSpace(value.charCodeAt(body))
}

/** Where a quotation that begins with the last quote of `host` ends, behind its closing quote; -1: not soon. */
function quotationEnd(value: string, host: Token): number {
  const quote = value.charCodeAt(host.end - 1)
  const last = Math.min(host.end + quotationBytesMax, value.length)
  for (let at = host.end; at < last; at++) if (value.charCodeAt(at) === quote) return at + 1
  return -1
}
