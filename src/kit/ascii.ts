/** Classes of ASCII bytes as the C locale has them, and hex digits. All take a code unit; NaN (past the end) is in no class. */

/** Value of a hex digit, -1 for any other byte. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 && code < 0x80 ? lower - 0x57 : -1
}

/** Space, \t, \n, \v, \f, \r. */
export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** The byte with A–Z folded to a–z. */
export function lowerCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
}

/** A byte string with A–Z folded to a–z, other bytes as they are; the same string when nothing changes. Linear. */
export function asciiLower(bytes: string): string {
  if (!hasWithin(bytes, 0x41, 0x5a)) return bytes
  return isAscii(bytes) ? bytes.toLowerCase() : shiftCase(bytes, 0x41, 0x5a, 0x20)
}

/** The same from a–z to A–Z. */
export function asciiUpper(bytes: string): string {
  if (!hasWithin(bytes, 0x61, 0x7a)) return bytes
  return isAscii(bytes) ? bytes.toUpperCase() : shiftCase(bytes, 0x61, 0x7a, -0x20)
}

/** Of ASCII, the platform changes the case much faster; beyond ASCII it changes more than letters. */
function isAscii(bytes: string): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes.charCodeAt(at) > 0x7f) return false
  return true
}

function hasWithin(bytes: string, first: number, last: number): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes.charCodeAt(at)
    if (code >= first && code <= last) return true
  }
  return false
}

function shiftCase(bytes: string, first: number, last: number, shift: number): string {
  let result = ''
  let copied = 0
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes.charCodeAt(at)
    if (code < first || code > last) continue
    result += bytes.slice(copied, at) + String.fromCharCode(code + shift)
    copied = at + 1
  }
  return copied === 0 ? bytes : result + bytes.slice(copied)
}
