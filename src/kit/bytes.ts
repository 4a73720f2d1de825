/**
 * Byte strings: the engine and the expression language see bytes as latin-1 strings, one code unit a byte.
 */

/** UTF-8 bytes of a text as a byte string. */
export function bytesOfText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The text that a byte string holds; invalid sequences become U+FFFD. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
