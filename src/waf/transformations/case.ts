import { finish, scratchWith } from './scratch.ts'

/** `A`–`Z` to `a`–`z`; no other byte, whatever the locale. */
export function lowercase(value: string): string {
  // Folds the upper half of latin-1, too, so it only proves that there is nothing to do; that it does at machine speed.
  if (value.toLowerCase() === value) return value
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code >= 0x41 && code <= 0x5a) return shiftCase(value, i, 0x41, 0x20)
  }
  return value
}

/** `a`–`z` to `A`–`Z`. */
export function uppercase(value: string): string {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code >= 0x61 && code <= 0x7a) return shiftCase(value, i, 0x61, -0x20)
  }
  return value
}

/** Adds `shift` to the 26 bytes that begin at `first`, from `start` on. */
function shiftCase(value: string, start: number, first: number, shift: number): string {
  const out = scratchWith(value, start)
  for (let i = start; i < value.length; i++) {
    const code = value.charCodeAt(i)
    out[i] = code >= first && code < first + 26 ? code + shift : code
  }
  return finish(out, value.length, value)
}
