import { textOfBytes } from '../../kit/bytes.ts'
import type { Diagnostic } from '../../kit/diagnostic.ts'

/** Stops the reading of an expression. Never leaves the module: the entry points turn it into their outcome. */
export class ExpressionFault extends Error {
  readonly code: string
  /** Byte offsets into the whole text. */
  readonly start: number
  readonly end: number
  readonly hint: string | undefined

  constructor(code: string, message: string, span: { start: number; end: number }, hint?: string) {
    super(message)
    this.name = 'ExpressionFault'
    this.code = code
    this.start = span.start
    this.end = span.end
    this.hint = hint
  }
}

/** Position of a fault, counted as people do. */
interface Position {
  readonly line: number
  readonly column: number
  readonly length: number
  /** The line of the fault, without its line feed. */
  readonly lineText: string
}

/** @param bytes the whole expression, UTF-8 as a byte string */
export function diagnosticOf(bytes: string, fault: ExpressionFault): Diagnostic {
  const { line, column, length } = positionOf(bytes, fault)
  const diagnostic = { code: fault.code, message: fault.message, source: 'expression', line, column, length }
  return fault.hint === undefined ? diagnostic : { ...diagnostic, hint: fault.hint }
}

/**
 * The text of API errors: a heading, the line, carets below the span and the reason, ended by a line feed.
 * @source rules-language errors: columns count bytes, the span is cut at the end of its line, one caret at least
 */
export function caretText(bytes: string, fault: ExpressionFault): string {
  const { line, column, length, lineText } = positionOf(bytes, fault)
  const pointer = ' '.repeat(column - 1) + '^'.repeat(length)
  const reason = fault.hint === undefined ? fault.message : `${fault.message} (${fault.hint})`
  return `Filter parsing error (${line}:${column}):\n${textOfBytes(lineText)}\n${pointer} ${reason}\n`
}

function positionOf(bytes: string, fault: ExpressionFault): Position {
  const lineStart = fault.start === 0 ? 0 : bytes.lastIndexOf('\n', fault.start - 1) + 1
  const nextBreak = bytes.indexOf('\n', fault.start)
  const lineEnd = nextBreak < 0 ? bytes.length : nextBreak
  let line = 1
  for (let at = bytes.indexOf('\n'); at >= 0 && at < lineStart; at = bytes.indexOf('\n', at + 1)) line++
  return {
    line,
    column: fault.start - lineStart + 1,
    length: Math.max(1, Math.min(fault.end, lineEnd) - fault.start),
    lineText: bytes.slice(lineStart, lineEnd),
  }
}
