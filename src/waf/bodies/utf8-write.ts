/** Writes the UTF-8 bytes of a code point below 0x110000 at `at`; returns their end. */
export function writeUtf8(out: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    out[at] = code
    return at + 1
  }
  if (code < 0x800) {
    out[at] = 0xc0 | (code >> 6)
    out[at + 1] = 0x80 | (code & 0x3f)
    return at + 2
  }
  if (code < 0x10000) {
    out[at] = 0xe0 | (code >> 12)
    out[at + 1] = 0x80 | ((code >> 6) & 0x3f)
    out[at + 2] = 0x80 | (code & 0x3f)
    return at + 3
  }
  out[at] = 0xf0 | (code >> 18)
  out[at + 1] = 0x80 | ((code >> 12) & 0x3f)
  out[at + 2] = 0x80 | ((code >> 6) & 0x3f)
  out[at + 3] = 0x80 | (code & 0x3f)
  return at + 4
}
