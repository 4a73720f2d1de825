import type { Dialect } from './dialect.ts'
import type { PatternReader } from './pattern-reader.ts'

/**
 * Letters that `(?…)` switches: fold case, line anchors, dot matches \n, extended syntax, swapped greediness, Unicode.
 */
export interface Flags {
  readonly i: boolean
  readonly m: boolean
  readonly s: boolean
  readonly x: boolean
  readonly U: boolean
  /** Of Rust's dialect only: characters instead of bytes. */
  readonly u: boolean
}

/** Flags of one dialect or the other that this engine lacks. */
const unsupported = '|(&PR0123456789+^CJnu'

/**
 * Reads flags after `(?`, up to `)` or `:`.
 * @param start offset of the parenthesis, for errors
 */
export function readFlags(
  reader: PatternReader,
  dialect: Dialect,
  before: Flags,
  start: number,
): { readonly flags: Flags; readonly end: ')' | ':' } {
  const fault = (code: 'syntax' | 'unsupported', message: string) =>
    reader.faultAt(start, Math.max(1, reader.offset - start), code, message)
  let flags = before
  let value = true
  let seen = ''
  for (;;) {
    const char = reader.next()
    if (char === ')' || char === ':') {
      if (!dialect.lenient && (seen.endsWith('-') || (seen === '' && char === ')')))
        throw fault('syntax', 'a flag is missing')
      return { flags, end: char }
    }
    if (char === '-' && value) value = false
    else if (!dialect.lenient && char !== '' && seen.includes(char))
      throw fault('syntax', 'a flag stands twice')
    else if (char !== '' && 'imsxU'.includes(char)) flags = { ...flags, [char]: value }
    else if (char === 'u' && !dialect.perl) flags = { ...flags, u: value }
    else {
      if (char !== '' && unsupported.includes(char))
        throw fault(
          'unsupported',
          char === 'u' ? 'Unicode mode is not supported' : `(?${char} is not supported`,
        )
      throw fault('syntax', 'unknown group or flag')
    }
    seen += char
  }
}
