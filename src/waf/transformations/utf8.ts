/**
 * Reads one multi-byte UTF-8 character (RFC 3629).
 * @returns the code point times 8 plus the number of bytes (2–4), or -1 if the bytes at `at` are none: wrong or missing
 * continuation, overlong, surrogate, above U+10FFFF. ASCII is -1, too.
 */
export function readMultiByte(value: string, at: number): number {
  const lead = value.charCodeAt(at)
  if (lead < 0xc2 || lead > 0xf4) return -1
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  let code = lead & (0x7f >> size)
  for (let i = at + 1; i < at + size; i++) {
    const next = value.charCodeAt(i)
    if ((next & 0xc0) !== 0x80 || i >= value.length) return -1
    code = (code << 6) | (next & 0x3f)
  }
  if (size === 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) return -1
  if (size === 4 && (code < 0x10000 || code > 0x10ffff)) return -1
  return code * 8 + size
}

/** Offset of the first byte of 0x80 or above, -1 without one. */
export function firstHighByte(value: string): number {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) > 0x7f) return i
  return -1
}
