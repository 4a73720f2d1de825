import type { Fault } from './types.ts'

/** A place as the engine and the API count it: lines and columns from 1, columns and length in bytes of UTF-8. */
export interface BytePlace {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** The same place in the text of an editor, cut to what is there. */
export function rangeOf(text: string, { line, column, length }: BytePlace): { from: number; to: number } {
  const start = lineStart(text, line)
  const from = forward(text, start, column - 1)
  return { from, to: Math.max(forward(text, from, length), from) }
}

/**
 * Reads the place out of a message of the API, which has the caret form of Cloudflare's: `Filter parsing error (1:14):`,
 * the line, carets under the span and the reason.
 * @returns undefined for a message about something else
 */
export function faultOfMessage(text: string, message: string): Fault | undefined {
  const heading = /Filter parsing error \(([0-9]{1,6}):([0-9]{1,6})\):/.exec(message)
  if (heading === null) return undefined
  const carets = /\n *(\^+) ?([^\n]*)\n?$/.exec(message)
  const place = { line: Number(heading[1]), column: Number(heading[2]), length: carets?.[1]?.length ?? 1 }
  return { ...rangeOf(text, place), message: carets?.[2] || 'it cannot be read' }
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

/** The index behind so many bytes; never inside a character. */
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
