import type { Fault } from './types.ts'

/** A location from the engine or the API: line and column from 1; column and length in UTF-8 bytes. */
export interface ByteLocation {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** The same location in the editor's text, clamped to it. */
export function rangeOf(text: string, { line, column, length }: ByteLocation): { from: number; to: number } {
  const start = lineStart(text, line)
  const from = forward(text, start, column - 1)
  return { from, to: Math.max(forward(text, from, length), from) }
}

/**
 * Reads the location from an API message in Cloudflare's caret form: `Filter parsing error (1:14):`,
 * the line, carets under the span and the reason.
 * @returns undefined for other messages
 */
export function faultOfMessage(text: string, message: string): Fault | undefined {
  const heading = /Filter parsing error \(([0-9]{1,6}):([0-9]{1,6})\):/.exec(message)
  if (heading === null) return undefined
  const carets = /\n *(\^+) ?([^\n]*)\n?$/.exec(message)
  const location = { line: Number(heading[1]), column: Number(heading[2]), length: carets?.[1]?.length ?? 1 }
  return { ...rangeOf(text, location), message: carets?.[2] || 'cannot be parsed' }
}

function lineStart(text: string, line: number): number {
  let at = 0
  for (let n = 1; n < line; n++) {
    const next = text.indexOf('\n', at)
    if (next < 0) return text.length
    at = next + 1
  }
  return at
}

/** Index after this many bytes; never inside a character. */
function forward(text: string, from: number, bytes: number): number {
  let at = from
  let left = bytes
  while (left > 0 && at < text.length) {
    const code = text.codePointAt(at)!
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    at += code < 0x10000 ? 1 : 2
  }
  return at
}
