import { finish, scratchOf } from './scratch.ts'

/** `A`–`Z` to `a`–`z`; no other byte, in any locale. */
export function lowercase(value: string): string {
  // The platform folds at machine speed, but also the upper half of latin-1.
  const lower = value.toLowerCase()
  if (lower === value) return value
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code >= 0xc0 && code <= 0xde) return shiftCase(value, 0x41, 0x20)
  }
  return lower
}

/** `a`–`z` to `A`–`Z`. */
export function uppercase(value: string): string {
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) >= 0x80) return shiftCase(value, 0x61, -0x20)
  const upper = value.toUpperCase()
  return upper === value ? value : upper
}

/** Adds `shift` to the 26 bytes that begin at `first`. */
function shiftCase(value: string, first: number, shift: number): string {
  const out = scratchOf(value.length)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    out[i] = code >= first && code < first + 26 ? code + shift : code
  }
  return finish(out, value.length, value)
}
