import type { PatternReader } from '../pattern-reader.ts'

/** A character of two to four bytes at the start of a byte string. */
const longCharacter = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/

/** Takes a character of the pattern; returns its code point. An incomplete character is a byte. */
export function takeCharacter(reader: PatternReader): number {
  const bytes = longCharacter.exec(reader.rest(4))?.[0] ?? reader.rest(1)
  reader.skip(bytes.length)
  let code = bytes.charCodeAt(0) & (bytes.length === 1 ? 0xff : 0xff >> (bytes.length + 1))
  for (let at = 1; at < bytes.length; at++) code = code * 64 + (bytes.charCodeAt(at) & 0x3f)
  return code
}
