import type { SourceFile, Span } from './ast.ts'

/** A directive with its continuation lines joined; every byte still has its original position. */
export class LogicalLine {
  readonly source: string
  readonly text: string
  /** Start of each physical line in `text`, ascending; the first at 0. */
  readonly #starts: readonly number[]
  /** Number of the first physical line. */
  readonly #firstLine: number

  constructor(source: string, text: string, starts: readonly number[], firstLine: number) {
    this.source = source
    this.text = text
    this.#starts = starts
    this.#firstLine = firstLine
  }

  /** @param offset into `text` */
  span(offset: number, length: number): Span {
    const index = countUpTo(this.#starts, offset) - 1
    return {
      source: this.source,
      line: this.#firstLine + index,
      column: offset - this.#starts[index]! + 1,
      length: Math.max(1, length),
    }
  }
}

/**
 * The directives of a file: empty lines and comments left out, lines that end in a backslash joined with the next. A
 * comment ends with its line even if that ends in a backslash, so it never hides a rule.
 */
export function* logicalLines(file: SourceFile): Generator<LogicalLine> {
  const { name, text } = file
  let position = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0
  let lineNumber = 0
  while (position < text.length) {
    const firstLine = ++lineNumber
    const starts = [0]
    let physical = physicalLine(text, position)
    position = physical.next
    if (isBlankOrComment(physical.text)) continue
    const pieces: string[] = []
    let length = 0
    while (physical.text.endsWith('\\') && position < text.length) {
      pieces.push(physical.text.slice(0, -1))
      length += physical.text.length - 1
      starts.push(length)
      physical = physicalLine(text, position)
      position = physical.next
      lineNumber++
    }
    pieces.push(physical.text)
    yield new LogicalLine(name, pieces.join(''), starts, firstLine)
  }
}

function physicalLine(text: string, from: number): { readonly text: string; readonly next: number } {
  const newline = text.indexOf('\n', from)
  const next = newline === -1 ? text.length : newline + 1
  let end = newline === -1 ? text.length : newline
  if (end > from && text[end - 1] === '\r') end--
  return { text: text.slice(from, end), next }
}

function isBlankOrComment(line: string): boolean {
  for (let i = 0; i < line.length; i++) {
    if (!isBlank(line.charCodeAt(i))) return line[i] === '#'
  }
  return true
}

/** How many of the ascending numbers are at most `value`. O(log n). */
export function countUpTo(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** Blank, tab, vertical tab, form feed or carriage return; a logical line holds no line feed. */
export function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
