import type { Span } from './ast.ts'
import type { Report } from './report.ts'
import { countUpTo, isBlank, type LogicalLine } from './source-lines.ts'

/** One argument of a directive, without its quotes and the backslashes that escaped quotes in it. */
export class Word {
  readonly text: string
  readonly #line: LogicalLine
  readonly #start: number
  /** Offsets in `text` before which a backslash was dropped, ascending. */
  readonly #dropped: readonly number[]

  constructor(line: LogicalLine, start: number, text: string, dropped: readonly number[]) {
    this.text = text
    this.#line = line
    this.#start = start
    this.#dropped = dropped
  }

  /** @param from offset into `text` */
  span(from = 0, length = this.text.length): Span {
    return this.#line.span(this.#start + from + countUpTo(this.#dropped, from), length)
  }
}

const protectHint = 'a quote inside quotes needs a backslash before it'

/**
 * Splits a directive into its name and arguments, separated by blanks. An argument may be in `"…"` or `'…'`. Inside
 * quotes `\"` is a quote and `\\` a backslash, as Apache reads its configuration (`ap_getword_conf`); every other
 * backslash belongs to the argument.
 * @returns undefined after reporting a quote that is not closed or has text directly after it
 */
export function splitWords(line: LogicalLine, report: Report): Word[] | undefined {
  const { text } = line
  const words: Word[] = []
  let i = 0
  for (;;) {
    while (i < text.length && isBlank(text.charCodeAt(i))) i++
    if (i >= text.length) return words
    const quote = text[i]
    if (quote !== '"' && quote !== "'") {
      const start = i
      while (i < text.length && !isBlank(text.charCodeAt(i))) i++
      words.push(new Word(line, start, text.slice(start, i), []))
      continue
    }
    const end = closingQuote(text, i + 1, quote)
    if (end === -1) {
      const hint = 'a line that goes on must end in a backslash with nothing behind it'
      report.add('unclosed-quote', line.span(i, 1), `the quote ${quote} is not closed`, hint)
      return undefined
    }
    words.push(quotedWord(line, i + 1, end, quote))
    i = end + 1
    if (i < text.length && !isBlank(text.charCodeAt(i))) {
      report.add('unexpected-text', line.span(i, 1), 'a blank must follow the closing quote', protectHint)
      return undefined
    }
  }
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === quote) return i
    if (text[i] === '\\' && (text[i + 1] === quote || text[i + 1] === '\\')) i++
  }
  return -1
}

function quotedWord(line: LogicalLine, start: number, end: number, quote: string): Word {
  const raw = line.text.slice(start, end)
  if (!raw.includes(quote) && !raw.includes('\\\\')) return new Word(line, start, raw, [])
  const dropped: number[] = []
  let text = ''
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] === '\\' && (raw[i + 1] === quote || raw[i + 1] === '\\')) {
      dropped.push(text.length)
      i++
    }
    text += raw[i]
  }
  return new Word(line, start, text, dropped)
}
